import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { desktop, notified, phone, story } from '../support/browser.ts'
import { insertMarket, insertPrice, insertProduct } from '../support/catalogue.ts'
import { daysAgo } from '../support/market-days.ts'

const { db, url, open, newAccount } = await story()
const collector = await newAccount('collector', { name: 'Jean Kasongo' })
const manioc = await insertProduct(db, { name: 'Farine de manioc', code: 'MAN-1' })
const riz = await insertProduct(db, { name: 'Riz local', code: 'RIZ-1' })
const gambela = await insertMarket(db, { name: 'Gambela' })
const zando = await insertMarket(db, { name: 'Zando' })

// Two series over nine days, so that the figures do not depend on the day of the test.
const days = '?startDate=2026-03-01&endDate=2026-03-09'
for (const [day, price] of [
  // The days before, with which a change over the nine days compares. Equal quotes would give no margin of error, and
  // so no trend.
  ['2026-02-24', 990],
  ['2026-02-26', 1010],
  ['2026-03-01', 1000],
  ['2026-03-05', 1100],
  ['2026-03-09', 1100],
] as const) {
  await insertPrice(db, { product_id: manioc, market_id: gambela, price_value: price, day })
}
await insertPrice(db, { product_id: riz, market_id: zando, price_value: 2500, day: '2026-03-03' })

test('figures, inflation and list cover the days and the product in the address', async () => {
  const page = await open(`/prices${days}&productId=${manioc}`, { as: collector })
  await page.getByText('Produit : Farine de manioc').waitFor()
  const figures = page.getByRole('region', { name: 'Chiffres des prix' })
  await expect
    .poll(() => spaced(figures))
    .toContain('Prix moyen 1 067 FC du 1 mars 2026 au 9 mars 2026 Tendance à la hausse')
  await expect.poll(() => spaced(figures)).toContain('Prix minimum 1 000 FC')
  await expect.poll(() => spaced(figures)).toContain('Prix maximum 1 100 FC')
  await page.getByText('+10,0').first().waitFor()
  await page.getByRole('table', { name: 'Prix' }).getByText('Gambela').first().waitFor()
  await expect.poll(() => page.getByRole('table', { name: 'Prix' }).getByText('Zando').count()).toBe(0)
})

test('every part of the page follows the period and the search, and names them', async () => {
  const maize = await insertProduct(db, { name: 'Maïs grain' })
  await insertPrice(db, { product_id: maize, market_id: gambela, price_value: 700, day: daysAgo(2) })
  await insertPrice(db, { product_id: maize, market_id: gambela, price_value: 900, day: daysAgo(60) })
  await insertPrice(db, { product_id: maize, market_id: zando, price_value: 5000, day: daysAgo(2) })
  const page = await open('/prices?search=gambela+mais', { as: collector })
  const figures = page.getByRole('region', { name: 'Chiffres des prix' })
  await expect.poll(() => spaced(figures)).toContain('Prix relevés 1 30 derniers jours')
  const curve = page.getByRole('figure', { name: /^Évolution/ })
  await curve.getByText('Prix filtrés, 30 derniers jours').waitFor()
  await row(page, '700 FC').waitFor()
  await expect.poll(() => page.getByRole('cell', { name: '900 FC' }).count()).toBe(0)
  await page.getByRole('button', { name: '90j' }).click()
  await expect.poll(() => spaced(figures)).toContain('Prix relevés 2 90 derniers jours')
  await expect.poll(() => spaced(figures)).toContain('Prix maximum 900 FC 90 derniers jours')
  await row(page, '900 FC').waitFor()
  await expect.poll(() => page.getByRole('cell', { name: '5 000 FC' }).count()).toBe(0)
})

test('one product with a single day of prices is too little to estimate inflation', async () => {
  const page = await open(`/prices${days}&productId=${riz}`, { as: collector })
  await page.getByText('Insuffisant', { exact: true }).waitFor()
})

