import { beforeAll, expect, test } from 'vitest'
import { cutNetwork, phone, story } from '../support/browser.ts'
import { faultsOf, tabTo } from '../support/browser-checks.ts'
import { insertMarket, insertPrice, insertProduct } from '../support/catalogue.ts'
import { daysAgo } from '../support/market-days.ts'
import { insertPlan } from '../support/payments.ts'

const { db, url, open } = await story()
const [before, last] = [daysAgo(18), daysAgo(9)]
let marketId: number

beforeAll(async () => {
  marketId = await insertMarket(db, { name: 'Zigida', latitude: -4.33, longitude: 15.3 })
  const markets = [marketId, await insertMarket(db), await insertMarket(db)]
  for (let row = 0; row < 12; row++) {
    const product_id = await insertProduct(db, { name: `Produit ${row}` })
    for (const market_id of markets) {
      for (const day of [before, last]) {
        await insertPrice(db, { product_id, market_id, day, price_value: day === before ? 1000 : 1100 })
      }
    }
  }
  await insertPlan(db, { name: 'Professionnel', price: 19, features: ['BASIC_DATA', 'PRICE_ALERTS'] })
  await insertPlan(db, { name: 'Institution', price: 590 })
})

test('a visitor sees prices, chooses a plan, and signs in later', async () => {
  const page = await open('/')
  await page
    .getByRole('row', { name: /Produit .*1\s100/ })
    .first()
    .waitFor()
  const formula = page.getByRole('region', { name: 'Choisissez Votre Formule' })
  for (const feature of ['Données de base', 'Alertes de prix', 'Support prioritaire']) {
    await formula.getByRole('rowheader', { name: feature }).waitFor()
  }
  const given = async (feature: RegExp) =>
    (await formula.getByRole('row', { name: feature }).getByRole('cell').allInnerTexts()).map((text) =>
      text.trim(),
    )
  // In the order Basique, Professionnel, Institution.
  await expect.poll(() => given(/Alertes de prix/)).toEqual(['Non compris', 'Compris', 'Compris'])
  await expect.poll(() => given(/Support prioritaire/)).toEqual(['Non compris', 'Non compris', 'Bientôt'])
  await formula.getByRole('link', { name: 'Choisir Professionnel' }).click()
  await page.waitForURL('**/auth/login')
})

test('« Voir les prix » leads to ten prices of a market, and the others require an account', async () => {
  const page = await open('/', { scripts: false })
  await page.getByRole('link', { name: 'Voir les prix de Zigida' }).click()
  await page.waitForURL(`${url}/marches/${marketId}`)
  await page.getByRole('heading', { name: 'Zigida' }).waitFor()
  await expect.poll(() => page.getByRole('rowheader', { name: /^Produit/ }).count()).toBe(10)
  await page.getByRole('heading', { name: '2 autres produits dans ce marché' }).waitFor()
  await page.getByRole('link', { name: 'S’inscrire' }).first().click()
  await page.waitForURL('**/auth/register')
  expect((await page.goto(`${url}/marches/999999`))?.status()).toBe(404)
})

test('on a phone the landing page takes at most five screens, and a link into a folded part opens it', async () => {
  const page = await open('/', { viewport: phone })
  const screens = await page.evaluate(() => document.documentElement.scrollHeight / innerHeight)
  expect(screens).toBeLessThan(5)
  const partner = page.getByRole('link', { name: 'Devenir Partenaire' })
  await partner.waitFor({ state: 'hidden' })
  await page.getByRole('heading', { name: 'Partenaires' }).click()
  await partner.waitFor()
  await page.getByRole('navigation', { name: 'Navigation' }).getByRole('link', { name: 'Services' }).click()
  await page.getByRole('heading', { name: 'Suivi des prix' }).waitFor()
})

test('the menu at the bottom of a phone opens without a script, and a tap outside closes it', async () => {
  const page = await open('/', { viewport: phone, scripts: false })
  const account = page.getByRole('link', { name: 'Mon Compte' })
  await expect.poll(() => account.isVisible()).toBe(false)
  await page.getByRole('button', { name: 'Menu' }).click()
  await account.waitFor()
  for (const name of ['Paramètres', 'Se connecter']) await page.getByRole('link', { name }).waitFor()
  await page.mouse.click(40, 200)
  await account.waitFor({ state: 'hidden' })
  await page.setViewportSize({ width: 768, height: 900 })
  await expect.poll(() => page.getByRole('button', { name: 'Menu' }).isVisible()).toBe(false)
})

