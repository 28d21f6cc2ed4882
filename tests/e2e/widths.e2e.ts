import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { goInside, phone, story } from '../support/browser.ts'
import { insertMarket, insertPrice, insertProduct } from '../support/catalogue.ts'
import { daysAgo } from '../support/market-days.ts'

const { db, url, open, newAccount } = await story()
const admin = await newAccount('super admin', { name: 'Aline Mbuyi' })
const product_id = await insertProduct(db, { name: 'Farine de manioc' })
const market_id = await insertMarket(db, { name: 'Gambela' })
for (const price_value of [1234567.5, 2500, 3000]) {
  await insertPrice(db, { product_id, market_id, price_value, day: daysAgo(0) })
}

const listed = ['/prices', '/products', '/users', '/agents', '/roles', '/journal', '/taux', '/payments']

test('on a phone, search comes first and the first row is above the fold, on every list of lines', async () => {
  await newAccount('agent', { name: 'Paul Ngoy' })
  const page = await open('/profile', { as: admin, viewport: phone })
  for (const path of listed) {
    await goInside(page, path)
    const first = page
      .locator('main ul[aria-busy="false"] > li, main ul:not([aria-busy])[aria-label] > li')
      .first()
    const isEmpty = page
      .getByRole('main')
      .getByText(/^Aucune? /)
      .first()
    await first.or(isEmpty).first().waitFor()
    const top = (await first.or(isEmpty).first().boundingBox())?.y ?? 0
    expect(top, path).toBeLessThan(phone.height - 140)
    await expect
      .poll(() => page.evaluate(() => document.documentElement.scrollWidth), { message: path })
      .toBe(phone.width)
  }
})

test('on a phone the other actions are behind « … », and the filters in one sheet', async () => {
  const page = await open('/prices', { as: admin, viewport: phone })
  await page.getByRole('list', { name: 'Prix' }).getByText('Farine de manioc').first().waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Exporter' }).count()).toBe(0)
  await page.getByRole('button', { name: 'Autres actions' }).click()
  await page.getByRole('button', { name: 'Exporter' }).waitFor()
  await page.getByRole('button', { name: 'Filtres' }).click()
  const sheet = page.getByRole('dialog', { name: 'Filtres' })
  await sheet.getByLabel('Prix maximum').fill('2600')
  await expect.poll(() => sheet.getByRole('button', { name: 'Plus de filtres' }).count()).toBe(0)
  await sheet.getByRole('button', { name: 'Voir les résultats' }).click()
  await page.waitForURL('**/prices?maxPrice=2600')
  await page.getByRole('button', { name: 'Retirer le filtre Prix maximum : 2 600' }).waitFor()
})