test('filters are chosen by typing, stored in the address, and removed one by one', async () => {
  const page = await open(`/prices${days}`, { as: collector })
  await choose(page.getByRole('main'), 'Marché', 'zan', 'Zando')
  await page.waitForURL(`**marketId=${zando}**`)
  await page.getByRole('button', { name: 'Plus de filtres' }).click()
  const bound = (name: string) => page.getByRole('search').getByLabel(name)
  await bound('Prix minimum').pressSequentially('3000,5')
  await page.waitForURL('**minPrice=3000.5')
  await bound('Prix maximum').fill('200')
  await notified(page, 'Le maximum est plus petit que le minimum')
  await bound('Prix maximum').fill('9000')
  await page.getByText('Aucun prix trouvé').waitFor()
  await page.reload()
  await page.getByRole('button', { name: 'Retirer le filtre Prix minimum : 3 000,5' }).click()
  await page.getByRole('cell', { name: '2 500 FC' }).waitFor()
  await page.goBack()
  await page.getByText('Aucun prix trouvé').waitFor()
})

test('products and markets with the same name are distinguished once chosen, and in the form of a price', async () => {
  const twin = await insertProduct(db, { name: 'Huile de palme', code: 'HUI-20' })
  await db.updateTable('product').set({ weight: '20 l', format: 'Bidon' }).where('id', '=', twin).execute()
  const market = await insertMarket(db, { name: 'Marché central', location: 'Boma' })
  await insertPrice(db, { product_id: twin, market_id: market, price_value: 91_000, day: '2026-02-02' })
  const page = await open('/prices?period=all', { as: collector })
  const box = (place: Page | Locator, label: string) =>
    place.getByRole('combobox', { name: label }).inputValue()
  await choose(page.getByRole('main'), 'Produit', 'huile', 'Huile de palme')
  await choose(page.getByRole('main'), 'Marché', 'central', 'Marché central')
  await page.waitForURL(`**marketId=${market}**`)
  await expect.poll(() => box(page, 'Produit')).toBe('Huile de palme · 20 l · Bidon')
  await expect.poll(() => box(page, 'Marché')).toBe('Marché central, Boma')
  await row(page, '91 000 FC')
    .getByRole('button', { name: /^Modifier/ })
    .click()
  const form = page.getByRole('dialog', { name: 'Modifier le prix' })
  await expect.poll(() => box(form, 'Produit')).toBe('Huile de palme · 20 l · Bidon')
  await expect.poll(() => box(form, 'Marché')).toBe('Marché central, Boma')
})

test('a price is added at its own address, corrected and deleted', async () => {
  const page = await open('/prices/add', { as: collector })
  const form = page.getByRole('dialog', { name: 'Ajouter un prix' })
  await choose(form, 'Produit', 'farine', 'Farine de manioc')
  await choose(form, 'Marché', 'gam', 'Gambela')
  await form.getByLabel('Prix').fill('0')
  await page.keyboard.press('Enter')
  await notified(page, 'Veuillez remplir tous les champs obligatoires')
  await form.getByLabel('Prix').fill('')
  // Typed, not filled in: in an English browser, a number field would drop the comma.
  await form.getByLabel('Prix').pressSequentially('1 234,5')
  await expect
    .poll(() => form.getByRole('combobox', { name: 'Collecteur' }).inputValue())
    .toBe('Jean Kasongo')
  await expect
    .poll(() => form.getByLabel('Devise').getByRole('option').allTextContents())
    .toEqual(['Franc (CDF)', 'Dollar (USD)'])
  await page.keyboard.press('Enter')
  await notified(page, 'Prix créé avec succès')
  await page.waitForURL(`${url}/prices`)

  await row(page, '1 234,50 FC')
    .getByRole('button', { name: /^Modifier/ })
    .click()
  const edit = page.getByRole('dialog', { name: 'Modifier le prix' })
  await expect.poll(() => edit.getByLabel('Prix').inputValue()).toMatch(/^1\s234,5$/)
  await edit.getByLabel('Devise').selectOption('USD')
  await edit.getByLabel('Prix').fill('2')
  await page.keyboard.press('Enter')
  await notified(page, 'Prix mis à jour avec succès')

  await row(page, '2,00 $US')
    .getByRole('button', { name: /^Supprimer/ })
    .click()
  const question = page.getByRole('alertdialog', { name: 'Supprimer ce prix ?' })
  await question.getByText('Cette action est irréversible.').waitFor()
  await question.getByRole('button', { name: 'Supprimer' }).click()
  await notified(page, 'Prix supprimé avec succès')
  await row(page, '2,00 $US').waitFor({ state: 'hidden' })
})

