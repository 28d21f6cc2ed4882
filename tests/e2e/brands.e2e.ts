import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { notified, story } from '../support/browser.ts'
import { insertBrand, insertProduct } from '../support/catalogue.ts'

const { db, url, open, newAccount } = await story()
const clerk = await newAccount('collector', { name: 'Charles Ilunga' })
const harvest = Array.from({ length: 30 }, (_, index) => `Récolte ${String(index + 1).padStart(2, '0')}`)
await db
  .insertInto('brand')
  .values(harvest.map((name) => ({ name, country: 'Kenya' })))
  .execute()

test('a brand is created with Enter, and the error about a missing field is shown under it', async () => {
  const page = await open('/brands', { as: clerk })
  await page.getByRole('button', { name: 'Créer une marque' }).first().click()
  const form = page.getByRole('dialog', { name: 'Créer une marque' })
  await page.keyboard.press('Enter')
  await expect.poll(() => errorOf(form, 'Nom')).toBe('Ce champ est obligatoire')
  await expect.poll(() => errorOf(form, 'Pays')).toBe('Ce champ est obligatoire')
  await form.getByLabel('Nom').fill('  Étoile du Congo  ')
  await form.getByLabel('Pays').fill('RD Congo')
  await page.keyboard.press('Enter')
  await notified(page, 'Marque créée avec succès')
  await form.waitFor({ state: 'hidden' })
  const link = page
    .getByRole('list', { name: 'Marques' })
    .getByRole('link', { name: 'Étoile du Congo', exact: true })
  await link.click()
  await page.getByRole('heading', { name: 'Étoile du Congo', level: 1 }).waitFor()
  await expect.poll(() => page.title()).toBe('Étoile du Congo · Ntalo')
})

test('a name that exists, in any case and accents, is refused under its field, and the form is not cleared', async () => {
  await insertBrand(db, 'Kivu Thé')
  const page = await open('/brands', { as: clerk })
  await page.getByRole('button', { name: 'Créer une marque' }).first().click()
  const form = page.getByRole('dialog', { name: 'Créer une marque' })
  await form.getByLabel('Nom').fill('KIVU THE')
  await form.getByLabel('Pays').fill('Rwanda')
  await form.getByRole('button', { name: 'Créer', exact: true }).click()
  await expect.poll(() => errorOf(form, 'Nom')).toBe('Une marque porte déjà ce nom.')
  await expect.poll(() => form.getByLabel('Pays').inputValue()).toBe('Rwanda')
  await form.getByLabel('Nom').fill('Kivu Café')
  await page.keyboard.press('Enter')
  await form.waitFor({ state: 'hidden' })
  await page.getByRole('link', { name: 'Kivu Café', exact: true }).waitFor()
})

test('a brand is edited from its card, and from its own page', async () => {
  await insertBrand(db, 'Simba')
  const page = await open('/brands?search=simba', { as: clerk })
  await page.getByRole('button', { name: 'Modifier « Simba »' }).click()
  const form = page.getByRole('dialog', { name: 'Modifier la marque « Simba »' })
  await expect.poll(() => form.getByLabel('Nom').inputValue()).toBe('Simba')
  await form.getByLabel('Nom').fill('Simba Bière')
  await page.keyboard.press('Enter')
  await notified(page, 'Marque mise à jour avec succès')
  await page.getByRole('link', { name: 'Simba Bière', exact: true }).click()
  await page.getByRole('button', { name: 'Modifier', exact: true }).click()
  await page.getByRole('dialog').getByLabel('Pays').fill('Zambie')
  await page.keyboard.press('Enter')
  await page.getByRole('main').getByText('Zambie').waitFor()
})

