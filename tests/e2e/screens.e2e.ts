import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { siteMap } from '#main/site-map.ts'
import { insertSubscriptionRow } from '../support/accounts.ts'
import { goInside, phone, story } from '../support/browser.ts'
import { faultsOf } from '../support/browser-checks.ts'
import { insertBrand, insertMarket, insertPrice, insertProduct } from '../support/catalogue.ts'
import { daysAgo } from '../support/market-days.ts'
import { insertPlan } from '../support/payments.ts'

const { db, url, open, newAccount, endSessions } = await story()

// Names as long as the database accepts, some without a space: these break layouts.
const long = 'Anticonstitutionnellement'.repeat(8)
const admin = await newAccount('admin', { name: 'Marie-Antoinette Tshilombo wa Ilunga Kabongo' })
const subscriber = await newAccount('user', { ageDays: 40 })
const brandId = await insertBrand(db, long)
const productId = await insertProduct(db, { name: long, brand_id: brandId })
const marketId = await insertMarket(db, { name: `Marché ${long.slice(0, 180)}` })
for (let age = 0; age < 20; age += 2) {
  const price_value = 2500 + 37 * age
  await insertPrice(db, { product_id: productId, market_id: marketId, price_value, day: daysAgo(age) })
}
// The widest possible figures.
await insertPrice(db, { product_id: productId, market_id: marketId, price_value: 99_999_999_999.99 })

const report = {
  read: 3,
  added: 1,
  existing: 0,
  rejected: 2,
  errors: [{ line: 2, message: long }],
  created: { markets: 1, categories: 2, types: 3, brands: 4, products: 5 },
  reasons: [{ message: long, count: 2, example: { line: 2 } }],
  rejectedKept: 2,
  revised: 0,
  withdrawn: 1,
  notes: [long],
  currencies: [{ code: 'XAF', count: 2 }],
}
const { id: importId } = await db
  .insertInto('import')
  .values({ kind: 'prices', file_name: `${long}.csv`, file_bytes: 1e6, state: 'checked', author_name: long })
  .returning('id')
  .executeTakeFirstOrThrow()
const file = { stored_as: '00000000-0000-4000-8000-000000000000', report: JSON.stringify(report) }
await db.updateTable('import').set(file).execute()
for (const state of ['writing', 'done', 'failed'] as const) {
  const failure = state === 'failed' ? long : null
  await db
    .insertInto('import')
    .values({ kind: 'prices', file_name: 'prix.csv', file_bytes: 1, state, failure })
    .execute()
}

const kinds = ['figures', 'chart', 'table', 'map', 'comparison', 'method']
await db
  .insertInto('report')
  .values({
    user_id: admin.id,
    title: long.slice(0, 120),
    blocks: JSON.stringify(
      kinds.map((kind) => ({
        kind,
        title: long.slice(0, 120),
        selection: { productId },
        period: null,
        text: null,
      })),
    ),
  })
  .execute()

const planId = await insertPlan(db, {
  name: long.slice(0, 200),
  description: long,
  price: 99_999_999_999.99,
  currency: 'CDF',
})
const subscriptionId = await insertSubscriptionRow(db, {
  user_id: subscriber.id,
  plan_id: planId,
  start_date: '2024-01-01',
  end_date: '2024-02-01',
})
await db
  .insertInto('payment')
  .values({
    subscription_id: subscriptionId,
    user_id: subscriber.id,
    plan_id: planId,
    amount: 99_999_999_999.99,
    currency: 'CDF',
    status: 'PAID',
  })
  .execute()

// Id in the address of each kind of page; a new kind of page has to be added here.
const ids: Record<string, number> = {
  '/products/detail/$id': productId,
  '/products/edit/$id': productId,
  '/products/brands/$id': brandId,
  '/markets/$id': marketId,
  '/prices/imports/$id': importId,
  '/subscriptions/$id': subscriptionId,
}

test('the pages for visitors are readable in every window, in light and in dark', async () => {
  const page = await open('/')
  const forms = [
    'login',
    'register',
    'forgot-password',
    'reset-password?token=x',
    'verify-email',
    'verify-email?token=x',
  ]
  const paths = forms.map((name) => `/auth/${name}`)
  const texts = [
    '/methode',
    '/contact?sujet=Devenir%20Partenaire',
    '/mentions-legales',
    '/confidentialite',
    '/conditions',
    '/developpeurs',
    '/developpeurs/recettes',
    '/developpeurs/reference/prices',
  ]
  const markets = ['/marches', `/marches/${marketId}`]
  const products = [
    '/produits',
    `/produits/${productId}`,
    '/recherche?q=a',
    '/recherche?q=rien-de-tel',
    '/desabonnement/x',
    '/payer/x',
  ]
  expect(
    await faultsAt(page, ['/', '/nulle-part', ...markets, ...products, ...texts, ...paths], load),
  ).toEqual([])
})

