import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { notified, phone, story } from '../support/browser.ts'
import { faultsOf } from '../support/browser-checks.ts'
import { insertBrand, insertCategory, insertPrice, insertProduct, insertType } from '../support/catalogue.ts'

const { db, url, open, newAccount } = await story()
const clerk = await newAccount('collector', { name: 'Charles Ilunga' })
const cereals = await insertCategory(db, 'Céréales et tubercules')
const rice = await insertType(db, { category_id: cereals, name: 'Riz' })
const maize = await insertType(db, { category_id: cereals, name: 'Maïs' })
const lion = await insertBrand(db, 'Lion')
const simba = await insertBrand(db, 'Simba')

test('a product is created, corrected and deleted from a phone', async () => {
  const name = 'Riz parfumé'
  const page = await open('/products', { as: clerk, viewport: phone })
  await page.getByRole('button', { name: 'Créer un produit' }).first().click()
  const form = page.getByRole('dialog', { name: 'Créer un produit' })
  const submit = form.getByRole('button', { name: 'Créer', exact: true })
  await form.getByLabel('Code').fill(`RIZ-${phone.width}`)
  await form.getByLabel('Nom').fill(name)
  await choose(form, 'Type', 'ri', 'Riz')
  await choose(form, 'Marque', 'LION', 'Lion')
  await form.getByLabel('Poids').fill('25kg')
  await form.getByLabel('Format').fill('Sac')
  await form.getByLabel('Prix').fill('66500')
  await expect.poll(() => form.getByLabel('Devise').inputValue()).toBe('CDF')
  await expect.poll(() => submit.isDisabled()).toBe(true)
  await form.getByLabel('Origine').fill('Thaïlande')
  await submit.click()
  await notified(page, 'Produit créé avec succès')
  await form.waitFor({ state: 'hidden' })

  await page.goto(`${url}/products?search=riz-${phone.width}`)
  const product = rowOf(page, name)
  await product.getByText('25kg · Thaïlande').waitFor()
  await product.getByText('66 500 FC').waitFor()
  await product.getByRole('button', { name: `Modifier « ${name} »` }).click()
  const edit = page.getByRole('dialog', { name: `Modifier le produit « ${name} »` })
  await expect.poll(() => edit.getByRole('combobox', { name: 'Type' }).inputValue()).toBe('Riz')
  await edit.getByLabel('Devise').selectOption('USD')
  await edit.getByLabel('Prix').fill('28.5')
  await edit.getByRole('button', { name: 'Enregistrer' }).click()
  await notified(page, 'Produit mis à jour avec succès')
  await product.getByText('28,50 $US').waitFor()

  await product.getByRole('button', { name: `Supprimer « ${name} »` }).click()
  const question = page.getByRole('alertdialog', { name: 'Supprimer ce produit ?' })
  await question.getByText(`Êtes-vous sûr de vouloir supprimer le produit « ${name} » ?`).waitFor()
  await question.getByText('Cette action est irréversible.').waitFor()
  await question.getByRole('button', { name: 'Supprimer' }).click()
  await notified(page, 'Produit supprimé avec succès')
  await page.getByText('Aucun produit trouvé').waitFor()
})

test('a field of blanks is reported as empty, and the server’s refusals are shown under their fields', async () => {
  await insertProduct(db, { code: 'DÉJÀ-LÀ' })
  const page = await open('/products', { as: clerk })
  await page.getByRole('button', { name: 'Créer un produit' }).first().click()
  const form = page.getByRole('dialog', { name: 'Créer un produit' })
  await fill(form, { code: 'deja-la', name: '   ' })
  await page.keyboard.press('Enter')
  await notified(page, 'Veuillez remplir tous les champs obligatoires')
  await form.getByText('Ce champ est obligatoire').waitFor()
  await form.getByLabel('Nom').fill('Riz')
  await page.keyboard.press('Enter')
  await form.getByText('Un produit porte déjà ce code.', { exact: true }).waitFor()
  await expect.poll(() => form.getByLabel('Origine').inputValue()).toBe('RD Congo')
  await page.keyboard.press('Escape')
  await page.getByRole('alertdialog', { name: 'Abandonner la saisie ?' }).waitFor()
})

