import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { cutNetwork, notified, phone, story } from '../support/browser.ts'
import { insertMarket, insertPrice, insertProduct } from '../support/catalogue.ts'
import { client, openSession } from '../support/server.ts'

const { db, url, open, newAccount, endSessions } = await story()
const manioc = await insertProduct(db, { name: 'Farine de manioc' })
const riz = await insertProduct(db, { name: 'Riz local' })
const gambela = await insertMarket(db, { name: 'Gambela' })
await insertPrice(db, { product_id: manioc, market_id: gambela, price_value: 1000 })
const someoneElse = await newAccount('collector')
const theirs = client(url, await openSession(db, someoneElse.id), someoneElse.id)

async function addPrice(priceValue: number, productId = manioc): Promise<void> {
  const { status } = await theirs.post('/api/prices', {
    productId,
    marketId: gambela,
    priceValue,
    collectorName: 'Amina',
  })
  expect(status).toBe(201)
}

async function openLive(as: Parameters<typeof open>[1] = { as: 'manager' }, path = '/prices'): Promise<Page> {
  const page = await open(path, as)
  await page.getByText('En direct', { exact: true }).waitFor()
  return page
}

test('a price written by another user appears without a reload, is announced, and the figures follow', async () => {
  const writer = await open('/prices/add', { as: 'collector' })
  const reader = await openLive()
  const figures = reader.getByRole('region', { name: 'Chiffres des prix' })
  const form = writer.getByRole('dialog', { name: 'Ajouter un prix' })
  for (const [label, typed, option] of [
    ['Produit', 'farine', 'Farine de manioc'],
    ['Marché', 'gam', 'Gambela'],
  ] as const) {
    await form.getByRole('combobox', { name: label }).fill(typed)
    await writer.getByRole('option', { name: option }).first().click()
  }
  await form.getByLabel('Prix').fill('1234')
  await writer.keyboard.press('Enter')
  await notified(writer, 'Prix créé avec succès')

  await reader.getByRole('cell', { name: '1 234 FC' }).waitFor()
  await reader.getByRole('status').getByText('1 nouveau relevé').waitFor()
  await figures.getByText('1 234 FC').first().waitFor()
  // The writer is not notified of their own price.
  await expect.poll(() => writer.getByText('nouveau relevé').count()).toBe(0)
  await reader.getByText('1 nouveau relevé').waitFor({ state: 'hidden' })
})

test('a user’s own price is requested once, and is not announced', async () => {
  const page = await openLive({ as: 'collector' }, `/prices?productId=${riz}`)
  // Waits for notifications of earlier writes.
  await addPrice(1001, riz)
  await page.getByRole('cell', { name: '1 001 FC' }).waitFor()
  const asked: string[] = []
  page.on('request', (request) => asked.push(`${request.method()} ${new URL(request.url()).pathname}`))
  await page.getByRole('button', { name: 'Ajouter un prix' }).first().click()
  const form = page.getByRole('dialog', { name: 'Ajouter un prix' })
  await form.getByRole('combobox', { name: 'Marché' }).fill('gam')
  await page.getByRole('option', { name: 'Gambela' }).first().click()
  await form.getByLabel('Prix').fill('1002')
  await page.keyboard.press('Enter')
  await page.getByRole('cell', { name: '1 002 FC' }).waitFor()
  await addPrice(1003, riz)
  await page.getByRole('cell', { name: '1 003 FC' }).waitFor()
  await page.getByText('1 nouveau relevé').waitFor()
  expect(asked.filter((call) => call === 'POST /api/prices')).toHaveLength(1)
  expect(asked.filter((call) => call === 'GET /api/prices')).toHaveLength(2)
})

test('on a phone a new price appears too, without moving the page sideways', async () => {
  const page = await openLive({ as: 'manager', viewport: phone })
  await addPrice(2345)
  await page.getByRole('list', { name: 'Prix' }).getByText('2 345 FC').waitFor()
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(phone.width)
})

test('a new price sends no request on a screen about another product', async () => {
  const page = await openLive({ as: 'manager' }, `/prices?productId=${riz}`)
  // Waits for notifications of earlier writes.
  await addPrice(4321, riz)
  await page.getByRole('cell', { name: '4 321 FC' }).waitFor()
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await addPrice(3456)
  await addPrice(4567, riz)
  await page.getByRole('cell', { name: '4 567 FC' }).waitFor()
  expect(asked.filter((path) => path === '/api/prices')).toHaveLength(1)
})

test('after a loss of the network, the page says so, then shows the prices that it missed', async () => {
  const page = await openLive()
  await cutNetwork(page)
  await page.getByText(/^Hors ligne, dernière mise à jour à \d\d:\d\d$/).waitFor()
  await addPrice(5678)
  await expect.poll(() => page.getByRole('cell', { name: '5 678 FC' }).count()).toBe(0)
  await page.context().setOffline(false)
  await page.getByText('En direct', { exact: true }).waitFor()
  await page.getByRole('cell', { name: '5 678 FC' }).waitFor()
})

test('prices that arrive while a dialog is open appear after it is closed', async () => {
  const page = await openLive({ as: 'collector' })
  await page.getByRole('button', { name: 'Ajouter un prix' }).first().click()
  const form = page.getByRole('dialog', { name: 'Ajouter un prix' })
  await form.getByLabel('Prix').waitFor()
  const heard = page.waitForRequest('**/api/prices?*')
  await addPrice(6789)
  await page.keyboard.press('Escape')
  await form.waitFor({ state: 'hidden' })
  await heard
  await page.getByRole('cell', { name: '6 789 FC' }).waitFor()
})

test('a hidden page has no connection, and catches up when it is visible again', async () => {
  const page = await openLive()
  const ended = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/api/prices/live'))
  await show(page, false)
  await ended
  await addPrice(7890)
  await show(page, true)
  await page.getByRole('cell', { name: '7 890 FC' }).waitFor()
})

test('with data saving the list is not live, and says so', async () => {
  const page = await open('/', { as: 'manager', isNew: true })
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'connection', { value: { saveData: true } })
  })
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.goto(`${url}/prices`)
  await page.getByText('Économie de données').waitFor()
  await page.getByRole('cell', { name: 'Gambela' }).first().waitFor()
  expect(asked.filter((address) => address.endsWith('/live'))).toEqual([])
})

test('a session ended elsewhere leads to the sign-in page', async () => {
  const reader = await newAccount('manager')
  const page = await openLive({ as: reader })
  await endSessions(reader)
  await page.waitForURL('**/auth/login')
})

/** Simulates a switch to another tab, and back. */
async function show(page: Page, isVisible: boolean): Promise<void> {
  await page.evaluate(
    (state) => {
      Object.defineProperty(document, 'visibilityState', { value: state, configurable: true })
      document.dispatchEvent(new Event('visibilitychange'))
    },
    isVisible ? 'visible' : 'hidden',
  )
}
