import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { dayInKinshasa } from '#shared/days.ts'
import { phone, story } from '../support/browser.ts'
import { insertMarket, insertPrice, insertProduct } from '../support/catalogue.ts'

const { db, open, newAccount } = await story()
const today = dayInKinshasa(new Date())
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

test('an alert opened on the page of alerts is read, and the bell counts one less', async () => {
  const reader = await newAccount('user', { ageDays: 1 })
  await ring(reader.id)
  await ring(reader.id)
  const page = await open('/alertes', { as: reader })
  await page.getByRole('button', { name: 'Notifications, 2 non lues' }).waitFor()
  // The bell asks nothing until its next interval.
  await page.route('**/api/alerts/unread', (route) => route.abort())
  await page.getByRole('main').getByRole('link', { name: sentence }).first().click()
  await page.waitForURL(`**/series/${product_id}/${market_id}`)
  await page.getByRole('button', { name: 'Notifications, 1 non lue' }).waitFor()
})

test('other thresholds are proposed in the unit of the chosen kind of alert only, once they are those of its threshold', async () => {
  const reader = await newAccount('user', { ageDays: 1 })
  const page = await open(`/series/${product_id}/${market_id}`, { as: reader })
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/api/alerts/preview', async (route) => {
    if (Number(route.request().postDataJSON().threshold) !== 2400) await held
    await route.continue()
  })
  await page.getByRole('button', { name: 'M’alerter' }).click()
  const form = page.getByRole('dialog', { name: 'M’alerter' })
  const threshold = form.getByLabel('Seuil, en francs')
  await threshold.fill('2400')
  const others = form.getByRole('list', { name: 'Autres seuils' }).getByRole('button')
  await others.getByText('FC').first().waitFor()
  await expect.poll(() => others.first().isEnabled()).toBe(true)
  await threshold.fill('3000')
  await expect.poll(() => others.first().isDisabled()).toBe(true)
  await form.getByLabel('Ce qui fait sonner').selectOption('change.above')
  await expect.poll(() => others.count()).toBe(0)
  release()
  await others.getByText('%').first().waitFor()
})

test('every alert that rang can be reached, page by page', async () => {
  const reader = await newAccount('user', { ageDays: 1 })
  await sql`
    insert into alert_event (user_id, product_id, market_id, sentence, price, day, quotes)
    select ${reader.id}, ${product_id}, ${market_id}, 'Sonnerie ' || n, 3600, ${today}, 2
      from generate_series(1, 41) n`.execute(db)
  const page = await open('/alertes', { as: reader })
  await page.getByText('41 alertes').waitFor()
  await page.getByRole('button', { name: 'Suivant' }).click()
  await page.getByText('Sonnerie 21', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Suivant' }).click()
  await page.getByText('Sonnerie 1', { exact: true }).waitFor()
  await page.getByRole('link', { name: 'Sonnerie 1', exact: true }).click()
  await page.waitForURL(`**/series/${product_id}/${market_id}`)
  await page.goBack()
  await page.getByText('Sonnerie 1', { exact: true }).waitFor()
})

test('an alert by mail says that no mail is sent while the address is unconfirmed, or once its owner has stopped them', async () => {
  const reader = await newAccount('user', { ageDays: 1 })
  await sql`
    insert into alert_rule (user_id, product_id, market_id, kind, direction, threshold, period_days, channels)
    values (${reader.id}, ${product_id}, ${market_id}, 'level', 'above', 4000, 30, '{mail}')`.execute(db)
  await sql`update app_user set email_verified = false where id = ${reader.id}`.execute(db)
  const page = await open('/alertes', { as: reader })
  await page.getByText('par e-mail (adresse à confirmer)').waitFor()
  await page.goto(page.url().replace('/alertes', `/series/${product_id}/${market_id}`))
  await page.getByRole('button', { name: 'M’alerter' }).click()
  const form = page.getByRole('dialog', { name: 'M’alerter' })
  await form.getByText('Rien ne partira tant que votre adresse n’est pas confirmée').waitFor()

  await sql`update app_user set email_verified = true where id = ${reader.id}`.execute(db)
  await sql`insert into notification_choice (user_id, kind, is_wanted) values (${reader.id}, 'price-alerts', false)`.execute(
    db,
  )
  await page.reload()
  await page.getByRole('button', { name: 'M’alerter' }).click()
  await form.getByText(/Arrêté par vous\s:\srien ne partira/).waitFor()
  await form.getByRole('link', { name: 'Ouvrir mes paramètres' }).waitFor()
  await form.getByText('Il faut deux relevés').waitFor()
  await form.getByLabel('Ce qui fait sonner').selectOption('silence.above')
  await expect.poll(() => form.getByText('Il faut deux relevés').count()).toBe(0)
  await page.goto(page.url().replace(/\/series\/.*/, '/alertes'))
  await page.getByText('par e-mail (arrêté)').waitFor()
})
