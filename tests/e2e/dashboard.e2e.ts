import { expect, test } from 'vitest'
import { story } from '../support/browser.ts'
import { insertMarket, insertPrice, insertProduct } from '../support/catalogue.ts'
import { client, openSession } from '../support/server.ts'

const { db, url, open, newAccount } = await story()
const today = new Date().toISOString().slice(0, 10)
const product_id = await insertProduct(db, { name: 'Farine de manioc' })
const market_id = await insertMarket(db, { name: 'Gambela' })
for (const price_value of [1000, 1100])
  await insertPrice(db, { product_id, market_id, price_value, day: today })
const someoneElse = await newAccount('collector')
const theirs = client(url, await openSession(db, someoneElse.id), someoneElse.id)

test('a price that somebody writes arrives on the dashboard by itself, and the figures follow', async () => {
  const page = await open('/dashboard', { as: 'manager' })
  await page.getByText('En direct', { exact: true }).waitFor()
  const figures = page.getByRole('region', { name: 'Chiffres clés' })
  await figures.getByRole('link', { name: '2', exact: true }).waitFor()
  await theirs.post('/api/prices', {
    productId: product_id,
    marketId: market_id,
    priceValue: 1234,
    collectorName: 'Amina',
  })
  await page.getByText('1 234 FC').first().waitFor()
  await figures.getByRole('link', { name: '3', exact: true }).waitFor()
})

test('the period stands in the address, and what is empty says so', async () => {
  const page = await open(`/dashboard?productId=${await insertProduct(db)}`, { as: 'manager' })
  for (const nothing of [
    'Aucun prix collecté récemment',
    'Aucun marché trouvé',
    'Aucun utilisateur trouvé',
    'Aucune donnée de prix disponible',
  ]) {
    await page.getByText(nothing).first().waitFor()
  }
  await page.getByRole('button', { name: '30j' }).click()
  await expect.poll(() => page.url()).toContain('period=30d')
})

test('the page of statistics has a table beside each chart, and can be taken away as a PDF', async () => {
  const page = await open('/dashboard/stats', { as: 'manager' })
  const markets = page.getByRole('figure').filter({ hasText: '5 premiers marchés' })
  await markets.getByRole('link', { name: 'Gambela' }).waitFor()
  await markets.getByRole('button', { name: 'Voir les données' }).click()
  await markets.getByRole('cell', { name: 'Gambela' }).waitFor()
  await page.getByRole('button', { name: 'Exporter' }).click()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'PDF avec les graphiques' }).click(),
  ])
  expect(file.suggestedFilename()).toMatch(/^statistiques-au-.*\.pdf$/)
})