test('a product with prices is not deleted: the dialog counts them before any red button, and leads to them', async () => {
  const product_id = await insertProduct(db, { name: 'Sel fin', code: 'SEL-1' })
  for (const day of ['2026-01-01', '2026-01-02']) await insertPrice(db, { product_id, day })
  const page = await open('/products?search=sel-1', { as: clerk })
  await page.getByRole('button', { name: 'Supprimer « Sel fin »' }).click()
  const question = page.getByRole('alertdialog')
  await question.getByText('Suppression impossible : 2 prix en dépendent.').waitFor()
  await expect.poll(() => question.getByRole('button', { name: 'Supprimer' }).count()).toBe(0)
  await question.getByRole('link', { name: '2 prix' }).click()
  await page.waitForURL(`**/prices?productId=${product_id}&period=all`)
})

test('when two users edit the same product, the second is warned and loses no input', async () => {
  const id = await insertProduct(db, { name: 'Farine', code: 'FAR-2', brand_id: lion, type_id: maize })
  const page = await open('/products?search=far-2', { as: clerk })
  await page.getByRole('button', { name: 'Modifier « Farine »' }).click()
  await db.updateTable('product').set({ origin: 'Kenya', brand_id: simba }).where('id', '=', id).execute()
  const form = page.getByRole('dialog')
  await form.getByLabel('Nom').fill('Farine fine')
  await page.keyboard.press('Enter')
  await form.getByRole('alert').getByText('Quelqu’un d’autre a modifié cette fiche entre-temps.').waitFor()
  await form.getByRole('button', { name: 'Recharger' }).click()
  await expect.poll(() => form.getByLabel('Origine').inputValue()).toBe('Kenya')
  await expect.poll(() => form.getByRole('combobox', { name: 'Marque' }).inputValue()).toBe('Simba')
  await expect.poll(() => form.getByLabel('Nom').inputValue()).toBe('Farine fine')
  await form.getByRole('button', { name: 'Enregistrer' }).click()
  await form.waitFor({ state: 'hidden' })
  await page.getByRole('link', { name: /^Farine fine/ }).waitFor()
})

