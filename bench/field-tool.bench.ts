import type { Locator, Page } from 'playwright-core'
import { insertMarket, insertPrice, insertProduct } from '../tests/support/catalogue.ts'
import { slowDown } from '../tests/support/slow-network.ts'
import type { Measure } from './measure.ts'
import { withPostgres } from './support/private-postgres.ts'
import { signedIn, withScreens } from './support/screens.ts'

export const title =
  'Fifty prices of a market entered one after the other by an agent, on 2G (800 ms, 250 kbit/s) at 360 px'

const entered = 50
/**
 * Times (s) of a user's hand by the keystroke-level model (Card, Moran and Newell, 1980): deciding on the next price,
 * reaching for a control and touching it, pressing a key.
 */
const hand = { mind: 1.35, tap: 1.1, key: 0.28 }

export async function measure(): Promise<Measure[]> {
  return withPostgres(async (postgres) => {
    const market_id = await insertMarket(postgres.db, { name: 'Gambela' })
    for (let n = 1; n <= entered; n++) {
      const product_id = await insertProduct(postgres.db, { name: `Produit ${String(n).padStart(2, '0')}` })
      await insertPrice(postgres.db, { product_id, market_id, price_value: 1000 + n, day: '2026-01-05' })
    }
    return withScreens(postgres, 'agent', async (browser, url) => {
      const context = await signedIn(browser, url, { viewport: { width: 360, height: 740 } })
      return enter(await context.newPage(), url)
    })
  })
}

async function enter(page: Page, url: string): Promise<Measure[]> {
  await slowDown(page)
  await page.goto(`${url}/prices/add`)
  const form = page.getByRole('dialog', { name: 'Ajouter un prix' })
  const product = form.getByRole('combobox', { name: 'Produit' })
  let [taps, keys, most] = [0, 0, 0]
  const tap = async (place: Locator) => {
    taps += 1
    await place.click()
  }
  await form.waitFor({ timeout: 120_000 })
  await tap(form.getByRole('combobox', { name: 'Marché' }))
  await tap(page.getByRole('option', { name: 'Gambela' }))
  await tap(product)
  const startedAt = performance.now()
  for (let n = 0; n < entered; n++) {
    const before = taps
    await tap(page.getByRole('listbox', { name: 'Produit' }).getByRole('option').first())
    const digits = String(1100 + n * 10)
    keys += digits.length
    await page.keyboard.type(digits)
    const written = page.waitForResponse(
      (answer) => answer.request().method() === 'POST' && answer.status() === 201,
    )
    await tap(form.getByRole('button', { name: 'Ajouter et continuer' }))
    await written
    await page.locator('dialog input[role=combobox]:focus').waitFor()
    most = Math.max(most, taps - before)
  }
  const waited = (performance.now() - startedAt) / 1000
  const byHand = entered * hand.mind + taps * hand.tap + keys * hand.key
  return [
    { what: 'taps for a price, the number typed aside, most', value: most, unit: 'taps', atMost: 4 },
    { what: `${entered} prices, what the network and the page take`, value: waited, unit: 's' },
    {
      what: `${entered} prices, with the time of a hand`,
      value: (waited + byHand) / 60,
      unit: 'min',
      atMost: 10,
    },
  ]
}
