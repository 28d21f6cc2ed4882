import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { cutNetwork, story } from '../support/browser.ts'
import { insertMarket, insertPrice, insertProduct } from '../support/catalogue.ts'
import { daysAgo } from '../support/market-days.ts'
import { client, listenOn, openSession } from '../support/server.ts'

const { db, connection, url, open, newAccount } = await story({ hasJobs: true })
const today = daysAgo(0)
const product_id = await insertProduct(db, { name: 'Farine de manioc' })
const market_id = await insertMarket(db, { name: 'Gambela' })
for (const price_value of [1000, 1100])
  await insertPrice(db, { product_id, market_id, price_value, day: today })
const someoneElse = await newAccount('collector')
const theirs = client(url, await openSession(db, someoneElse.id), someoneElse.id)

const second = await listenOn({ db, connection })
const elsewhere = client(second.url, await openSession(db, someoneElse.id), someoneElse.id)
const written = (priceValue: number) => ({
  productId: product_id,
  marketId: market_id,
  collectorName: 'Amina',
  priceValue,
})

test('a price written by another user appears on the dashboard without a reload, and the figures follow', async () => {
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

test('a price written at another server appears too, and prices missed without a network appear when it is back', async () => {
  const page = await open('/dashboard', { as: 'manager' })
  await page.getByText('En direct', { exact: true }).waitFor()
  await elsewhere.post('/api/prices', written(3456))
  await page
    .getByText(/^3\s456\sFC$/)
    .first()
    .waitFor()
  await cutNetwork(page)
  await page.getByText(/^Hors ligne, dernière mise à jour/).waitFor()
  await elsewhere.post('/api/prices', written(4567))
  await elsewhere.post('/api/prices', written(5678))
  await expect.poll(() => page.getByText(/^5\s678\sFC$/).count()).toBe(0)
  await page.context().setOffline(false)
  for (const price of [/^4\s567\sFC$/, /^5\s678\sFC$/]) await page.getByText(price).first().waitFor()
})

test('the period is in the address, and empty parts say so', async () => {
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

test('days are chosen one by one, and the first is never after the last', async () => {
  const page = await open('/dashboard/stats', { as: 'manager' })
  await page.getByRole('button', { name: 'Plus de filtres' }).click()
  await page.getByLabel('Depuis le').fill('2026-01-10')
  await expect.poll(() => page.url()).toContain('startDate=2026-01-10')
  await page.getByLabel('Jusqu’au').fill('2026-01-02')
  await page.getByText('La date de fin précède la date de début').waitFor()
  expect(page.url()).not.toContain('endDate')
  await page.getByLabel('Jusqu’au').fill('2026-01-20')
  await expect.poll(() => page.url()).toContain('endDate=2026-01-20')
  await page.getByText(/^Période\s: du 10\sjanv\.\s2026 au 20\sjanv\.\s2026$/).waitFor()
})

test('a chart whose last price is a month old says so, and is grey, as is its image', async () => {
  await insertPrice(db, { product_id, market_id, price_value: 900, day: '2020-05-05' })
  const page = await open('/dashboard/stats?startDate=2020-01-01&endDate=2020-12-31', { as: 'manager' })
  const chart = page.getByRole('figure').filter({ hasText: 'Prix moyen par jour' })
  await chart.getByText(/5\smai\s2020, il y a plus de 30\sjours$/).waitFor()
  const [image] = await Promise.all([
    page.waitForEvent('download'),
    chart.getByRole('button', { name: 'Télécharger l’image (PNG)' }).click(),
  ])
  const bytes = await readFile(await image.path(), 'base64')
  // Difference between red and blue: 178 for the blue of the curve, 27 for the colour of the ink.
  expect(await page.evaluate(strongestHue, bytes)).toBeLessThan(60)
})

/** Returns the largest difference between red and blue of a pixel. */
async function strongestHue(png: string): Promise<number> {
  const picture = await createImageBitmap(
    new Blob([Uint8Array.from(atob(png), (byte) => byte.charCodeAt(0))]),
  )
  const canvas = new OffscreenCanvas(picture.width, picture.height)
  const context = canvas.getContext('2d')
  context?.drawImage(picture, 0, 0)
  const { data = [] } = context?.getImageData(0, 0, picture.width, picture.height) ?? {}
  let most = 0
  for (let at = 0; at < data.length; at += 4) most = Math.max(most, Math.abs(data[at]! - data[at + 2]!))
  return most
}

test('statistics that the server cannot give are reported once, and loaded again together', async () => {
  const page = await open('/dashboard', { as: 'manager' })
  const asked = /\/api\/(statistics|prices\/analytics)\//
  await page.route(asked, (route) => route.fulfill({ status: 500, json: { message: 'Erreur interne.' } }))
  await page.getByRole('link', { name: 'Statistiques avancées' }).first().click()
  const failures = page.getByRole('main').getByRole('alert')
  await failures.getByText('Erreur lors du chargement des statistiques').waitFor()
  await expect.poll(() => failures.count()).toBe(1)
  await page.unroute(asked)
  await failures.getByRole('button', { name: 'Réessayer' }).click()
  await page.getByRole('figure').filter({ hasText: '5 premiers marchés' }).waitFor()
  await expect.poll(() => failures.count()).toBe(0)
})

test('inflation is labelled unweighted, until weights that apply are entered', async () => {
  const card = (page: Awaited<ReturnType<typeof open>>) => page.getByRole('main').getByText(/^Non pondérée/)
  const page = await open('/dashboard/stats', { as: 'manager' })
  await card(page)
    .filter({ hasText: /^Non pondérée$/ })
    .waitFor()
  const { type_id } = await db.selectFrom('product').select('type_id').executeTakeFirstOrThrow()
  const weight = { type_id, day: '2020-01-01', weight: '10', source: 'Enquête' }
  await db.insertInto('product_type_weight').values(weight).execute()
  await page.reload()
  await card(page).getByRole('link', { name: 'Inflation' }).waitFor()
  await db.deleteFrom('product_type_weight').execute()
})

test('the page of statistics has a table beside each chart, and is saved as a PDF', async () => {
  const page = await open('/dashboard/stats', { as: 'manager' })
  const line = page.getByRole('slider', { name: 'Prix moyen par jour, jour lu' })
  // The tooltip of a touched point stays after the finger is lifted.
  await line.dispatchEvent('pointerdown', { pointerType: 'touch', clientX: 400 })
  await line.dispatchEvent('pointerout', { pointerType: 'touch' })
  await line.getByText(/^\d+ relevés?$/).waitFor()
  const markets = page.getByRole('figure').filter({ hasText: '5 premiers marchés' })
  await markets.getByRole('link', { name: 'Gambela' }).waitFor()
  await markets.getByRole('button', { name: 'Voir les données' }).click()
  await markets.getByRole('cell', { name: 'Gambela' }).waitFor()
  await page.getByRole('button', { name: 'PDF' }).click()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'Préparer un nouveau PDF' }).click(),
  ])
  expect(file.suggestedFilename()).toMatch(/^statistiques-au-.*\.pdf$/)
  // The same request after a reload finds the file made before.
  await page.reload()
  await page.getByRole('button', { name: 'PDF' }).click()
  const [again] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: /: prêt$/ }).click(),
  ])
  expect(again.suggestedFilename()).toBe(file.suggestedFilename())
})