test('filters are in the address, the figures cover all selected rows, and the table is sorted by its headers', async () => {
  const shelf = await insertCategory(db, 'Rayon')
  const soap = await insertType(db, { category_id: shelf, name: 'Savon' })
  const oil = await insertType(db, { category_id: shelf, name: 'Huile' })
  await db
    .insertInto('product')
    .values(
      Array.from({ length: 12 }, (_, i) => ({
        code: `RAY-${i}`,
        name: `Éponge ${String(i).padStart(2, '0')}`,
        type_id: i < 8 ? soap : oil,
        brand_id: i % 2 ? lion : simba,
        weight: '1kg',
        price: 100 * (i + 1),
        origin: i < 6 ? 'Égypte' : 'Zambie',
        format: 'Détail',
      })),
    )
    .execute()
  const page = await open('/products', { as: clerk })
  await choose(page.getByRole('main'), 'Catégorie', 'ray', 'Rayon')
  await page.waitForURL(`**/products?categoryId=${shelf}`)
  await expect.poll(() => figuresOf(page)).toMatchObject({ Produits: '12', Types: '2', Marques: '2' })
  await page.getByRole('navigation', { name: 'Pagination' }).getByText('12 produits').waitFor()
  await page.getByRole('button', { name: 'Suivant' }).click()
  await expect.poll(() => namesOf(page)).toEqual(['Éponge 10', 'Éponge 11'])

  await page.getByRole('searchbox').fill('EPONGE 0')
  await expect.poll(() => figuresOf(page)).toMatchObject({ Produits: '11' })
  await choose(page.getByRole('main'), 'Type', 'sav', 'Savon')
  await expect.poll(() => page.getByRole('navigation', { name: 'Pagination' }).count()).toBe(0)
  await choose(page.getByRole('main'), 'Marque', 'lio', 'Lion')
  await page.getByRole('button', { name: 'Plus de filtres' }).click()
  await page.getByLabel('Prix min.').fill('300')
  await page.waitForURL('**minPrice=300**')
  await page.getByLabel('Prix max.').fill('600')
  await page.waitForURL('**maxPrice=600**')
  await page.getByLabel('Origine').fill('egypte')
  await page.waitForURL('**origin=egypte**')
  await page.getByLabel('Devise').selectOption('CDF')
  await page.getByLabel('Format').fill('détail')
  await page.waitForURL('**format=**')
  await expect.poll(() => namesOf(page)).toEqual(['Éponge 03', 'Éponge 05'])
  await page.getByRole('button', { name: 'Prix', exact: true }).click()
  await page.getByRole('button', { name: 'Prix', exact: true }).click()
  await expect.poll(() => namesOf(page)).toEqual(['Éponge 05', 'Éponge 03'])

  await page.reload()
  await expect.poll(() => namesOf(page)).toEqual(['Éponge 05', 'Éponge 03'])
  await page.getByRole('button', { name: 'Retirer le filtre Marque : Lion' }).click()
  await page.getByRole('button', { name: 'Retirer le filtre Prix maximum : 600' }).click()
  await expect.poll(() => namesOf(page)).toEqual(['Éponge 05', 'Éponge 04', 'Éponge 03', 'Éponge 02'])
  await page.getByRole('searchbox').fill('rien de tel')
  await page.getByText('Aucun produit trouvé').waitFor()
  await page.getByRole('button', { name: 'Effacer la recherche et les filtres' }).click()
  await page.waitForURL('**/products?sort=-price')
})

test('products that do not load say why, and can be tried again', async () => {
  const page = await open('/dashboard', { as: clerk })
  await page.route('**/api/products?**', (route) => route.abort())
  await page.getByRole('link', { name: 'Produits' }).first().click()
  await page.getByText('Erreur lors du chargement des produits').waitFor()
  await page.getByText('Veuillez vérifier votre connexion et réessayer').waitFor()
  await page.unroute('**/api/products?**')
  await page.getByRole('button', { name: 'Réessayer' }).click()
  await page.getByRole('table', { name: 'Produits' }).getByRole('link').first().waitFor()
})

test('types have their tab: created, filtered by a category that is named, shown, edited, deleted', async () => {
  const drinks = await insertCategory(db, 'Boissons')
  const page = await open('/products', { as: clerk })
  await page.getByRole('tab', { name: 'Types de Produits' }).click()
  await page.waitForURL('**/products?tab=types')
  await page.getByRole('button', { name: 'Créer un type de produit' }).first().click()
  const form = page.getByRole('dialog', { name: 'Créer un type de produit' })
  await form.getByLabel('Nom').fill('Bière')
  await page.keyboard.press('Enter')
  await form.getByText('Choisissez une catégorie').waitFor()
  await choose(form, 'Catégorie', 'bois', 'Boissons')
  await form.getByRole('button', { name: 'Créer', exact: true }).click()
  await notified(page, 'Type de produit créé avec succès')

  await choose(page.getByRole('main'), 'Catégorie', 'bois', 'Boissons')
  await page.waitForURL(`**/products?tab=types&categoryId=${drinks}`)
  await page.reload()
  await page.getByRole('button', { name: 'Retirer le filtre Catégorie : Boissons' }).waitFor()
  const cards = page.getByRole('list', { name: 'Types de produits' }).getByRole('listitem')
  await expect.poll(() => cards.count()).toBe(1)
  await page.getByRole('button', { name: 'Détails de « Bière »' }).click()
  const details = page.getByRole('dialog', { name: 'Bière' })
  await details.getByText('Boissons').waitFor()
  expect(await faultsOf(page)).toEqual([])
  await details.getByRole('button', { name: 'Modifier' }).click()
  const edit = page.getByRole('dialog', { name: 'Modifier le type de produit « Bière »' })
  await expect.poll(() => edit.getByRole('combobox', { name: 'Catégorie' }).inputValue()).toBe('Boissons')
  await edit.getByLabel('Nom').fill('Bière blonde')
  await page.keyboard.press('Enter')
  await notified(page, 'Type de produit mis à jour avec succès')

  await page.getByRole('button', { name: 'Supprimer « Bière blonde »' }).click()
  const question = page.getByRole('alertdialog', { name: 'Supprimer ce type de produit ?' })
  await question.getByRole('button', { name: 'Supprimer' }).click()
  await notified(page, 'Type de produit supprimé avec succès')
  await page.getByText('Aucun type de produit trouvé').waitFor()
  await page.getByRole('button', { name: 'Effacer la recherche et les filtres' }).click()
  await page.waitForURL('**/products?tab=types')
  await page.getByRole('tab', { name: 'Types de Produits', selected: true }).press('ArrowLeft')
  await page.getByRole('heading', { name: 'Produits', exact: true }).waitFor()
})

