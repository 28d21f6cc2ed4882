import { sql } from 'kysely'
import type { Locator, Page, Request, Route } from 'playwright-core'
import { expect, test } from 'vitest'
import { cutNetwork, desktop, goInside, notified, password, phone, story } from '../support/browser.ts'
import { insertBrand, insertMarket, insertPrice, insertProduct } from '../support/catalogue.ts'

const { db, url, open, newAccount } = await story()
const aline = await newAccount('admin', { name: 'Aline Mbuyi' })
await insertBrand(db, 'Bralima')

const brandList = '**/api/brands?*'

test('on a slow network the outline of the page comes first, then the data, without a layout shift', async () => {
  const page = await open('/', { as: aline, isNew: true, viewport: phone })
  await slowDown(page)
  const held = await hold(page, '**/api/auth/refresh')
  await page.goto(`${url}/brands`, { waitUntil: 'commit' })
  await page.getByText('Chargement...').waitFor()
  const rows = await hold(page, brandList)
  held.release()
  const list = page.getByRole('list', { name: 'Marques' })
  await page.locator('ul[aria-label="Marques"][aria-busy="true"]').waitFor()
  const before = await list.boundingBox()
  rows.release()
  await page.getByRole('link', { name: 'Bralima', exact: true }).waitFor()
  await expect.poll(() => list.getAttribute('aria-busy')).toBe('false')
  const after = await list.boundingBox()
  expect([after?.x, after?.y, after?.width]).toEqual([before?.x, before?.y, before?.width])
})

test('a button that saves shows that it is busy, and a second press sends nothing more', async () => {
  const page = await open('/brands', { as: aline })
  await page.getByRole('button', { name: 'Créer une marque' }).first().click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Nom').fill('Une seule fois')
  await form.getByLabel('Pays').fill('RD Congo')
  const saving = await hold(page, '**/api/brands')
  const button = form.getByRole('button', { name: 'Créer', exact: true })
  await button.dblclick()
  await page.keyboard.press('Enter')
  await expect.poll(() => button.getAttribute('aria-busy')).toBe('true')
  await page.keyboard.press('Escape')
  await expect.poll(() => form.getByLabel('Nom').inputValue()).toBe('Une seule fois')
  saving.release()
  await form.waitFor({ state: 'hidden' })
  expect(saving.count()).toBe(1)
})

test('a list that the server fails to send shows an error in its place, and « Réessayer » loads it', async () => {
  const page = await open('/dashboard', { as: aline })
  await page.getByRole('heading', { name: 'Bonjour Aline Mbuyi' }).waitFor()
  await page.route(brandList, (route) =>
    route.fulfill({
      status: 500,
      json: { message: 'Erreur interne. Réessayez plus tard.', error: 'Erreur interne', errors: [] },
    }),
  )
  await page.getByRole('link', { name: 'Marques' }).first().click()
  const failure = page.getByRole('main').getByRole('alert')
  await failure.getByText('Erreur lors du chargement des marques').waitFor()
  await failure.getByText('Erreur interne. Réessayez plus tard.').waitFor()
  await expect.poll(() => page.getByText('Aucune marque trouvée').count()).toBe(0)
  await page.unroute(brandList)
  await failure.getByRole('button', { name: 'Réessayer' }).click()
  await page.getByRole('link', { name: 'Bralima', exact: true }).waitFor()
  await expect.poll(() => failure.count()).toBe(0)
})

test('saved mappings that the server fails to send show an error in their place, and « Réessayer » loads them', async () => {
  const page = await open('/brands', { as: aline })
  await page.getByRole('link', { name: 'Bralima', exact: true }).waitFor()
  await page.route('**/api/import-mappings', (route) => route.fulfill({ status: 400, json: {} }))
  await goInside(page, '/prices/imports')
  const failure = page.getByText('Erreur lors du chargement des correspondances')
  await failure.waitFor()
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Réessayer' }).click()
  await failure.waitFor({ state: 'hidden' })
})

test('without a network the page says so, and it works again when the network is back', async () => {
  const page = await open('/dashboard', { as: aline })
  await page.getByRole('heading', { name: 'Bonjour Aline Mbuyi' }).waitFor()
  await page.getByRole('link', { name: 'Marques' }).first().click()
  await page.getByRole('link', { name: 'Bralima', exact: true }).waitFor()
  await cutNetwork(page)
  await page.getByRole('searchbox', { name: 'Rechercher une marque' }).fill('bra')
  const failure = page.getByRole('main').getByRole('alert')
  await failure.getByText('Erreur lors du chargement des marques').waitFor()
  await failure.getByText('Veuillez vérifier votre connexion et réessayer.').waitFor()
  await page.context().setOffline(false)
  await expect.poll(() => failure.count()).toBe(0)
  await page.getByRole('link', { name: 'Bralima', exact: true }).waitFor()
})

