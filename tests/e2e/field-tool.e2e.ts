import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { notified, phone, story } from '../support/browser.ts'
import { insertMarket, insertPrice, insertProduct } from '../support/catalogue.ts'
import { slowDown } from '../support/slow-network.ts'

const { db, open, newAccount } = await story()
const agent = await newAccount('agent', { name: 'Paul Ngoy' })
const gambela = await insertMarket(db, { name: 'Gambela' })
const names = ['Farine de manioc', 'Haricots', 'Huile de palme', 'Riz local', 'Sucre']
for (const name of names) {
  const product_id = await insertProduct(db, { name })
  await insertPrice(db, { product_id, market_id: gambela, price_value: 1000, day: '2026-01-05' })
}

const mostTaps = 4
/** The price, the requests of the form before it, and the list behind the form. */
const mostRequests = 10

test('on 2G, an agent enters prices one after the other with at most four taps and one number each', async () => {
  const page = await open('/prices/add', { as: agent, isNew: true, viewport: phone })
  const form = page.getByRole('dialog', { name: 'Ajouter un prix' })
  const product = form.getByRole('combobox', { name: 'Produit' })
  await expect.poll(() => form.getByRole('combobox', { name: 'Collecteur' }).inputValue()).toBe('Paul Ngoy')
  await form.getByRole('combobox', { name: 'Marché' }).click()
  await page.getByRole('option', { name: 'Gambela' }).click()
  await slowDown(page)
  await product.click()

  let requests = 0
  page.on('request', () => (requests += 1))
  for (const [n, name] of names.entries()) {
    let taps = 0
    const tap = async (place: ReturnType<Page['getByRole']>) => {
      taps += 1
      await place.click()
    }
    // The list is open, and contains the products without a price today.
    await tap(page.getByRole('option', { name }))
    await expect
      .poll(() => form.getByLabel('Prix').evaluate((input) => input === document.activeElement))
      .toBe(true)
    await page.keyboard.type(`${1500 + n}`)
    expect((await form.getByLabel('Prix').inputValue()).replace(/\s/, '_')).toBe(`1_50${n}`)
    await tap(form.getByRole('button', { name: 'Ajouter et continuer' }))
    await expect.poll(() => product.inputValue()).toBe('')
    await expect.poll(() => product.evaluate((input) => input === document.activeElement)).toBe(true)
    expect(taps).toBeLessThanOrEqual(mostTaps)
  }
  expect(requests / names.length).toBeLessThanOrEqual(mostRequests)
  await expect.poll(() => form.getByRole('combobox', { name: 'Marché' }).inputValue()).toContain('Gambela')
  await expect.poll(() => form.getByLabel('Prix').getAttribute('inputmode')).toBe('decimal')
  const written = await db
    .selectFrom('price')
    .select('price_value')
    .where('written_by', '=', agent.id)
    .orderBy('id')
    .execute()
  expect(written.map(({ price_value }) => price_value)).toEqual([1500, 1501, 1502, 1503, 1504])
})

test('the collector is chosen among users, the agent first; the next form has the same market, day and collector', async () => {
  const page = await open('/prices/add', { as: agent })
  const form = page.getByRole('dialog', { name: 'Ajouter un prix' })
  const collector = form.getByRole('combobox', { name: 'Collecteur' })
  await collector.fill('quelqu’un d’autre')
  await page.keyboard.press('Tab')
  await expect.poll(() => collector.inputValue()).toBe('Paul Ngoy')
  await collector.click()
  await page.getByRole('option', { name: 'Paul Ngoy' }).click()
  await form.getByRole('combobox', { name: 'Produit' }).fill('sucre')
  await page.getByRole('option', { name: 'Sucre' }).click()
  await form.getByRole('combobox', { name: 'Marché' }).fill('gamb')
  await page.getByRole('option', { name: 'Gambela' }).click()
  await form.getByLabel('Prix').fill('1050')
  await form.getByLabel('Date de collecte').fill('2026-01-06')
  await form.getByRole('button', { name: 'Ajouter', exact: true }).click()
  await notified(page, 'Prix créé avec succès')
  await page.getByRole('button', { name: 'Ajouter un prix' }).first().click()
  await expect.poll(() => form.getByRole('combobox', { name: 'Marché' }).inputValue()).toContain('Gambela')
  await expect.poll(() => form.getByLabel('Date de collecte').inputValue()).toBe('2026-01-06')
  await expect.poll(() => collector.inputValue()).toBe('Paul Ngoy')
  await expect.poll(() => form.getByLabel('Prix').inputValue()).toBe('')
})

test('thousands are grouped during typing, and the cursor stays after its digit', async () => {
  const page = await open('/prices/add', { as: agent })
  const price = page.getByRole('dialog', { name: 'Ajouter un prix' }).getByLabel('Prix')
  await price.pressSequentially('1234567,5')
  const shown = async () => (await price.inputValue()).replaceAll(/\s/g, '_')
  await expect.poll(shown).toBe('1_234_567,5')
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.type('9')
  await expect.poll(shown).toBe('19_234_567,5')
  await page.keyboard.type('8')
  await expect.poll(shown).toBe('198_234_567,5')
})

test('a price whose response was lost is stored once, however often it is sent again', async () => {
  const page = await open('/prices/add', { as: agent, viewport: phone })
  const form = page.getByRole('dialog', { name: 'Ajouter un prix' })
  await form.getByRole('combobox', { name: 'Marché' }).click()
  await page.getByRole('option', { name: 'Gambela' }).click()
  const product = form.getByRole('combobox', { name: 'Produit' })
  await product.fill('sucre')
  await page.getByRole('option', { name: 'Sucre' }).click()
  await form.getByLabel('Prix').fill('1507')
  let sent = 0
  await page.route('**/api/prices', async (route) => {
    if (route.request().method() !== 'POST' || ++sent > 2) return route.fallback()
    await route.fetch()
    await route.abort()
  })
  const add = form.getByRole('button', { name: 'Ajouter et continuer' })
  for (const attempt of [1, 2]) {
    await add.click()
    await expect.poll(() => sent).toBe(attempt)
    await form.getByText('Erreur réseau').waitFor()
  }
  await add.click()
  await expect.poll(() => product.inputValue()).toBe('')
  const { count } = await db
    .selectFrom('price')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('price_value', '=', 1507)
    .executeTakeFirstOrThrow()
  expect(Number(count)).toBe(1)
})

test('a price without its required fields is refused with a notification, and the dialog can be cancelled', async () => {
  const page = await open('/prices/add', { as: agent })
  const form = page.getByRole('dialog', { name: 'Ajouter un prix' })
  await form.getByRole('button', { name: 'Ajouter et continuer' }).click()
  await notified(page, 'Veuillez remplir tous les champs obligatoires')
  await form.getByRole('button', { name: 'Annuler' }).click()
  await form.waitFor({ state: 'hidden' })
})