test('deleting a brand asks a question that names it, and leads back to the list', async () => {
  const id = await insertBrand(db, 'Éphémère')
  const page = await open(`/products/brands/${id}`, { as: clerk })
  await page.getByRole('button', { name: 'Supprimer', exact: true }).click()
  const question = page.getByRole('alertdialog', { name: 'Supprimer cette marque ?' })
  await question.getByText('Êtes-vous sûr de vouloir supprimer la marque « Éphémère » ?').waitFor()
  await question.getByText('Cette action est irréversible.').waitFor()
  await question.getByRole('button', { name: 'Annuler' }).click()
  await question.waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'Supprimer', exact: true }).click()
  await question.getByRole('button', { name: 'Supprimer' }).click()
  await notified(page, 'Marque supprimée avec succès')
  await page.waitForURL('**/brands')
  expect(await db.selectFrom('brand').select('id').where('id', '=', id).execute()).toEqual([])
  await page.getByRole('list', { name: 'Marques' }).waitFor()
  await expect.poll(() => page.getByText('Éphémère').count()).toBe(0)
})

test('a brand that products use is not deleted: the dialog stays open, says how many use it and leads to them', async () => {
  const brand_id = await insertBrand(db, 'Marsavco')
  for (let count = 0; count < 3; count++) await insertProduct(db, { brand_id })
  const page = await open('/brands?search=marsavco', { as: clerk })
  await page.getByRole('button', { name: 'Supprimer « Marsavco »' }).click()
  const question = page.getByRole('alertdialog', { name: 'Supprimer cette marque ?' })
  await question.getByText('Suppression impossible : 3 produits en dépendent.').waitFor()
  await question.getByRole('button', { name: 'Fermer' }).last().click()
  await page.getByRole('link', { name: 'Marsavco', exact: true }).click()
  await page.getByRole('button', { name: 'Supprimer', exact: true }).click()
  await question.getByRole('link', { name: '3 produits' }).click()
  await page.waitForURL(`**/products?brandId=${brand_id}`)
})

test('when two users edit the same brand, the second is warned, sees the first change and loses no input', async () => {
  const id = await insertBrand(db, 'Skol')
  const page = await open('/brands?search=skol', { as: clerk })
  await page.getByRole('button', { name: 'Modifier « Skol »' }).click()
  await db.updateTable('brand').set({ country: 'Belgique' }).where('id', '=', id).execute()

  const form = page.getByRole('dialog', { name: 'Modifier la marque « Skol »' })
  await form.getByLabel('Nom').fill('Skol Congo')
  await page.keyboard.press('Enter')
  await form.getByRole('alert').getByText('Quelqu’un d’autre a modifié cette fiche entre-temps.').waitFor()
  await form.getByRole('button', { name: 'Recharger' }).click()
  await expect.poll(() => form.getByLabel('Pays').inputValue()).toBe('Belgique')
  await expect.poll(() => form.getByLabel('Nom').inputValue()).toBe('Skol Congo')
  await form.getByRole('button', { name: 'Enregistrer' }).click()
  await form.waitFor({ state: 'hidden' })
  expect(
    await db.selectFrom('brand').select(['name', 'country']).where('id', '=', id).executeTakeFirst(),
  ).toEqual({ name: 'Skol Congo', country: 'Belgique' })
})

test('a brand that another user has deleted meanwhile is reported as deleted, in the list and at its address', async () => {
  const id = await insertBrand(db, 'Disparue')
  const page = await open('/brands?search=disparue', { as: clerk })
  await page.getByRole('button', { name: 'Modifier « Disparue »' }).click()
  await db.deleteFrom('brand').where('id', '=', id).execute()
  const form = page.getByRole('dialog')
  await form.getByLabel('Nom').fill('Revenue')
  await page.keyboard.press('Enter')
  await form.getByRole('alert').getByText('Marque introuvable').waitFor()
  await expect.poll(() => form.getByLabel('Nom').inputValue()).toBe('Revenue')
  await page.goto(`${url}/products/brands/${id}`)
  await page.getByText('Marque introuvable').waitFor()
  await page.goto(`${url}/products/brands/pas-un-nombre`)
  await page.getByText('Marque introuvable').waitFor()
  await page.getByRole('link', { name: 'Liste' }).click()
  await page.waitForURL('**/brands')
})