test('a period whose prices cannot be fetched leaves a link back to the previous period', async () => {
  const page = await open('/prices', { as: aline })
  await page.getByText('30 derniers jours', { exact: true }).first().waitFor()
  await cutNetwork(page)
  await page.getByText('7j', { exact: true }).click()
  const failure = page.getByRole('main').getByRole('alert')
  await failure.getByText('Veuillez vérifier votre connexion et réessayer.').waitFor()
  await expect.poll(() => failure.count()).toBe(1)
  await page.getByText('30j', { exact: true }).click()
  await expect.poll(() => failure.count()).toBe(0)
  await page.context().setOffline(false)
})

test('a change that the server fails to compute says so, and « Réessayer » computes it', async () => {
  const [product_id, market_id] = [await insertProduct(db), await insertMarket(db)]
  await insertPrice(db, { product_id, market_id })
  const page = await open('/brands', { as: aline })
  await page.getByRole('link', { name: 'Bralima', exact: true }).waitFor()
  await page.route('**/api/prices/analytics/summary?*', (route) => route.fulfill({ status: 400, json: {} }))
  await goInside(page, `/series/${product_id}/${market_id}`)
  const failures = page.getByRole('definition').getByText('Erreur lors du calcul de la variation')
  await expect.poll(() => failures.count()).toBe(2)
  await page.unrouteAll()
  await page.getByRole('definition').getByRole('button', { name: 'Réessayer' }).first().click()
  await expect.poll(() => failures.count()).toBe(0)
})

test('a form sent without a network stays open with its fields, and is sent when the network is back', async () => {
  const page = await open('/brands', { as: aline })
  await page.getByRole('link', { name: 'Bralima', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Créer une marque' }).first().click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Nom').fill('Hors ligne')
  // The suggestions have arrived: Enter sends the form, whether or not their list is open.
  const suggested = page.waitForResponse((answer) => answer.url().includes('/countries?search=RD'))
  await form.getByLabel('Pays').fill('RD Congo')
  await suggested
  await cutNetwork(page)
  await page.keyboard.press('Enter')
  await form.getByRole('alert').getByText('500 • Erreur réseau').waitFor()
  await page.context().setOffline(false)
  await form.getByRole('button', { name: 'Créer', exact: true }).click()
  await notified(page, 'Marque créée avec succès')
  await form.waitFor({ state: 'hidden' })
})

test('an alert, a share, a report and an issue whose answer is lost are made once', async () => {
  const reader = await newAccount('user', { ageDays: 1 })
  const [product_id, market_id] = [await insertProduct(db), await insertMarket(db)]
  await insertPrice(db, { product_id, market_id })
  const page = await open(`/series/${product_id}/${market_id}`, { as: reader })
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'M’alerter' }).click()
  await dialog.getByLabel('Seuil').fill('999999')
  await pressTwice(page, /\/api\/alerts$/, dialog.getByRole('button', { name: 'Créer l’alerte' }))
  await dialog.waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'Partager' }).click()
  await pressTwice(page, /\/api\/shares$/, dialog.getByRole('button', { name: 'Créer l’adresse' }))
  await goInside(page, '/rapports')
  await pressTwice(
    page,
    /\/api\/reports$/,
    page.getByRole('button', { name: 'Nouveau rapport', exact: true }),
  )
  await pressTwice(
    page,
    /\/api\/reports\/\d+\/issues$/,
    page.getByRole('button', { name: 'Envoyer maintenant' }),
  )
  const { rows } = await sql`
    select (select count(*) from alert_rule where user_id = ${reader.id}) as alerts,
           (select count(*) from share where user_id = ${reader.id}) as shares,
           (select count(*) from report where user_id = ${reader.id}) as reports,
           (select count(*) from report_issue join report on report.id = report_id
             where user_id = ${reader.id}) as issues`.execute(db)
  expect(rows).toEqual([{ alerts: 1, shares: 1, reports: 1, issues: 1 }])
})

