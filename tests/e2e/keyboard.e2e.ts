import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { notified, password, phone, story } from '../support/browser.ts'
import { hasFocus, tabTo } from '../support/browser-checks.ts'
import { insertBrand, insertMarket, insertProduct } from '../support/catalogue.ts'

const { db, open, newAccount } = await story()
const aline = await newAccount('admin', { name: 'Aline Mbuyi' })
await insertBrand(db, 'Bralima')

test('a user signs in, reaches the menu, creates a brand and signs out with the keyboard alone', async () => {
  const page = await open('/auth/login')
  await tabTo(page, page.getByLabel('Email'))
  await page.keyboard.type(aline.email)
  await tabTo(page, page.getByRole('textbox', { name: 'Mot de passe' }))
  await page.keyboard.type(password)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/dashboard')
  await page.getByRole('heading', { name: 'Bonjour' }).waitFor()

  await tabTo(page, page.getByRole('link', { name: 'Marques' }).first())
  await page.keyboard.press('Enter')
  // The title of the new page has the focus, so that a screen reader reads it.
  await expect.poll(() => hasFocus(page.getByRole('heading', { name: 'Marques' }))).toBe(true)
  await tabTo(page, page.getByRole('button', { name: 'Créer une marque' }))
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Créer une marque' }).waitFor()
  await page.keyboard.type('Kin Savon')
  await tabTo(page, page.getByRole('dialog').getByLabel('Pays'))
  await page.keyboard.type('RD Congo')
  await tabTo(page, page.getByRole('button', { name: 'Créer', exact: true }))
  await page.keyboard.press('Space')
  await notified(page, 'Marque créée avec succès')
  await expect.poll(() => hasFocus(page.getByRole('button', { name: 'Créer une marque' }))).toBe(true)

  await tabTo(page, page.getByRole('button', { name: 'Compte de' }))
  await page.keyboard.press('Enter')
  await expect.poll(() => hasFocus(page.getByRole('menuitem').first())).toBe(true)
  await page.keyboard.press('Escape')
  await expect.poll(() => hasFocus(page.getByRole('button', { name: 'Compte de' }))).toBe(true)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('End')
  await expect.poll(() => hasFocus(page.getByRole('menuitem', { name: 'Se déconnecter' }))).toBe(true)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/auth/login')
})

test('the first tab stop of a page leads past the menu to the content', async () => {
  const page = await open('/brands', { as: aline })
  await page.getByRole('link', { name: 'Bralima', exact: true }).waitFor()
  await tabTo(page, page.getByRole('link', { name: 'Aller au contenu' }))
  await page.keyboard.press('Enter')
  await expect.poll(() => hasFocus(page.getByRole('main'))).toBe(true)
  await tabTo(page, page.getByRole('button', { name: 'Créer une marque' }))
})

test('every tab stop of a list is visible, from the first to the last', async () => {
  const page = await open('/brands', { as: aline })
  await tabTo(page, page.getByRole('button', { name: 'Supprimer « Bralima »' }))
  await tabTo(page, page.getByRole('spinbutton', { name: 'Par page' }))
})

test('Escape closes a dialog, asks first only when a field was changed, and restores the focus', async () => {
  const page = await open('/brands', { as: aline })
  const opener = page.getByRole('button', { name: 'Créer une marque' })
  await opener.click()
  const form = page.getByRole('dialog', { name: 'Créer une marque' })
  await expect.poll(() => hasFocus(form.getByLabel('Nom'))).toBe(true)
  await page.keyboard.press('Escape')
  await form.waitFor({ state: 'hidden' })
  await expect.poll(() => hasFocus(opener)).toBe(true)

  await page.keyboard.press('Enter')
  await page.keyboard.type('Abandon')
  await page.keyboard.press('Escape')
  const question = page.getByRole('alertdialog', { name: 'Abandonner la saisie ?' })
  await question.waitFor()
  await expect.poll(() => hasFocus(question.getByRole('button', { name: 'Continuer la saisie' }))).toBe(true)
  await page.keyboard.press('Escape')
  await question.waitFor({ state: 'hidden' })
  await expect.poll(() => form.getByLabel('Nom').inputValue()).toBe('Abandon')
  await page.keyboard.press('Escape')
  await question.getByRole('button', { name: 'Abandonner', exact: true }).click()
  await form.waitFor({ state: 'hidden' })
  await expect.poll(() => hasFocus(opener)).toBe(true)

  await page.getByRole('button', { name: 'Supprimer « Bralima »' }).click()
  await page.getByRole('alertdialog').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('alertdialog').waitFor({ state: 'hidden' })
})

