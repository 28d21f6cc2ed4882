import { expect, test } from 'vitest'
import { dayIn } from '#shared/days.ts'
import { phone, story } from '../support/browser.ts'
import { insertMarket, insertPrice, insertProduct } from '../support/catalogue.ts'

const { db, open, newAccount } = await story()
const today = dayIn('Africa/Kinshasa', new Date())
const product_id = await insertProduct(db, { name: 'Riz de Bumba', weight: '1 kg' })
const goma = await insertMarket(db, { name: 'Virunga', location: 'Goma' })
const kadutu = await insertMarket(db, { name: 'Kadutu', location: 'Bukavu' })
await insertPrice(db, { product_id, market_id: goma, day: '2026-03-01', price_value: 3600 })
await insertPrice(db, { product_id, market_id: kadutu, day: today, price_value: 3100 })
const reader = await newAccount('user', { ageDays: 1 })

test('an old price says its age and what others pay; it is followed with one tap and waits on the first page', async () => {
  const page = await open(`/series/${product_id}/${goma}`, { as: reader, viewport: phone, isNew: true })
  const main = page.getByRole('main')
  await main.getByText('Ce prix a pu changer.').waitFor()
  await main.getByText('dans 1 autre marché : 3 100 FC').waitFor()
  await page.getByRole('button', { name: 'Suivre', exact: true }).click()
  await page.getByRole('button', { name: 'Suivi', exact: true, pressed: true }).waitFor()

  const home = await open('/dashboard', { as: reader, viewport: phone, isNew: true })
  const own = home.getByRole('listitem').filter({ hasText: 'Riz de Bumba' }).first()
  await own.getByText('3 600 FC').waitFor()
  await own.getByRole('link', { name: 'Riz de Bumba, 1 kg' }).click()
  await home.waitForURL(`**/series/${product_id}/${goma}`)
  await home.getByRole('button', { name: 'Suivi', exact: true }).click()
  await home.getByRole('button', { name: 'Suivre', exact: true, pressed: false }).waitFor()
})

test('the same product elsewhere leads to its price there, by which it can be cited', async () => {
  const page = await open(`/series/${product_id}/${goma}`, { as: reader })
  await page.getByRole('link', { name: 'Bukavu, Kadutu' }).click()
  await page.waitForURL(`**/series/${product_id}/${kadutu}`)
  await page.getByRole('button', { name: 'Citer' }).click()
  const dialog = page.getByRole('dialog', { name: 'Citer ce prix' })
  await expect.poll(() => dialog.innerText()).toContain(`/series/${product_id}/${kadutu}`)
  await expect.poll(() => dialog.innerText()).toContain('Prix de Riz de Bumba, 1 kg, Kadutu, Bukavu')
})

test('a product or a market that does not exist has no price', async () => {
  const page = await open(`/series/2147483000/${goma}`, { as: reader })
  await page.getByText('Erreur lors du chargement du prix').waitFor()
})

test('an alert says how often it would have rung before it is made, and waits in its list', async () => {
  const page = await open(`/series/${product_id}/${goma}`, { as: reader })
  await page.getByRole('button', { name: 'M’alerter' }).click()
  const form = page.getByRole('dialog', { name: 'M’alerter' })
  await form.getByText('Donnez un seuil').waitFor()
  await form.getByLabel('Seuil, en francs').fill('4 000')
  await form.getByText('N’aurait jamais sonné depuis un an.').waitFor()
  await form.getByRole('button', { name: 'Créer l’alerte' }).click()
  await form.waitFor({ state: 'hidden' })
  const list = await open('/alertes', { as: reader })
  await list.getByText('au-dessus de 4 000 FC, par e-mail').waitFor()
  await list.getByRole('button', { name: 'Se taire 7 j' }).click()
  await list.getByText(/se tait jusqu’au/).waitFor()
  // Followed and ringing, it stands first on the first page.
  await db.updateTable('alert_state').set({ is_ringing: true }).execute()
  await db.insertInto('follow').values({ user_id: reader.id, product_id, market_id: kadutu }).execute()
  await db.insertInto('follow').values({ user_id: reader.id, product_id, market_id: goma }).execute()
  const home = await open('/dashboard', { as: reader })
  const own = home.locator('section', { has: home.getByRole('heading', { name: 'Mes prix' }) })
  await own.getByRole('listitem').first().getByText('une alerte sonne').waitFor()
  await own.getByRole('listitem').first().getByText('Virunga, Goma').waitFor()
})

test('a price is shared in two taps, and read by a visitor without a script', async () => {
  const page = await open(`/series/${product_id}/${goma}`, { as: reader })
  await page.getByRole('button', { name: 'Partager' }).click()
  const dialog = page.getByRole('dialog', { name: 'Partager ce prix' })
  await dialog.getByRole('button', { name: 'Créer l’adresse' }).click()
  const address = await dialog.getByRole('link', { name: 'Ouvrir' }).getAttribute('href')
  const visitor = await open(new URL(address ?? '').pathname, { scripts: false })
  await visitor.getByRole('heading', { name: 'Riz de Bumba, 1 kg à Virunga, Goma' }).waitFor()
  await visitor.getByText('3 600 FC').first().waitFor()
  const picture = visitor.locator('meta[property="og:image"]')
  await expect.poll(() => picture.getAttribute('content')).toBe(`${address}/image.png`)
  expect((await fetch(`${address}/image.png`)).headers.get('content-type')).toBe('image/png')
})