test('a webhook or a key whose answer is lost is made once, and the form says that its secret was lost', async () => {
  const maker = await newAccount('admin')
  const page = await open('/developpeurs/webhooks', { as: maker })
  const form = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Nouveau webhook' }).click()
  await form.getByLabel('Adresse').fill('https://exemple.cd/ntalo')
  await pressTwice(page, /\/api\/webhooks$/, form.getByRole('button', { name: 'Créer le webhook' }), false)
  await form.getByText('Ce webhook est déjà créé').waitFor()
  const other = await open('/developpeurs/cles', { as: maker })
  const keyForm = other.getByRole('dialog')
  await other.getByRole('button', { name: 'Nouvelle clé', exact: true }).click()
  await keyForm.getByLabel('Nom').fill('Achats')
  await keyForm.getByLabel('Durée').selectOption('Un an')
  await pressTwice(other, /\/api\/keys$/, keyForm.getByRole('button', { name: 'Créer la clé' }), false)
  await keyForm.getByText('Cette clé est déjà créée').waitFor()
  const { rows } = await sql`
    select (select count(*) from webhook_endpoint where user_id = ${maker.id}) as webhooks,
           (select count(*) from api_key where user_id = ${maker.id}) as keys`.execute(db)
  expect(rows).toEqual([{ webhooks: 1, keys: 1 }])
})

test('a follow whose answer is lost is shown as made, and can be undone', async () => {
  const reader = await newAccount('user', { ageDays: 1 })
  const [product_id, market_id] = [await insertProduct(db), await insertMarket(db)]
  await insertPrice(db, { product_id, market_id })
  const page = await open(`/series/${product_id}/${market_id}`, { as: reader })
  await loseAnswer(page, /\/api\/follows$/, page.getByRole('button', { name: 'Suivre', exact: true }))
  await page.getByRole('button', { name: 'Suivi', exact: true, pressed: true }).click()
  await page.getByRole('button', { name: 'Suivre', exact: true, pressed: false }).waitFor()
})

test('a page opened while the server does not answer says so, and « Réessayer » opens it', async () => {
  const page = await open('/', { as: aline })
  await page.route('**/api/auth/refresh', (route) => route.abort())
  await page.goto(`${url}/brands`)
  await page.getByText('Erreur de connexion').waitFor()
  await page.unroute('**/api/auth/refresh')
  await page.getByRole('button', { name: 'Réessayer' }).click()
  await page.getByRole('link', { name: 'Bralima', exact: true }).waitFor()
})

test('signing in without a network shows an error in French, and does not clear the fields', async () => {
  const page = await open('/auth/login')
  await page.getByLabel('Email').fill(aline.email)
  await page.getByRole('textbox', { name: 'Mot de passe' }).fill('quelconque')
  await cutNetwork(page)
  await page.keyboard.press('Enter')
  await page
    .getByRole('alert')
    .getByText('Erreur réseau. Veuillez vérifier votre connexion et réessayer.')
    .waitFor()
  await expect.poll(() => page.getByLabel('Email').inputValue()).toBe(aline.email)
  await expect.poll(() => page.getByRole('textbox', { name: 'Mot de passe' }).inputValue()).toBe('quelconque')
})

test('notifications are shown at the top right for five seconds, or until they are closed', async () => {
  const page = await open('/', { as: aline, isNew: true })
  await page.clock.install()
  await page.goto(`${url}/brands`)
  await page.getByRole('link', { name: 'Bralima', exact: true }).waitFor()
  await page.clock.pauseAt(Date.now() + 60_000)
  const notice = page.getByRole('region', { name: 'Notifications' }).getByText('Erreur réseau')
  const download = async () => {
    await page.getByRole('button', { name: 'Exporter' }).click()
    await page.getByRole('menuitem', { name: 'CSV pour tableur' }).click()
    await notice.waitFor()
  }
  await page.route('**/api/brands/export*', (route) => route.abort())
  await download()
  const card = await page.getByRole('alert').filter({ hasText: 'Erreur réseau' }).boundingBox()
  expect((card?.x ?? 0) + (card?.width ?? 0)).toBeGreaterThan(desktop.width - 40)
  expect(card?.x).toBeGreaterThan(desktop.width / 2)
  await page.clock.runFor(4900)
  await expect.poll(() => notice.isVisible()).toBe(true)
  await page.clock.runFor(200)
  await notice.waitFor({ state: 'hidden' })
  await download()
  await page.getByRole('button', { name: 'Fermer la notification' }).click()
  await notice.waitFor({ state: 'hidden' })
})

test('notifications do not cover the buttons of the header', async () => {
  const page = await open('/brands', { as: aline })
  await page.getByRole('button', { name: 'Créer une marque' }).first().click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Nom').fill('Sous l’en-tête')
  await form.getByLabel('Pays').fill('RD Congo')
  await page.keyboard.press('Enter')
  await notified(page, 'Marque créée avec succès')
  await form.waitFor({ state: 'hidden' })
  const header = await page.locator('[data-app-header]').boundingBox()
  const notice = page.getByRole('region', { name: 'Notifications' }).getByText('Marque créée avec succès')
  const bottom = (header?.y ?? 0) + (header?.height ?? 0)
  expect((await notice.boundingBox())?.y).toBeGreaterThan(bottom)
  await page.getByRole('button', { name: 'Compte de' }).click()
  await page.getByRole('menuitem', { name: 'Se déconnecter' }).waitFor()
})