test('products are added to the list of a market one after the other, also while one is being saved', async () => {
  const market_id = await insertMarket(db)
  for (const name of ['Fretin séché', 'Pondu pilé']) await insertProduct(db, { name })
  const page = await open(`/markets/${market_id}`, { as: aline })
  const box = page.getByRole('combobox', { name: 'Ajouter un produit' })
  const held = Promise.withResolvers<void>()
  await page.route('**/api/collection/lists/*', async (route) => {
    if (route.request().method() === 'PUT') await held.promise
    await route.continue()
  })
  await box.fill('fretin')
  await page.getByRole('option', { name: /Fretin séché/ }).waitFor()
  await page.keyboard.press('Enter')
  await expect.poll(() => hasFocus(box)).toBe(true)
  await page.keyboard.type('pondu')
  await page.getByRole('option', { name: /Pondu pilé/ }).waitFor()
  await page.keyboard.press('Enter')
  held.resolve()
  for (const name of ['Fretin séché', 'Pondu pilé']) {
    await page.getByRole('button', { name: `Retirer ${name}, 1kg` }).waitFor()
  }
  const listed = db.selectFrom('market_list').select('product_id').where('market_id', '=', market_id)
  expect(await listed.execute()).toHaveLength(2)
})

test('going back asks first when a field was changed', async () => {
  const page = await open('/dashboard', { as: aline })
  await page
    .getByRole('navigation', { name: 'Menu principal' })
    .getByRole('link', { name: 'Marques' })
    .click()
  await page.getByRole('button', { name: 'Créer une marque' }).first().click()
  await page.keyboard.type('Pas perdue')
  await goBack(page)
  const question = page.getByRole('alertdialog', { name: 'Abandonner la saisie ?' })
  await question.getByRole('button', { name: 'Continuer la saisie' }).click()
  await expect.poll(() => page.getByRole('dialog').getByLabel('Nom').inputValue()).toBe('Pas perdue')
  await goBack(page)
  await question.getByRole('button', { name: 'Abandonner', exact: true }).click()
  await page.waitForURL('**/dashboard')
})

test('closing the tab asks first when a field was changed, and only then', async () => {
  const page = await open('/brands', { as: aline })
  await page.getByRole('button', { name: 'Créer une marque' }).first().click()
  await page.keyboard.type('Pas perdue')
  const asked = page.waitForEvent('dialog')
  await page.close({ runBeforeUnload: true })
  const question = await asked
  expect(question.type()).toBe('beforeunload')
  await question.dismiss()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Abandonner', exact: true }).click()
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  const closed = page.waitForEvent('close')
  await page.close({ runBeforeUnload: true })
  await closed
})

test.each(['Control', 'Meta'])('%s+B folds the menu, and it stays folded for a week', async (key) => {
  const page = await open('/dashboard', { as: aline })
  const sign = page.getByRole('button', { name: 'Replier le menu' })
  await sign.waitFor()
  const nav = page.getByRole('navigation', { name: 'Menu principal' })
  const wide = await widthOf()
  await page.keyboard.press(`${key}+b`)
  await page.getByRole('button', { name: 'Déplier le menu' }).waitFor()
  await expect.poll(widthOf).toBeLessThan(wide / 2)
  const [cookie] = (await page.context().cookies()).filter(({ name }) => name === 'sidebar_state')
  expect(cookie).toMatchObject({ value: 'false', path: '/' })
  expect(Math.abs(Number(cookie?.expires) - Date.now() / 1000 - 604_800)).toBeLessThan(120)

  await page.reload()
  await page.getByRole('button', { name: 'Déplier le menu' }).waitFor()
  await expect.poll(() => nav.getByRole('link', { name: 'Marques' }).count()).toBe(1)
  await page.keyboard.press(`${key}+b`)
  await sign.waitFor()

  async function widthOf(): Promise<number> {
    return (await nav.boundingBox())?.width ?? 0
  }
})

test('on a small laptop the menu, folded at first, stays unfolded once it was unfolded', async () => {
  const page = await open('/dashboard', { as: aline, viewport: { width: 1024, height: 768 } })
  await page.getByRole('button', { name: 'Déplier le menu' }).click()
  const fold = page.getByRole('button', { name: 'Replier le menu' })
  await fold.waitFor()
  await page.reload()
  await fold.click()
  await page.reload()
  await page.getByRole('button', { name: 'Déplier le menu' }).waitFor()
})

test('on a phone the menu is a drawer: a button opens it; a choice, Escape or a tap beside it closes it', async () => {
  const page = await open('/dashboard', { as: aline, viewport: phone })
  const opener = page.getByRole('button', { name: 'Ouvrir le menu' })
  const drawer = page.getByRole('dialog', { name: 'Menu' })
  await opener.click()
  await drawer.getByRole('link', { name: 'Marques' }).click()
  await drawer.waitFor({ state: 'hidden' })
  await page.getByRole('heading', { name: 'Marques' }).waitFor()
  await opener.click()
  await drawer.waitFor()
  await page.keyboard.press('Escape')
  await drawer.waitFor({ state: 'hidden' })
  await expect.poll(() => hasFocus(opener)).toBe(true)
  await opener.click()
  await drawer.waitFor()
  await page.mouse.click(320, 300)
  await drawer.waitFor({ state: 'hidden' })
  await opener.click()
  await drawer.getByRole('button', { name: 'Fermer le menu' }).click()
  await drawer.waitFor({ state: 'hidden' })
})

/** Goes back in the page's own history; Playwright's method waits for a page that the question blocks. */
async function goBack(page: Page): Promise<void> {
  await page.evaluate(() => history.back())
}
