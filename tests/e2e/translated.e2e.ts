import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { dayInKinshasa } from '#shared/days.ts'
import { story } from '../support/browser.ts'
import { insertMarket, insertPrice, insertProduct } from '../support/catalogue.ts'

const { db, open, newAccount } = await story()
const admin = await newAccount('admin', { name: 'Aimée Mbuyi' })
for (const name of ['Béa', 'Cécile', 'Denis']) await newAccount('agent', { name: `${name} Agent` })
const market_id = await insertMarket(db, { name: 'Gambela' })
const at = new Date(Date.now() - 1_000).toISOString()
const day = dayInKinshasa(at)
for (let n = 0; n < 14; n++) {
  const product_id = await insertProduct(db, { name: `Produit ${String(n).padStart(2, '0')}` })
  await insertPrice(db, { product_id, market_id, price_value: 1000 + n, at, day })
}

/** Changes every text of the page, and those added later, as a browser's translation does. */
async function translate(page: Page): Promise<void> {
  await page.evaluate(() => {
    const wrap = (text: Text) => {
      const parent = text.parentElement
      if (!parent || !text.data.trim() || parent.closest('font, script, style, svg, textarea, option')) return
      const [outer, inner] = [document.createElement('font'), document.createElement('font')]
      inner.textContent = text.data
      outer.append(inner)
      text.replaceWith(outer)
    }
    const wrapAll = (root: Node) => {
      const texts: Text[] = []
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
      for (let node = walker.nextNode(); node; node = walker.nextNode()) texts.push(node as Text)
      for (const text of texts) wrap(text)
    }
    wrapAll(document.body)
    new MutationObserver((records) => {
      for (const { target, addedNodes } of records) {
        for (const node of addedNodes) {
          if (node instanceof Text) wrap(node)
          else if (node.isConnected) wrapAll(node)
        }
        if (target instanceof Text && target.isConnected) wrap(target)
      }
    }).observe(document.body, { childList: true, subtree: true, characterData: true })
  })
}

const failuresOf = (page: Page) => {
  const failures: string[] = []
  page.on('pageerror', ({ message }) => failures.push(message))
  return failures
}
const body = async (page: Page) => (await page.locator('main').innerText()).replaceAll(/\s/g, ' ')

test('the list of users, translated by the browser, shows the figures of its filters', async () => {
  const page = await open('/users?limit=2', { as: admin })
  const failures = failuresOf(page)
  const pagination = page.getByRole('navigation', { name: 'Pagination' })
  await pagination.getByText('Page 1 sur 2').waitFor()
  await translate(page)
  await expect.poll(() => page.locator('font').count()).toBeGreaterThan(20)
  await expect.poll(() => pagination.innerText()).toContain('4 utilisateurs')

  await pagination.getByRole('button', { name: 'Suivant' }).click()
  await expect.poll(() => pagination.innerText()).toContain('Page 2 sur 2')
  await page.getByRole('searchbox').fill('Cécile')
  await expect.poll(() => pagination.innerText()).toMatch(/Page 1 sur 1[\s·]*1 utilisateur$/m)
  await expect.poll(() => page.getByRole('row').count()).toBe(2)
  const total = page.getByRole('region', { name: 'Chiffres des utilisateurs' })
  await expect.poll(() => total.innerText()).toMatch(/^Total\s+1\s/)
  await page.getByRole('searchbox').fill('')
  await expect.poll(() => pagination.innerText()).toContain('4 utilisateurs')
  await expect.poll(() => total.innerText()).toMatch(/^Total\s+4\s/)

  await page.getByRole('button', { name: 'Créer un utilisateur' }).first().click()
  const form = page.getByRole('dialog', { name: 'Créer un utilisateur' })
  await form.getByRole('button', { name: 'Créer', exact: true }).click()
  await form.getByText('Ce champ est obligatoire').first().waitFor()
  await form.getByLabel('Nom').fill('Sifa')
  await form.getByRole('button', { name: 'Annuler' }).click()
  expect(failures).toEqual([])
})

test('prices, translated by the browser, are filtered, sorted, paged and opened with the right figures', async () => {
  const page = await open('/prices?limit=10', { as: admin })
  const failures = failuresOf(page)
  await page.getByText('1 013 FC').first().waitFor()
  await translate(page)
  const pagination = page.getByRole('navigation', { name: 'Pagination' })
  await expect.poll(() => pagination.innerText()).toContain('14 prix')
  await pagination.getByRole('button', { name: 'Suivant' }).click()
  await expect.poll(() => pagination.innerText()).toContain('Page 2 sur 2')
  await expect.poll(() => page.getByRole('row').count()).toBe(5)
  await page.getByRole('button', { name: 'Prix', exact: true }).click()
  await page.getByRole('searchbox').fill('Produit 07')
  await expect.poll(() => pagination.innerText()).toMatch(/1 prix$/m)
  await expect.poll(() => body(page)).not.toContain('14 prix')
  for (const period of ['7j', 'Tout', 'Aujourd’hui', '30j']) {
    await page.getByRole('button', { name: period, exact: true }).click()
    await page.locator(`button[aria-pressed=true]`, { hasText: period }).waitFor()
    await expect.poll(() => body(page)).toContain('1 007 FC')
  }
  await page
    .getByRole('button', { name: /^Modifier/ })
    .first()
    .click()
  const form = page.getByRole('dialog', { name: 'Modifier le prix' })
  await form.getByLabel('Prix').fill('2000')
  await form.getByRole('button', { name: 'Enregistrer' }).click()
  await expect.poll(() => body(page)).toContain('2 000 FC')
  await expect.poll(() => body(page)).not.toContain('1 007 FC')
  expect(failures).toEqual([])
})

const screens = [
  '/dashboard',
  '/dashboard/stats',
  '/products',
  '/brands',
  '/markets',
  '/agents',
  '/roles',
  '/payments',
  '/journal',
]

test('every screen, translated by the browser, leads to the next without an error', async () => {
  const page = await open('/settings', { as: admin })
  const failures = failuresOf(page)
  await translate(page)
  for (const path of screens) {
    await page.evaluate((to) => {
      history.pushState(null, '', to)
      dispatchEvent(new PopStateEvent('popstate'))
    }, path)
    await expect.poll(() => page.locator('main h1').count()).toBe(1)
    await expect.poll(() => page.locator('main [aria-busy=true]').count()).toBe(0)
    await expect.poll(() => page.getByText('Une erreur est survenue').count(), { message: path }).toBe(0)
  }
  expect(failures).toEqual([])
})