test('a notification shown before the page does not cover its buttons, nor the first label of a form', async () => {
  // On an empty platform the dashboard is a guide, without « Votre collecte ».
  await insertPrice(db)
  const page = await open('/', { isNew: true })
  const box = (place: Locator) => place.evaluate((element) => element.getBoundingClientRect().toJSON())
  const amina = await newAccount('collector')
  const notices = page.getByRole('region', { name: 'Notifications' })
  await page.goto(`${url}/auth/login`)
  await page.getByLabel('Email').fill(amina.email)
  await page.getByRole('textbox', { name: 'Mot de passe' }).fill(password)
  const { release } = await hold(page, '**/assets/dashboard-*.js')
  await page.keyboard.press('Enter')
  const welcome = notices.locator('[role=status] > div').first()
  await welcome.waitFor()
  release()
  const add = page.locator('[data-primary-action]')
  await add.waitFor()
  // The most useful parts stay visible: the button, and the user's own prices.
  for (const place of [add, page.getByRole('region', { name: 'Votre collecte' })]) {
    await place.waitFor()
    await expect
      .poll(async () => (await box(welcome)).top - (await box(place)).bottom)
      .toBeGreaterThanOrEqual(0)
  }

  await page.setViewportSize(phone)
  await page.goto(`${url}/brands`)
  await page.getByRole('button', { name: 'Créer une marque' }).first().click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Nom').fill('Bralima')
  await form.getByLabel('Pays').fill('RD Congo')
  await page.keyboard.press('Enter')
  const refused = notices.locator('[role=alert] > div')
  await refused.waitFor()
  const label = form.getByText('Nom', { exact: false }).first()
  await expect
    .poll(async () => (await box(label)).top - (await box(refused)).bottom)
    .toBeGreaterThanOrEqual(0)
})

test('on a phone, notifications are shown above the bar at the bottom, and do not cover the title', async () => {
  const page = await open('/brands', { as: aline, viewport: phone })
  await page.getByRole('button', { name: 'Créer une marque' }).first().click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Nom').fill('Du bas')
  await form.getByLabel('Pays').fill('RD Congo')
  await page.keyboard.press('Enter')
  await form.waitFor({ state: 'hidden' })
  const made = page.getByRole('region', { name: 'Notifications' }).locator('[role=status] > div')
  await made.getByText('Marque créée avec succès').waitFor()
  const [title, notice, add] = await Promise.all(
    [page.getByRole('heading', { level: 1 }), made, page.locator('[data-primary-action]')].map((place) =>
      place.evaluate((element) => element.getBoundingClientRect().toJSON()),
    ),
  )
  expect(notice.top).toBeGreaterThan(title.bottom)
  expect(notice.bottom).toBeLessThanOrEqual(add.top)
})

/** Presses a button whose request is answered, without the answer reaching the page. */
async function loseAnswer(page: Page, address: RegExp, button: Locator): Promise<void> {
  const lose = async (route: Route) => {
    if (route.request().method() !== 'POST') return route.fallback()
    await route.fetch()
    await route.abort()
  }
  const lost = page.waitForEvent('requestfailed', (request) => isPost(request, address))
  await page.route(address, lose)
  await button.click()
  await lost
  await page.unroute(address, lose)
}

/** Presses a button twice: the answer to the first request is lost, and the second is accepted, or refused. */
async function pressTwice(page: Page, address: RegExp, button: Locator, isAccepted = true): Promise<void> {
  await loseAnswer(page, address, button)
  const answered = page.waitForResponse((answer) => isPost(answer.request(), address))
  await button.click()
  expect((await answered).ok()).toBe(isAccepted)
}

function isPost(request: Request, address: RegExp): boolean {
  return request.method() === 'POST' && address.test(request.url())
}

/** 2G: high latency and low bandwidth. */
async function slowDown(page: Page): Promise<void> {
  const debug = await page.context().newCDPSession(page)
  await debug.send('Network.enable')
  await debug.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 150,
    downloadThroughput: 200_000,
    uploadThroughput: 50_000,
  })
}

/** Holds the requests to an address until they are released, and counts them. */
async function hold(page: Page, address: string) {
  const { promise, resolve } = Promise.withResolvers<void>()
  let count = 0
  await page.route(address, async (route: Route) => {
    count += 1
    await promise
    await route.continue()
  })
  return { release: resolve, count: () => count }
}