test('between 768 and 1 150 px the menu is a rail of icons, and the price never leaves the window', async () => {
  const page = await open('/prices', { as: admin, viewport: { width: 768, height: 900 } })
  for (const width of [768, 900, 1024, 1152, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    await page.getByRole('cell', { name: '2 500 FC' }).waitFor()
    const price = await page.getByRole('columnheader', { name: 'Prix' }).boundingBox()
    expect((price?.x ?? width) + (price?.width ?? width), `${width}`).toBeLessThan(width)
    await expect.poll(() => isOneLine(page, '1 234 567,50 FC'), { message: `${width}` }).toBe(true)
    const menu = await page.getByRole('navigation', { name: 'Menu principal' }).boundingBox()
    expect((menu?.width ?? 0) < 100, `${width}`).toBe(width < 1150)
    await expect
      .poll(() => page.evaluate(() => document.documentElement.scrollWidth), { message: `${width}` })
      .toBe(width)
  }
})

test('the filters of a list are in one row at any width: those without room are behind « Plus de filtres »', async () => {
  const page = await open('/profile', { as: admin, viewport: { width: 768, height: 900 } })
  const bar = page.getByRole('search')
  for (const path of ['/products', '/payments', '/users', '/journal', '/prices']) {
    await goInside(page, path)
    for (const width of [768, 1024, 1152, 1440]) {
      await page.setViewportSize({ width, height: 900 })
      const height = async () => (await bar.boundingBox())?.height ?? 0
      await expect.poll(height, { message: `${path} ${width}` }).toBeLessThan(60)
    }
  }
  await goInside(page, '/products?typeId=1')
  await page.setViewportSize({ width: 768, height: 900 })
  await bar.getByRole('combobox', { name: 'Type' }).waitFor({ state: 'detached' })
  await bar.getByRole('button', { name: 'Plus de filtres (1)' }).click()
  await bar.getByRole('combobox', { name: 'Type' }).waitFor()
  await page.setViewportSize({ width: 1440, height: 900 })
  await bar.getByRole('button', { name: 'Moins de filtres' }).click()
  await bar.getByRole('combobox', { name: 'Type' }).waitFor()
})

test('counters do not change their height during typing', async () => {
  const page = await open('/products', { as: admin })
  const counters = page.getByRole('region', { name: 'Chiffres des produits' })
  await counters.getByText('En tout').first().waitFor()
  const before = await counters.boundingBox()
  await page.getByRole('searchbox').fill('manioc')
  await counters.getByText('Selon la recherche et les filtres').first().waitFor()
  expect((await counters.boundingBox())?.height).toBe(before?.height)
})

test('on a phone the bar at the bottom leads home, to every screen, to the markets and to the account, and covers nothing', async () => {
  const page = await open('/dashboard', { as: admin, viewport: phone })
  const bar = page.getByRole('navigation', { name: 'Navigation' })
  const current = () => bar.locator('[aria-current=page]:visible').allTextContents()
  await bar.getByRole('link', { name: 'Accueil' }).waitFor()
  await expect.poll(current).toEqual(['Accueil'])
  await bar.getByRole('button', { name: 'Services' }).click()
  await page
    .getByRole('dialog', { name: 'Menu' })
    .getByRole('link', { name: 'Statistiques avancées' })
    .click()
  await page.getByRole('heading', { name: 'Statistiques avancées' }).waitFor()
  await expect.poll(current).toEqual([])
  await bar.getByRole('link', { name: 'Marchés' }).click()
  await page.getByRole('list', { name: 'Marchés' }).getByText('Gambela').waitFor()
  await expect.poll(current).toEqual(['Marchés'])
  for (const path of ['/markets', '/prices', '/products/edit/1', '/settings']) {
    await page.goto(url + path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(await coveredAtTheEnd(page), path).toEqual([])
  }
  await bar.getByRole('button', { name: 'Menu' }).click()
  await page.mouse.click(40, 300)
  await expect.poll(() => bar.getByRole('menu').isVisible()).toBe(false)
  await bar.getByRole('button', { name: 'Menu' }).click()
  for (const name of ['Paramètres', 'Se déconnecter']) await bar.getByRole('menuitem', { name }).waitFor()
  await bar.getByRole('menuitem', { name: 'Mon Compte' }).click()
  await page.waitForURL('**/profile')
  await page.setViewportSize({ width: 768, height: 900 })
  await expect.poll(() => bar.count()).toBe(0)
})

test('a dialog fills a phone, and the page behind it does not scroll', async () => {
  const page = await open('/brands', { as: admin, viewport: phone })
  const header = page.locator('[data-app-header]')
  await page.getByRole('button', { name: 'Créer une marque' }).first().waitFor()
  const before = await header.boundingBox()
  await page.getByRole('button', { name: 'Créer une marque' }).first().click()
  const box = await page.getByRole('dialog', { name: 'Créer une marque' }).boundingBox()
  expect([box?.x, box?.width]).toEqual([0, phone.width])
  await expect.poll(() => header.boundingBox()).toEqual(before)
})

test('the bar of a phone is hidden during typing on a touch screen, and its items follow the rights', async () => {
  const page = await open('/prices', { as: admin, viewport: phone, isNew: true })
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setTouchEmulationEnabled', { enabled: true })
  const bar = page.getByRole('navigation', { name: 'Navigation' })
  const search = page.getByRole('searchbox')
  await search.focus()
  await bar.waitFor({ state: 'hidden' })
  await search.blur()
  await bar.waitFor()

  await db.insertInto('role').values({ name: 'lecteur' }).execute()
  const reader = await open('/profile', { as: 'lecteur', viewport: phone })
  await reader
    .getByRole('navigation', { name: 'Navigation' })
    .getByRole('link', { name: 'Accueil' })
    .waitFor()
  await expect.poll(() => reader.getByRole('link', { name: 'Marchés' }).count()).toBe(0)
})

/** Returns the elements under the bar, or under the main action above it, when a page is scrolled to its end. */
function coveredAtTheEnd(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    scrollTo(0, document.documentElement.scrollHeight)
    const covers = [...document.querySelectorAll('[data-bottom-bar], [data-primary-action]')]
    const top = Math.min(...covers.map((cover) => cover.getBoundingClientRect().top))
    return [...document.querySelectorAll('main *')]
      .filter((each) => each.childElementCount === 0 && each.getClientRects().length > 0)
      .filter((each) => !each.closest('[data-primary-action], [popover]'))
      .filter((each) => each.getBoundingClientRect().bottom > top + 0.5)
      .map((each) => each.outerHTML.slice(0, 100))
  })
}

async function isOneLine(page: Page, amount: string): Promise<boolean> {
  const box = await page.getByText(amount, { exact: true }).first().boundingBox()
  return box !== null && box.height < 30
}