test('search, filter, order and page are in the address, and survive a reload and the back button', async () => {
  const page = await open('/brands', { as: clerk })
  await page.getByRole('searchbox', { name: 'Rechercher une marque' }).fill('RECOLTE')
  await page.waitForURL('**/brands?search=RECOLTE')
  await page.getByRole('combobox', { name: 'Pays' }).fill('kenya')
  await page.waitForURL('**/brands?search=RECOLTE&country=kenya')
  await page.getByLabel('Tri').selectOption({ label: 'Nom, décroissant' })
  await expect.poll(() => shownNames(page)).toContain('Récolte 30')
  await page.getByRole('button', { name: 'Suivant' }).click()
  await expect.poll(() => shownNames(page)).toContain('Récolte 18')
  const address = page.url()
  expect(new URL(address).search).toBe('?search=RECOLTE&country=kenya&sort=-name&page=2')

  await page.reload()
  await expect.poll(() => shownNames(page)).toContain('Récolte 18')
  await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe('RECOLTE')
  await expect.poll(() => page.getByLabel('Tri').inputValue()).toBe('-name')
  await page.getByRole('link', { name: 'Récolte 18', exact: true }).click()
  await page.getByRole('button', { name: 'Retour' }).click()
  await expect.poll(() => shownNames(page)).toContain('Récolte 18')
  expect(page.url()).toBe(address)
  await page.goBack()
  await expect.poll(() => shownNames(page)).toContain('Récolte 30')
  await page.getByRole('button', { name: 'Retirer le filtre Pays : kenya' }).click()
  await page.waitForURL('**/brands?search=RECOLTE&sort=-name')
  await page.getByRole('button', { name: 'Effacer la recherche' }).click()
  await page.waitForURL('**/brands?sort=-name')
})

test('the page and its size can be typed, and a page past the end is replaced by the last', async () => {
  const page = await open('/brands?search=recolte&page=99', { as: clerk })
  await expect.poll(() => new URL(page.url()).searchParams.get('page')).toBe('3')
  await page.getByRole('navigation', { name: 'Pagination' }).getByText('30 marques').waitFor()
  await page.getByRole('spinbutton', { name: 'Par page' }).fill('10')
  await page.waitForURL('**/brands?search=recolte&limit=10')
  await page.getByRole('spinbutton', { name: 'Page', exact: true }).fill('2')
  await page.waitForURL('**/brands?search=recolte&limit=10&page=2')
  await expect.poll(() => shownNames(page)).toHaveLength(10)
})

test('deleting the only brand of the last page leads to the previous page', async () => {
  for (const name of ['Dernière A', 'Dernière B', 'Dernière C']) await insertBrand(db, name)
  const page = await open('/brands?search=derniere&limit=2&page=2', { as: clerk })
  await page.getByRole('button', { name: 'Supprimer « Dernière C »' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Supprimer' }).click()
  await expect.poll(() => shownNames(page)).toEqual(['Dernière A', 'Dernière B'])
  await page.waitForURL('**/brands?search=derniere&limit=2')
  // The row that had the focus is gone: the title gets it, so that keyboard users continue from there.
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('H1')
})

test('a search without result says so and offers to clear it', async () => {
  const page = await open('/brands?search=zzzz%25_', { as: clerk })
  await page.getByText('Aucune marque trouvée').waitFor()
  await page.getByRole('button', { name: 'Effacer la recherche et les filtres' }).click()
  await page.waitForURL('**/brands')
  await page.getByRole('list', { name: 'Marques' }).getByRole('link').first().waitFor()
})

function shownNames(page: Page): Promise<string[]> {
  return page.getByRole('list', { name: 'Marques' }).getByRole('heading').allInnerTexts()
}

/** Returns the text of the field's description, which a screen reader also reads. */
async function errorOf(form: Locator, label: string): Promise<string | undefined> {
  const field = form.getByLabel(label)
  const id = await field.getAttribute('aria-describedby')
  if (!id || (await field.getAttribute('aria-invalid')) !== 'true') return undefined
  return form.locator(`[id="${id}"]`).innerText()
}
