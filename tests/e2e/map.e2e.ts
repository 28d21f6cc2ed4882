import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { dayInKinshasa, dayMs } from '#shared/days.ts'
import { story } from '../support/browser.ts'
import { insertMarket, insertPrice, insertProduct } from '../support/catalogue.ts'

const { db, open, newAccount } = await story()
const rice = await insertProduct(db, { name: 'Riz parfumé' })
const daysAgo = (days: number) => dayInKinshasa(new Date(Date.now() - days * dayMs))
const placed = (name: string, province: string, at: { latitude: number; longitude: number } | object) =>
  insertMarket(db, { name, location: name, province, ...at })
const goma = await placed('Virunga', 'Nord-Kivu', { latitude: -1.67, longitude: 29.22 })
const bukavu = await placed('Kadutu', 'Sud-Kivu', { latitude: -2.5, longitude: 28.86 })
const uvira = await placed('Mulongwe', 'Sud-Kivu', {})
// Equal quotes would give no margin of error, and so no trend.
const swing = (day: number) => (day === 28 ? 0 : day % 4 === 0 ? 5 : -5)
for (let day = 0; day < 60; day += 2)
  for (const [market_id, price_value] of [
    [goma, (day < 30 ? 1500 : 1000) + swing(day)],
    [bukavu, 2000 + day],
    [uvira, 3000],
  ] as const)
    await insertPrice(db, { product_id: rice, market_id, day: daysAgo(day), price_value })
const reader = await newAccount('manager')

test('the map is read by keyboard, sorted as a table, coloured by province, and saved as a file', async () => {
  const page = await open(`/statistiques/carte?productId=${rice}`, { as: reader })
  const markets = page.getByRole('group', { name: /^Prix moyen\s: Riz parfumé/ })
  await markets.getByRole('button', { name: /^Kadutu \(Sud-Kivu\)\s: 2\s014\sFC/ }).focus()
  await page.keyboard.press('ArrowRight')
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
  await expect.poll(focused).toMatch(/^Virunga \(Nord-Kivu\)\s: 1\s500\sFC/)
  await page
    .getByText('1 marché sans coordonnées dans le pays n’est pas sur la carte : Mulongwe (Sud-Kivu).')
    .waitFor()
  const firstCells = () => page.locator('tbody tr td:first-child > span:first-child').allTextContents()
  await expect.poll(firstCells).toEqual(['Mulongwe', 'Kadutu', 'Virunga'])
  // The image of the map must use these colours of the legend.
  const grounds = await page
    .locator('[data-legend] > li > :first-child')
    .evaluateAll((swatches) => swatches.map((swatch) => getComputedStyle(swatch).backgroundColor))
  expect([grounds.length > 1, new Set(grounds).size]).toEqual([true, grounds.length])
  await page.getByRole('button', { name: 'Variation', exact: true }).first().click()
  await page.getByRole('button', { name: /^Virunga .*\+50,0?\s%.*hausse/ }).waitFor()
  expect(page.url()).toContain('measure=change')

  await page.getByRole('button', { name: 'Provinces' }).click()
  await page
    .getByRole('button', { name: /^Sud-Kivu \(2 marchés relevés\)/ })
    .first()
    .waitFor()
  await page
    .getByRole('row', { name: /Sud-Kivu/ })
    .getByRole('link', { name: '30' })
    .click()
  await page.waitForURL((address) => address.searchParams.get('province') === 'Sud-Kivu')
  await page
    .getByRole('navigation', { name: 'Pagination' })
    .getByText(/30\sprix/)
    .waitFor()
  await page.goBack()
  const file = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Télécharger en CSV' }).click()
  const csv = await readFile(await (await file).path(), 'utf8')
  expect(csv).toContain('Province;Lieu;Prix moyen (FC);Variation (%)')
  expect(csv).toMatch(/\r\nNord-Kivu;1 marché relevé;1500;50;/)

  await page.reload()
  await page
    .getByRole('button', { name: /^Nord-Kivu/ })
    .first()
    .focus()
  await page.getByRole('button', { name: 'Marchés', exact: true }).click()
  await page.getByRole('link', { name: 'Virunga' }).click()
  await page.waitForURL(`**/markets/${goma}`)
})

test('without a price the page has no map, and no table of places', async () => {
  const page = await open(`/statistiques/carte?productId=${await insertProduct(db)}`, { as: reader })
  await page.getByText('Aucune donnée de prix disponible').waitFor()
  await expect.poll(() => page.getByRole('table').count()).toBe(0)
})