test('the tabs, the filters and the dialogs are readable in every window, in light and in dark', async () => {
  await insertProduct(db, { name: 'Haricots', code: 'HAR-1', type_id: rice, brand_id: lion })
  const page = await open('/products?tab=types', { as: clerk })
  await page.getByRole('heading', { name: 'Riz', exact: true }).waitFor()
  expect(await faultsOf(page)).toEqual([])
  await page.goto(`${url}/products?search=har-1&minPrice=0`)
  await page.getByRole('button', { name: /^Plus de filtres/ }).click()
  await page.getByText('Aucun produit trouvé').waitFor()
  expect(await faultsOf(page)).toEqual([])
  await page.goto(`${url}/products?search=har-1`)
  await page.getByRole('button', { name: 'Modifier « Haricots »' }).click()
  await page.getByRole('dialog').getByLabel('Code').waitFor()
  expect(await faultsOf(page)).toEqual([])
  await page.keyboard.press('Escape')
  await page.setViewportSize(phone)
  await page.getByRole('button', { name: 'Filtres' }).click()
  await page.getByRole('dialog', { name: 'Filtres' }).waitFor()
  expect(await faultsOf(page, [360])).toEqual([])
})

function rowOf(page: Page, name: string): Locator {
  const isPhone = (page.viewportSize()?.width ?? 0) < 1024
  const place = isPhone ? page.getByRole('list', { name: 'Produits' }) : page.getByRole('table')
  return place.getByRole(isPhone ? 'listitem' : 'row').filter({ hasText: name })
}

function namesOf(page: Page): Promise<string[]> {
  return page.getByRole('row').locator('a[href^="/products/detail/"] .font-medium').allInnerTexts()
}

/** Returns the figures above the list, by the first word of their labels. */
async function figuresOf(page: Page): Promise<Record<string, string>> {
  const texts = await page
    .getByRole('region', { name: 'Chiffres des produits' })
    .locator('> div')
    .allInnerTexts()
  return Object.fromEntries(
    texts
      .map((text) => text.split(/\s*\n\s*/))
      .map(([label = '', value = '']) => [label.split(' ')[0], value]),
  )
}

async function choose(within: Locator, label: string, typed: string, option: string): Promise<void> {
  await within.getByRole('combobox', { name: label }).fill(typed)
  await within.page().getByRole('option', { name: option }).first().click()
}

async function fill(form: Locator, texts: { code: string; name: string }): Promise<void> {
  await form.getByLabel('Code').fill(texts.code)
  await choose(form, 'Type', 'ri', 'Riz')
  await choose(form, 'Marque', 'lion', 'Lion')
  await form.getByLabel('Poids').fill('1kg')
  await form.getByLabel('Format').fill('Sac')
  await form.getByLabel('Origine').fill('RD Congo')
  await form.getByLabel('Nom').fill(texts.name)
}