test('every page of the program is readable in every window, in light and in dark', async () => {
  const page = await open('/profile', { as: admin })
  const paths = siteMap.map(({ path }) => path)
  const addresses = paths.map((path) =>
    path
      .replace('$id', String(ids[path]))
      .replace('$productId', String(productId))
      .replace('$marketId', String(marketId)),
  )
  expect(await faultsAt(page, addresses)).toEqual([])
})

test('pages that are empty, missing, refused or unpaid are readable in every window, in light and in dark', async () => {
  const staff = await open('/dashboard', { as: admin })
  const addresses = ['/brands?search=rien-de-tel', '/prices?search=rien-de-tel', '/products/brands/999999']
  expect(await faultsAt(staff, addresses)).toEqual([])
  const unpaid = await open('/dashboard', { as: subscriber })
  expect(await faultsAt(unpaid, ['/brands', '/products/edit/1'], load)).toEqual([])
})

test('the dialogs about brands are readable in every window, in light and in dark', async () => {
  const page = await open('/brands', { as: admin })
  await page.getByRole('button', { name: 'Créer une marque' }).first().click()
  await page.keyboard.press('Enter')
  await page.getByText('Ce champ est obligatoire').first().waitFor()
  expect(await faultsOf(page)).toEqual([])
  await page.getByLabel('Nom').fill('Saisie')
  await page.keyboard.press('Escape')
  await page.getByRole('alertdialog', { name: 'Abandonner la saisie ?' }).waitFor()
  expect(await faultsOf(page)).toEqual([])
  await page.getByRole('button', { name: 'Abandonner', exact: true }).click()

  await page.getByRole('button', { name: /^Modifier/ }).click()
  await page.getByRole('dialog').waitFor()
  expect(await faultsOf(page)).toEqual([])
  await leave(page)

  await page.getByRole('button', { name: /^Supprimer/ }).click()
  await page.getByRole('alertdialog').getByText('Suppression impossible').waitFor()
  expect(await faultsOf(page)).toEqual([])
})

test('the dialogs about prices are readable in every window, in light and in dark', async () => {
  const page = await open('/prices', { as: admin })
  await page.getByRole('button', { name: 'Ajouter un prix' }).first().click()
  const form = page.getByRole('dialog', { name: 'Ajouter un prix' })
  await form.waitFor()
  await page.keyboard.press('Enter')
  await form.getByText('obligatoire').first().waitFor()
  expect(await faultsOf(page)).toEqual([])
  await form.getByRole('combobox', { name: 'Produit' }).fill('anti')
  await page.getByRole('option').first().waitFor()
  expect(await faultsOf(page, [1440])).toEqual([])
  await page.getByRole('option').first().click()
  expect(await faultsOf(page, [360])).toEqual([])
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Abandonner', exact: true }).click()

  await page
    .getByRole('button', { name: /^Modifier/ })
    .first()
    .click()
  await page.getByRole('dialog', { name: 'Modifier le prix' }).waitFor()
  expect(await faultsOf(page)).toEqual([])
  await leave(page)

  await page
    .getByRole('button', { name: /^Supprimer/ })
    .first()
    .click()
  await page.getByRole('alertdialog').waitFor()
  expect(await faultsOf(page)).toEqual([])
  await leave(page)

  await page.getByRole('button', { name: 'Plus de filtres' }).click()
  await page.getByLabel('Prix minimum', { exact: true }).waitFor()
  expect(await faultsOf(page)).toEqual([])
})