test('« Devenir Partenaire » fills in the subject, and the message is sent with the keyboard alone', async () => {
  const page = await open('/')
  await page.getByRole('link', { name: 'Devenir Partenaire' }).click()
  const subject = page.getByLabel('Sujet')
  await expect.poll(() => subject.inputValue()).toBe('Devenir Partenaire')
  await tabTo(page, page.getByLabel('Nom complet'))
  await page.keyboard.type('Awa Mbala')
  await page.keyboard.press('Tab')
  await page.keyboard.type('awa@exemple.cd')
  await tabTo(page, page.getByLabel('Message'))
  await page.keyboard.type('Parlons-en.')
  await tabTo(page, page.getByRole('button', { name: 'Envoyer le message' }))
  await page.keyboard.press('Enter')
  await page.getByText('Votre message est envoyé').waitFor()
  expect(await db.selectFrom('contact_message').select(['name', 'subject']).execute()).toEqual([
    { name: 'Awa Mbala', subject: 'Devenir Partenaire' },
  ])
})

test('pages already seen are available without a network', async () => {
  const page = await open('/marches', { keepsPages: true })
  await expect.poll(() => page.evaluate(() => caches.match('/marches').then(Boolean))).toBe(true)
  await page.goto(`${url}/methode`)
  await cutNetwork(page)
  await page.goto(`${url}/marches`)
  await page.getByRole('heading', { name: 'Marchés couverts' }).waitFor()
})

test('a form already seen is available without a network, whatever the query of its address', async () => {
  const page = await open('/auth/login?redirectUrl=%2Fprices', { keepsPages: true })
  await expect.poll(() => page.evaluate(() => caches.match('/auth/login').then(Boolean))).toBe(true)
  await page.goto(`${url}/auth/reset-password?token=secret`)
  await page.goto(`${url}/methode`)
  await cutNetwork(page)
  await page.goto(`${url}/auth/login?redirectUrl=%2Fmarkets`)
  await page.getByRole('button', { name: 'Se connecter', exact: true }).waitFor()
  const kept = await page.evaluate(async () =>
    (await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys())))
      .flat()
      .map((request) => request.url),
  )
  expect(kept.filter((address) => /\?|token|reset/.test(address))).toEqual([])
})

test('the « i » of a figure leads to its whole definition', async () => {
  const page = await open('/prices', { as: 'admin' })
  await page.getByRole('button', { name: 'Définition : Prix moyen' }).click()
  await page.getByRole('link', { name: 'Définition complète' }).click()
  await page.waitForURL('**/methode#moyennes')
  await page.getByRole('heading', { name: 'Moyennes, minimums et maximums' }).waitFor()
})

test('search engines find every public page and its address', async () => {
  const sitemap = await (await fetch(`${url}/sitemap.xml`)).text()
  expect(sitemap).toContain(`<loc>${url}/marches/${marketId}</loc><lastmod>${last}</lastmod>`)
  expect(await (await fetch(`${url}/robots.txt`)).text()).toContain(`Sitemap: ${url}/sitemap.xml`)
  for (const [path] of [...sitemap.matchAll(/<loc>.*?<\/loc>/g)].map(([loc]) => [loc.slice(5, -6)])) {
    const html = await (await fetch(path as string)).text()
    expect(html).toMatch(/<title>.{10,70}<\/title><meta name="description" content="[^"]{40,200}"/)
    expect(html).toContain(`<link rel="canonical" href="${path}"/>`)
    for (const name of ['title', 'description', 'url', 'image']) expect(html).toContain(`"og:${name}"`)
  }
  const home = await (await fetch(url)).text()
  expect(home).toContain(`<link rel="canonical" href="${url}/"/>`)
  expect((await fetch(/og:image" content="([^"]+)"/.exec(home)?.[1] ?? '')).status).toBe(200)
  expect(JSON.parse(/ld\+json">(.+?)<\/script>/.exec(home)?.[1] ?? '')).toMatchObject({
    '@context': 'https://schema.org',
  })
  const pricing = await fetch(`${url}/pricing`, { redirect: 'manual' })
  expect(pricing.headers.get('location')).toBe('/#formule')
})

test('the landing page works by keyboard in both directions, moves nothing, and breaks no accessibility rule', async () => {
  const page = await open('/')
  await tabTo(page, page.getByRole('link', { name: 'Voir tous les prix' }))
  await page.getByRole('link', { name: 'Choisir Professionnel' }).focus()
  // The header stays on top of the page.
  await tabTo(page, page.getByRole('link', { name: 'Voir tous les prix' }), 'Shift+Tab')
  const moving = await page.evaluate(
    () =>
      [...document.querySelectorAll('*')].filter((element) => {
        const { animationName, transitionDuration } = getComputedStyle(element)
        return animationName !== 'none' || /[1-9]/.test(transitionDuration)
      }).length,
  )
  expect(moving).toBe(0)
  expect(await faultsOf(page)).toEqual([])
})
