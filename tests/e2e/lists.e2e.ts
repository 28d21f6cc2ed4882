import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { goInside, phone, story } from '../support/browser.ts'
import {
  insertBrand,
  insertCategory,
  insertMarket,
  insertPrice,
  insertProduct,
  insertType,
} from '../support/catalogue.ts'

const { db, url, open } = await story()
const type_id = await insertType(db, { name: 'Farines', category_id: await insertCategory(db, 'Céréales') })
const product_id = await insertProduct(db, { name: 'Farine de manioc', type_id })
const market_id = await insertMarket(db, { name: 'Gambela' })
for (const price_value of [200, 300, 100]) await insertPrice(db, { product_id, market_id, price_value })
for (const name of ['Bralima', 'Azur', 'Cinzano']) await insertBrand(db, name)

const headers = (page: Page) => page.getByRole('columnheader').allTextContents()

test('columns are chosen, stored on the device, and reset', async () => {
  const page = await open('/prices?period=all', { as: 'manager' })
  await page.getByRole('cell', { name: '200 FC' }).waitFor()
  await expect
    .poll(() => headers(page))
    .toEqual(['Produit', 'Marché', 'Prix', 'Collecteur', 'Date', 'Source'])
  await page.getByRole('button', { name: 'Colonnes' }).click()
  const choice = page.getByRole('dialog', { name: 'Colonnes' })
  await choice.getByRole('checkbox', { name: 'Collecteur' }).uncheck()
  await choice.getByRole('checkbox', { name: 'Catégorie' }).check()
  await page.keyboard.press('Escape')
  await expect.poll(() => headers(page)).toEqual(['Produit', 'Marché', 'Prix', 'Date', 'Source', 'Catégorie'])
  await page.reload()
  await page.getByRole('cell', { name: 'Céréales' }).first().waitFor()
  await expect.poll(() => headers(page)).toEqual(['Produit', 'Marché', 'Prix', 'Date', 'Source', 'Catégorie'])
  await page.getByRole('button', { name: 'Colonnes' }).click()
  await choice.getByRole('button', { name: 'Rétablir' }).click()
  await choice.getByRole('button', { name: 'Fermer' }).last().click()
  await expect
    .poll(() => headers(page))
    .toEqual(['Produit', 'Marché', 'Prix', 'Collecteur', 'Date', 'Source'])
})

test('on a phone the chosen columns are the lines of a card', async () => {
  const page = await open('/products', { as: 'manager', viewport: phone })
  const list = page.getByRole('list', { name: 'Produits' })
  await list.getByText('Farine de manioc').waitFor()
  await expect.poll(() => list.getByText('Origine').count()).toBe(0)
  await page.getByRole('button', { name: 'Autres actions' }).click()
  await page.getByRole('button', { name: 'Colonnes' }).click()
  await page.getByRole('checkbox', { name: 'Origine' }).check()
  await page.keyboard.press('Escape')
  await list.getByText('Origine').waitFor()
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(phone.width)
})

test('the last chosen order is restored, unless the address has another, and the back button still works', async () => {
  const page = await open('/prices?period=all', { as: 'manager' })
  const amounts = () => page.getByRole('cell', { name: / FC$/ }).allTextContents()
  const first = async () => (await amounts())[0]?.replaceAll(/\s/g, ' ')
  await page.getByRole('columnheader', { name: 'Prix' }).getByRole('button').click()
  await expect.poll(first).toBe('100 FC')
  await page.getByRole('columnheader', { name: 'Prix' }).getByRole('button').click()
  await expect.poll(first).toBe('300 FC')
  await page.goBack()
  await expect.poll(first).toBe('100 FC')

  await page.getByRole('link', { name: 'Marques' }).first().click()
  await page.getByRole('link', { name: 'Azur', exact: true }).waitFor()
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.getByRole('link', { name: 'Gestion des Prix' }).first().click()
  await page.waitForURL('**/prices?sort=-priceValue')
  await page.getByRole('button', { name: 'Tout', exact: true }).click()
  await expect.poll(first).toBe('300 FC')
  // It was not requested in another order first.
  expect(
    asked.filter((address) => address.includes('/api/prices?')).every((address) => address.includes('sort=')),
  ).toBe(true)
  await page.goBack()
  await page.goBack()
  await page.getByRole('link', { name: 'Azur', exact: true }).waitFor()

  await page.goto(`${url}/prices?sort=priceValue&period=all`)
  await expect.poll(first).toBe('100 FC')
})

test('every list can be sorted, on a phone too', async () => {
  const page = await open('/brands', { as: 'manager', viewport: phone })
  const names = () => page.getByRole('list', { name: 'Marques' }).getByRole('heading').allTextContents()
  await page.getByRole('button', { name: 'Filtres' }).click()
  await page.getByLabel('Tri').selectOption({ label: 'Nom, décroissant' })
  await page.getByRole('button', { name: 'Voir les résultats' }).click()
  await expect.poll(names).toEqual(['Cinzano', 'Bralima', 'Azur'])
  await page.reload()
  await expect.poll(names).toEqual(['Cinzano', 'Bralima', 'Azur'])

  for (const [path, label] of [
    ['/categories', 'Tri'],
    ['/products?tab=types', 'Tri'],
    ['/markets', 'Tri'],
  ] as const) {
    await goInside(page, path)
    await page.getByRole('button', { name: 'Filtres' }).click()
    await expect.poll(() => page.getByLabel(label).getByRole('option').count()).toBeGreaterThan(4)
    await page.keyboard.press('Escape')
  }
  for (const [path, list] of [
    ['/prices?period=all', 'Prix'],
    ['/products', 'Produits'],
  ] as const) {
    await goInside(page, path)
    await page.getByRole('list', { name: list, exact: true }).getByText('Farine de manioc').first().waitFor()
    const order = page.getByRole('combobox', { name: `Trier : ${list}` })
    const values = await order
      .getByRole('option')
      .evaluateAll((options) => options.map((option) => (option as HTMLOptionElement).value))
    for (const value of values.filter(Boolean)) {
      await order.selectOption(value)
      await page.waitForURL(`**sort=*${value}`)
      await page
        .getByRole('list', { name: list, exact: true })
        .getByText('Farine de manioc')
        .first()
        .waitFor()
    }
  }
})

test('a box keeps what is typed while a pause applies it', async () => {
  const page = await open('/prices?period=all', { as: 'manager' })
  const search = page.getByRole('searchbox')
  await search.pressSequentially('farine ')
  await page.waitForURL('**search=farine')
  await search.pressSequentially('de')
  await expect.poll(() => search.inputValue()).toBe('farine de')
  await page.waitForURL(/search=farine(\+|%20)de$/)
  // The value that the back button restores replaces the draft.
  await page.goBack()
  await expect.poll(() => search.inputValue()).toBe('')

  await page.getByRole('button', { name: 'Plus de filtres' }).click()
  const most = page.getByRole('textbox', { name: 'Prix maximum' })
  await most.pressSequentially('2,')
  await page.waitForURL('**maxPrice=2')
  await most.pressSequentially('50')
  await page.waitForURL('**maxPrice=2.5')
  await expect.poll(() => most.inputValue()).toBe('2,50')
  await most.blur()
  await expect.poll(() => most.inputValue()).toBe('2,5')

  const from = page.getByLabel('Depuis le', { exact: true })
  await from.focus()
  await page.keyboard.type('01152026')
  await page.waitForURL('**startDate=2026-01-15*')
})