test('the menus, and the drawer and the filters of a phone, are readable in light and in dark', async () => {
  const page = await open('/brands', { as: admin, viewport: phone })
  await page.getByRole('button', { name: 'Ouvrir le menu' }).click()
  await page.getByRole('dialog', { name: 'Menu' }).waitFor()
  expect(await faultsOf(page, [360])).toEqual([])
  await page.setViewportSize(phone)
  // The window may open the drawer once more after it was closed.
  await expect
    .poll(async () => {
      await leave(page)
      const isOpen = () => true
      return page
        .getByRole('button', { name: 'Filtres' })
        .click({ timeout: 1_000 })
        .then(isOpen, () => false)
    })
    .toBe(true)
  await page.getByRole('dialog', { name: 'Filtres' }).waitFor()
  expect(await faultsOf(page, [360])).toEqual([])
  await leave(page)
  for (const menu of ['Apparence', 'Compte de']) {
    await page.getByRole('button', { name: menu }).click()
    await page.getByRole('menu', { name: menu }).waitFor()
    expect(await faultsOf(page, [1440])).toEqual([])
    await page.keyboard.press('Escape')
  }
})

test('the sign-in over a form is readable in every window, in light and in dark', async () => {
  const clerk = await newAccount('collector')
  const page = await open('/brands', { as: clerk })
  await page.getByRole('button', { name: 'Créer une marque' }).first().click()
  await page.getByLabel('Nom').fill('Saisie')
  await page.getByRole('dialog').getByLabel('Pays').fill('RD Congo')
  await endSessions(clerk)
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Votre session est terminée' }).waitFor()
  expect(await faultsOf(page)).toEqual([])
})

test('the appearance follows the device until the user chooses another, which survives a reload and signing out', async () => {
  const page = await open('/brands', { as: admin })
  const background = () => page.evaluate(() => getComputedStyle(document.body.parentElement!).backgroundColor)
  const light = await background()
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect.poll(background).not.toBe(light)
  await page.getByRole('button', { name: 'Apparence' }).click()
  await page.getByRole('menuitemradio', { name: 'Clair' }).click()
  await expect.poll(background).toBe(light)
  await page.reload()
  await page.getByRole('button', { name: 'Compte de' }).click()
  await page.getByRole('menuitem', { name: 'Se déconnecter' }).click()
  await page.waitForURL('**/auth/login')
  await expect.poll(background).toBe(light)
})

test('in a window of 640 by 360, a desk at twice the size, a long form can still be filled in and sent', async () => {
  const page = await open('/prices', { as: admin, viewport: { width: 640, height: 360 } })
  await page.getByRole('button', { name: 'Ajouter un prix' }).first().click()
  const form = page.getByRole('dialog', { name: 'Ajouter un prix' })
  await form.getByLabel('Source').fill('Enquête')
  await form.getByLabel('Source').scrollIntoViewIfNeeded()
  const send = form.getByRole('button', { name: 'Ajouter', exact: true })
  const [field, button] = [await form.getByLabel('Source').boundingBox(), await send.boundingBox()]
  expect((field?.y ?? 0) + (field?.height ?? 0)).toBeLessThanOrEqual(button?.y ?? 0)
  expect((button?.y ?? 0) + (button?.height ?? 0)).toBeLessThanOrEqual(360)
})

test('nothing moves for users who request reduced motion, and animations last at most 200 ms for others', async () => {
  const page = await open('/brands', { as: admin })
  await page.getByRole('button', { name: 'Créer une marque' }).first().click()
  expect(await movements(page)).toEqual([])
  await leave(page)
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await page.getByRole('button', { name: 'Créer une marque' }).first().click()
  for (const durationMs of await movements(page)) expect(durationMs).toBeLessThan(200)
})

const load = (page: Page, path: string) => page.goto(url + path)

async function faultsAt(
  page: Page,
  paths: readonly string[],
  go: (page: Page, path: string) => Promise<unknown> = goInside,
): Promise<string[]> {
  const faults: string[] = []
  for (const path of paths) {
    await go(page, path)
    await page.locator('main').first().waitFor()
    const pending = page.locator('[aria-busy=true], .animate-skeleton, :text("Chargement...")')
    await expect.poll(() => pending.count()).toBe(0)
    faults.push(...(await faultsOf(page)).map((fault) => `${path}: ${fault}`))
  }
  return faults
}

async function leave(page: Page): Promise<void> {
  // A window that has just been resized may open the drawer again: one Escape can come too early.
  await expect
    .poll(async () => {
      await page.keyboard.press('Escape')
      return page.locator(':modal').count()
    })
    .toBe(0)
}

/** Returns the durations (ms) of the animations on the page. */
function movements(page: Page): Promise<number[]> {
  return page.evaluate(() =>
    document.getAnimations().map((animation) => Number(animation.effect?.getComputedTiming().duration)),
  )
}