test('period, order and page are in the address, and survive a reload and the back button', async () => {
  const product_id = await insertProduct(db, { name: 'Huile de palme' })
  for (let price = 101; price <= 112; price++) {
    await insertPrice(db, { product_id, market_id: zando, price_value: price, day: '2026-02-01' })
  }
  const page = await open(`/prices?productId=${product_id}`, { as: collector })
  await page.getByRole('button', { name: 'Tout', exact: true }).click()
  await page.waitForURL('**&period=all')
  await page.getByRole('columnheader', { name: 'Prix' }).getByRole('button').click()
  await row(page, '101 FC').waitFor()
  await page.getByRole('button', { name: 'Suivant' }).click()
  await row(page, '111 FC').waitFor()
  const address = page.url()
  expect(new URL(address).search).toBe(`?productId=${product_id}&period=all&sort=priceValue&page=2`)
  await page.reload()
  await row(page, '111 FC').waitFor()
  await expect
    .poll(() => page.getByRole('button', { name: 'Tout', exact: true, pressed: true }).count())
    .toBe(1)
  await page.goBack()
  await row(page, '101 FC').waitFor()
  await page.goForward()
  await row(page, '112 FC').waitFor()
  expect(page.url()).toBe(address)
})

test('a price is added although the check for unusual prices does not answer', async () => {
  const page = await open('/prices/add', { as: collector })
  const form = page.getByRole('dialog', { name: 'Ajouter un prix' })
  await choose(form, 'Produit', 'farine', 'Farine de manioc')
  await choose(form, 'Marché', 'gam', 'Gambela')
  await page.route('**/api/prices/check?**', () => {})
  await form.getByLabel('Prix').fill('1050')
  await page.keyboard.press('Enter')
  await notified(page, 'Prix créé avec succès')
})

test('a page past the end is replaced by the last one', async () => {
  const page = await open(`/prices?productId=${manioc}&period=all&limit=2&page=99`, { as: collector })
  await row(page, '24 févr. 2026').waitFor()
  expect(new URL(page.url()).search).toBe(`?productId=${manioc}&period=all&limit=2&page=3`)
})

test('a filter on a deleted row says so, and can be removed', async () => {
  const page = await open('/prices?productId=99999&marketId=99998', { as: collector })
  await page.getByRole('button', { name: 'Retirer le filtre Marché : Marché inconnu' }).click()
  await page.getByRole('button', { name: 'Retirer le filtre Produit : Produit inconnu' }).click()
  await page.waitForURL('**/prices')
})

test('where the columns do not fit, the least important are hidden, and the actions stay visible', async () => {
  const page = await open(`/prices${days}`, { as: collector, viewport: { width: 768, height: 900 } })
  await row(page, '2 500 FC').waitFor()
  const edge = await page
    .getByRole('table', { name: 'Prix' })
    .getByRole('cell')
    .evaluateAll((cells) => cells.at(-1)?.getBoundingClientRect().right ?? 0)
  expect(edge).toBeLessThan(768)
  await page.getByRole('columnheader', { name: 'Prix' }).waitFor()
})

