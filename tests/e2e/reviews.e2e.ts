import { beforeEach, expect, test } from 'vitest'
import { type Account, desktop, password, story } from '../support/browser.ts'
import { faultsOf } from '../support/browser-checks.ts'
import { insertMarket, insertPrice, insertProduct } from '../support/catalogue.ts'
import { daysAgo } from '../support/market-days.ts'
import { setRate } from '../support/rates.ts'
import { client } from '../support/server.ts'

const { db, url, open, newAccount } = await story()
const agent = await newAccount('agent', { name: 'Amina Kabeya' })

async function signedIn({ id, email }: Account) {
  const { body } = await client(url, null, null).post('/api/auth/login', { email, password })
  return client(url, Object(body).token, id)
}

const market_id = await insertMarket(db, { name: 'Gambela' })
const writer = await signedIn(agent)

/** Writes a price of a new product that its earlier prices make doubtful. @returns its id */
async function doubtful(
  name: string,
  price: { priceValue: number; currency?: string } = { priceValue: 10_000 },
) {
  const product_id = await insertProduct(db, { name })
  for (const age of [20, 27, 34, 41, 48]) {
    await insertPrice(db, { product_id, market_id, price_value: 1000, day: daysAgo(age) })
  }
  const priced = { ...price, productId: product_id, marketId: market_id, collectorName: 'Amina' }
  return Number(Object((await writer.post('/api/prices', priced)).body).id)
}

beforeEach(async () => {
  await db.deleteFrom('price_review').execute()
})

test('doubtful prices are reviewed and decided by the keyboard alone', async () => {
  const ids: number[] = []
  for (const name of ['Farine', 'Haricots', 'Huile', 'Sucre']) ids.push(await doubtful(name))
  const collector = await newAccount('collector')
  const page = await open('/prices/review', { as: collector, viewport: desktop })
  const queue = page.getByRole('navigation', { name: 'Prix à vérifier' })
  const shown = () => queue.locator('[aria-current]').innerText()
  const names = async () =>
    (await queue.locator('button').allInnerTexts()).map((text) => /\w+/.exec(text)?.[0])
  await expect.poll(async () => (await names()).length).toBe(4)
  const [first, second, third, fourth] = await names()
  const isAt = (name: string | undefined) => expect.poll(shown).toContain(name)
  await isAt(first)
  await page.keyboard.press('j')
  await isAt(second)
  await page.keyboard.press('j')
  await isAt(third)
  await page.keyboard.press('k')
  await isAt(second)

  await page.keyboard.press('a')
  await expect.poll(names).toEqual([first, third, fourth])
  await isAt(third)
  // The likely price, with one zero less, is offered.
  await page.getByRole('button', { name: 'Corriger en 1 000 FC' }).waitFor()
  await page.keyboard.press('c')
  await expect.poll(names).toEqual([first, fourth])
  await isAt(fourth)
  await page.keyboard.press('2')
  await expect.poll(() => page.getByLabel('Motif').inputValue()).toMatch('Autre unité')
  await page.keyboard.press('r')
  await queue.getByText('Renvoyés à leur agent').waitFor()

  await page.keyboard.press('k')
  await isAt(first)
  await page.keyboard.press('x')
  const question = page.getByRole('alertdialog', { name: 'Écarter ce prix' })
  await question.waitFor()
  // An open question blocks the other keys.
  await page.keyboard.press('a')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect.poll(names).toEqual([fourth])

  // A price that its agent changes meanwhile is not decided on unseen, and one decided by another stays in its place.
  const reader = await signedIn(collector)
  const milk = await doubtful('Lait')
  await doubtful('Savon')
  await page.reload()
  await isAt('Lait')
  await writer.put(`/api/prices/${milk}`, { priceValue: 20_000 })
  await page.keyboard.press('a')
  await expect.poll(shown).toMatch(/Lait.*20\s000/s)
  expect((await reader.post(`/api/reviews/${milk}`, { decision: 'accept' })).status).toBe(200)
  await page.keyboard.press('a')
  await page.getByText('Ce prix a quitté la liste').waitFor()
  await page.keyboard.press('j')
  await isAt('Savon')

  const { body } = await reader.get('/api/reviews/log?limit=50')
  const decided = (Object(body).data as { priceId: number; state: string }[]).filter(({ priceId }) =>
    ids.includes(priceId),
  )
  expect(decided.map(({ state }) => state).sort()).toEqual(['accepted', 'corrected', 'rejected'])
})

test('a price typed in the wrong currency is corrected in the other', async () => {
  await setRate(db, { day: daysAgo(60), cdfPerUsd: 2500 })
  const id = await doubtful('Braise', { priceValue: 1000, currency: 'USD' })
  const page = await open('/prices/review', { as: 'collector', viewport: desktop })
  await page.getByRole('button', { name: /^Braise/ }).click()
  await page.getByText(/^1\s000,00\s\$US, /).waitFor()
  await page.getByLabel('Le bon prix').fill('1000')
  await page.getByRole('button', { name: 'Corriger', exact: true }).waitFor()
  const money = page.getByRole('group', { name: 'Devise du bon prix' })
  await money.getByRole('button', { name: 'FC' }).click()
  expect(await faultsOf(page)).toEqual([])
  await page.getByRole('button', { name: 'Corriger en 1 000 FC' }).click()
  const stored = () =>
    db.selectFrom('price').select(['price_value', 'currency']).where('id', '=', id).executeTakeFirst()
  await expect.poll(stored).toMatchObject({ price_value: 1000, currency: 'CDF' })
})

test('an answer that comes late does not move the reviewer from the price opened meanwhile', async () => {
  for (const name of ['Ail', 'Bois', 'Café']) await doubtful(name)
  const page = await open('/prices/review', { as: 'collector', viewport: desktop })
  const queue = page.getByRole('navigation', { name: 'Prix à vérifier' })
  const shown = () => queue.locator('[aria-current]').innerText()
  await queue.getByRole('button', { name: /^Ail/ }).click()
  await expect.poll(shown).toContain('Ail')
  const answered = Promise.withResolvers<void>()
  await page.route('**/api/reviews/*', async (route) => {
    if (route.request().method() === 'POST') await answered.promise
    await route.fallback()
  })
  const asked = page.waitForRequest((request) => request.method() === 'POST')
  await page.keyboard.press('a')
  await asked
  await queue.getByRole('button', { name: /^Café/ }).click()
  await expect.poll(shown).toContain('Café')
  answered.resolve()
  await expect.poll(() => queue.getByRole('button', { name: /^Ail/ }).count()).toBe(0)
  await expect.poll(shown).toContain('Café')
})
