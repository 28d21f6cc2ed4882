import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { dayIn } from '#shared/days.ts'
import { phone, story } from '../support/browser.ts'
import { insertMarket, insertPrice, insertProduct } from '../support/catalogue.ts'

const { db, open, newAccount } = await story()
const today = dayIn('Africa/Kinshasa', new Date())
const product_id = await insertProduct(db, { name: 'Haricots', weight: '1 kg' })
const market_id = await insertMarket(db, { name: 'Virunga', location: 'Goma' })
await insertPrice(db, { product_id, market_id, day: today, price_value: 3600 })
const sentence = 'Haricots, 1 kg à Virunga, Goma : 3 600 FC'

async function ring(userId: number): Promise<void> {
  await sql`
    insert into alert_event (user_id, product_id, market_id, sentence, price, day, quotes)
    values (${userId}, ${product_id}, ${market_id}, ${sentence}, 3600, ${today}, 2)`.execute(db)
}

test('the bell counts unread notifications; one read in one tab is read in the other', async () => {
  const reader = await newAccount('user', { ageDays: 1 })
  await ring(reader.id)
  await ring(reader.id)
  const page = await open('/dashboard', { as: reader, isNew: true })
  const other = await page.context().newPage()
  await other.goto(page.url())
  await other.getByRole('button', { name: 'Notifications, 2 non lues' }).waitFor()
  await page.getByRole('button', { name: 'Notifications, 2 non lues' }).click()
  const list = page.getByRole('dialog', { name: 'Notifications' })
  await list.getByRole('button', { name: 'Tout marquer comme lu' }).click()
  await page.getByRole('button', { name: 'Notifications', exact: true }).waitFor()
  await expect.poll(() => list.getByText('non lue').count()).toBe(0)
  // Simulates a return to the tab.
  await other.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
  await other.getByRole('button', { name: 'Notifications', exact: true }).waitFor()
})

test('on a phone, opening a notification marks it as read and leads to its price', async () => {
  const reader = await newAccount('user', { ageDays: 1 })
  await ring(reader.id)
  const page = await open('/dashboard', { as: reader, viewport: phone })
  await page.getByRole('button', { name: 'Notifications, 1 non lue' }).click()
  await page.getByRole('dialog', { name: 'Notifications' }).getByRole('link', { name: sentence }).click()
  await page.waitForURL(`**/series/${product_id}/${market_id}`)
  await page.getByRole('button', { name: 'Notifications', exact: true }).waitFor()
})

test('« Tout marquer comme lu » on the page of alerts also empties the bell', async () => {
  const reader = await newAccount('user', { ageDays: 1 })
  await ring(reader.id)
  const page = await open('/alertes', { as: reader })
  await page.getByRole('button', { name: 'Notifications, 1 non lue' }).waitFor()
  // The bell asks nothing until its next interval.
  await page.route('**/api/alerts/unread', (route) => route.abort())
  await page.getByRole('main').getByRole('button', { name: 'Tout marquer comme lu' }).click()
  await page.getByRole('button', { name: 'Notifications', exact: true }).waitFor()
})
