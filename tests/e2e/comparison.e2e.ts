import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { notified, story } from '../support/browser.ts'
import { insertMarket, insertPrice, insertProduct } from '../support/catalogue.ts'
import { daysAgo } from '../support/market-days.ts'

const { db, open, newAccount } = await story()
const rice = await insertProduct(db, { name: 'Riz parfumé' })
const goma = await insertMarket(db, { name: 'Virunga', location: 'Goma' })
const bukavu = await insertMarket(db, { name: 'Kadutu', location: 'Bukavu' })
for (let week = 0; week < 16; week++) {
  const day = daysAgo(2 + 7 * week)
  await insertPrice(db, { product_id: rice, market_id: goma, day, price_value: week === 0 ? 1180 : 1070 })
  await insertPrice(db, { product_id: rice, market_id: bukavu, day, price_value: 1000 })
}
const reader = await newAccount('manager')

test('two markets are compared by keyboard, their unusual gap is shown, and the page is saved as a view', async () => {
  const page = await open('/statistiques/comparaison', { as: reader })
  await choose('Produit', 'Riz parf')
  for (const market of ['Virunga', 'Kadutu']) {
    await choose('Marché', market)
    await page.getByRole('checkbox', { name: new RegExp(`^Riz parfumé.*${market}`), checked: true }).waitFor()
  }
  expect(page.url()).toContain(`series=${rice}-${goma}%2C${rice}-${bukavu}`)
  await page.getByText(/Virunga \(Goma\) 18\s%\splus cher que Kadutu \(Bukavu\), d’habitude 7\s%/).waitFor()
  await page.getByRole('button', { name: 'Indice', exact: true }).click()
  await page.getByText(/le premier jour relevé dans toutes/).waitFor()
  const image = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Télécharger l’image (PNG)' }).click()
  expect((await image).suggestedFilename()).toMatch(/\.png$/)
  const file = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Les données de ce chiffre' }).click()
  await page.getByRole('menuitem', { name: 'CSV pour tableur' }).click()
  const text = await readFile(await (await file).path(), 'utf8')
  expect(text.trimEnd().split('\r\n')).toHaveLength(1 + 2 * 16)

  await page.getByRole('button', { name: 'Vues' }).click()
  await page.getByRole('menuitem', { name: 'Enregistrer cette vue…' }).click()
  await page.getByRole('dialog').getByLabel('Nom').fill('Riz à l’est')
  await page.getByRole('dialog').getByRole('button', { name: 'Enregistrer' }).click()
  await notified(page, 'Vue enregistrée')

  async function choose(label: string, typed: string): Promise<void> {
    const box = page.getByRole('combobox', { name: label })
    await box.fill(typed)
    await expect
      .poll(() => page.getByRole('option').allTextContents())
      .toEqual([expect.stringContaining(typed)])
    await box.press('Enter')
  }
})

test('a user who has chosen nothing is shown how to begin', async () => {
  const page = await open('/statistiques/comparaison', { as: reader })
  await page.getByRole('button', { name: /^Riz parfumé, / }).click()
  await page.getByText(/Virunga \(Goma\) 18\s%\splus cher que Kadutu \(Bukavu\)/).waitFor()
})

test('a series has the colour of its line, whatever was removed before it', async () => {
  const page = await open(`/statistiques/comparaison?series=999999-${goma},${rice}-${goma}`, { as: reader })
  const cell = page.getByRole('cell').filter({ has: page.getByRole('checkbox', { name: /^Riz parfumé/ }) })
  const dot = cell.locator('span[aria-hidden]').last()
  const line = page.getByRole('figure').locator('svg g[stroke-linecap]')
  await line.waitFor()
  const drawn = await line.evaluate((node) => getComputedStyle(node).stroke)
  await expect.poll(() => dot.evaluate((node) => getComputedStyle(node).backgroundColor)).toBe(drawn)
  await page.getByRole('rowheader', { name: 'Produit inconnu' }).waitFor()
})

test('a checkbox in a header selects its row or column, twelve at most; beyond six series each product has a chart', async () => {
  const products = await Promise.all(
    ['Maïs', 'Haricots', 'Manioc'].map((name) => insertProduct(db, { name })),
  )
  const places = [goma, bukavu, await insertMarket(db, { name: 'Zando', location: 'Kinshasa' })]
  for (const product_id of products)
    for (const market_id of places)
      await insertPrice(db, { product_id, market_id, day: daysAgo(3), price_value: 900 })
  const asked = products.flatMap((product) => places.slice(0, 2).map((place) => `${product}-${place}`))
  const page = await open(`/statistiques/comparaison?series=${asked.join(',')}`, { as: reader })
  await expect.poll(() => page.getByRole('figure').count()).toBe(1)
  const box = page.getByRole('combobox', { name: 'Marché' })
  await box.fill('Zando')
  await page.getByRole('option', { name: /Zando/ }).click()
  await expect.poll(() => page.getByRole('figure').count()).toBe(3)
  await page.getByRole('button', { name: 'Par marché' }).click()
  await page.getByRole('heading', { name: 'Kinshasa, Zando' }).waitFor()
  await page.getByRole('rowheader', { name: /Maïs/ }).getByRole('checkbox').click()
  await expect.poll(() => new URL(page.url()).searchParams.get('series')?.split(',').length).toBe(6)
  await page.getByRole('columnheader', { name: /Zando/ }).getByRole('checkbox').click()
  await expect.poll(() => page.getByRole('checkbox', { checked: true }).count()).toBe(10)
})

test('a view opens its saved page from another page', async () => {
  const page = await open('/prices', { as: reader })
  await page.getByRole('button', { name: 'Vues' }).click()
  await page.getByRole('menuitemradio', { name: 'Riz à l’est' }).click()
  await page.getByText('le premier jour relevé dans toutes', { exact: false }).waitFor()
  expect(page.url()).toContain('unit=index')
})