test('when two users correct the same price, the second is warned, sees the other change and loses no input', async () => {
  const id = await insertPrice(db, { product_id: riz, market_id: gambela, price_value: 4321 })
  const page = await open(`/prices?productId=${riz}&marketId=${gambela}&period=all`, { as: collector })
  await row(page, '4 321 FC')
    .getByRole('button', { name: /^Modifier/ })
    .click()
  await db.updateTable('price').set({ source: 'Enquête' }).where('id', '=', id).execute()
  const form = page.getByRole('dialog', { name: 'Modifier le prix' })
  await page.setViewportSize(phone)
  await form.getByLabel('Prix').fill('4400')
  await page.keyboard.press('Enter')
  await form.getByRole('alert').getByText('Quelqu’un d’autre a modifié').waitFor()
  // The button is below fields that fill the window, and must still be visible.
  const reload = form.getByRole('button', { name: 'Recharger' })
  await expect.poll(() => reload.evaluate(isOnTop)).toBe(true)
  await reload.click()
  await page.setViewportSize(desktop)
  await expect.poll(() => form.getByLabel('Source').inputValue()).toBe('Enquête')
  await form.getByRole('button', { name: 'Enregistrer' }).click()
  await row(page, '4 400 FC').waitFor()
  const saved = await db.selectFrom('price').select(['price_value', 'source']).where('id', '=', id).execute()
  expect(saved).toEqual([{ price_value: 4400, source: 'Enquête' }])
})

test('a subscriber without access is asked once to choose a plan, for the figures and the list together', async () => {
  const page = await open('/prices', { as: await newAccount('user', { ageDays: 40 }) })
  const refusal = page.getByText('Choisissez un plan pour consulter ces données.')
  await expect.poll(() => refusal.count()).toBe(1)
})

test('an agent may correct only their own prices', async () => {
  const agent = await newAccount('agent', { name: 'Paul Ngoy' })
  await db
    .insertInto('price')
    .values({
      product_id: riz,
      market_id: gambela,
      price_value: 777,
      collector_name: 'Paul Ngoy',
      collected_at: new Date().toISOString(),
      observed_on: daysAgo(0),
      written_by: agent.id,
    })
    .execute()
  const page = await open('/prices', { as: agent })
  await row(page, '777 FC')
    .getByRole('button', { name: /^Modifier/ })
    .waitFor()
  await expect.poll(() => page.getByRole('button', { name: /^Modifier le prix/ }).count()).toBe(1)
  await expect.poll(() => page.getByRole('button', { name: /^Supprimer le prix/ }).count()).toBe(0)
})

test('a user who may only read finds no way to add, even at its address', async () => {
  const page = await open('/prices/add', { as: 'manager' })
  await page.getByRole('table', { name: 'Prix' }).waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Ajouter un prix' }).count()).toBe(0)
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
})

test('on a phone the list consists of cards, and the button to add stays right above the bar', async () => {
  const page = await open(`/prices${days}`, { as: collector, viewport: phone })
  const list = page.getByRole('list', { name: 'Prix' })
  await list.getByText('Farine de manioc').first().waitFor()
  const button = await page.getByRole('button', { name: 'Ajouter un prix' }).boundingBox()
  const bar = await page.getByRole('navigation', { name: 'Navigation', exact: true }).boundingBox()
  const gap = (bar?.y ?? 0) - ((button?.y ?? 0) + (button?.height ?? 0))
  expect(gap).toBeGreaterThanOrEqual(0)
  expect(gap).toBeLessThan(24)
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(phone.width)
})

function row(page: Page, text: string): Locator {
  return page.getByRole('row').filter({ has: page.getByText(text, { exact: true }) })
}

/** Whether a tap on the middle of an element reaches it. */
function isOnTop(element: Element): boolean {
  const { left, top, width, height } = element.getBoundingClientRect()
  return element.contains(document.elementFromPoint(left + width / 2, top + height / 2))
}

async function choose(within: Locator, label: string, typed: string, option: string): Promise<void> {
  await within.getByRole('combobox', { name: label }).fill(typed)
  await within.page().getByRole('option', { name: option }).first().click()
}

/** Returns the visible text, with each run of blanks as one plain space. */
async function spaced(place: Locator): Promise<string> {
  return (await place.innerText()).replaceAll(/\s+/g, ' ')
}
