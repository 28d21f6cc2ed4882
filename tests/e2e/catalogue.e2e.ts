import { sql } from 'kysely'
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { desktop, notified, phone, story } from '../support/browser.ts'
import { faultsOf } from '../support/browser-checks.ts'
import {
  insertBrand,
  insertCategory,
  insertMarket,
  insertPrice,
  insertProduct,
  insertType,
} from '../support/catalogue.ts'
import { daysAgo } from '../support/market-days.ts'

const { db, url, open, newAccount } = await story()
const clerk = await newAccount('collector', { name: 'Charles Ilunga' })
const reader = await newAccount('manager')

test('a category is created, corrected and deleted from a phone', async () => {
  const name = 'Épices'
  const page = await open('/categories', { as: clerk, viewport: phone })
  await page.getByRole('button', { name: 'Créer une catégorie' }).first().click()
  const form = page.getByRole('dialog', { name: 'Créer une catégorie' })
  const submit = form.getByRole('button', { name: 'Créer', exact: true })
  await expect.poll(() => submit.isDisabled()).toBe(true)
  await form.getByLabel('Nom').fill('  ')
  await expect.poll(() => submit.isDisabled()).toBe(true)
  await form.getByLabel('Nom').fill(name)
  await form.getByLabel('Description').fill('Piments, gingembre, ail')
  await submit.click()
  await notified(page, 'Catégorie créée avec succès')
  const card = cardOf(page, name)
  await card.getByText('Piments, gingembre, ail').waitFor()

  await card.getByRole('button', { name: `Modifier « ${name} »` }).click()
  await page.getByRole('dialog').getByLabel('Description').fill('')
  await page.getByRole('button', { name: 'Enregistrer' }).click()
  await notified(page, 'Catégorie mise à jour avec succès')
  await card.getByText('Sans description').waitFor()

  await card.getByRole('button', { name: `Supprimer « ${name} »` }).click()
  const question = page.getByRole('alertdialog', { name: 'Supprimer cette catégorie ?' })
  await question.getByText(`Êtes-vous sûr de vouloir supprimer la catégorie « ${name} » ?`).waitFor()
  await question.getByRole('button', { name: 'Supprimer' }).click()
  await notified(page, 'Catégorie supprimée avec succès')
  await card.waitFor({ state: 'hidden' })
})

test('two brands are merged: the target is found by search, and a brand is not merged with itself', async () => {
  const [target, twin] = [await insertBrand(db, 'Maltina'), await insertBrand(db, 'Maltina Congo')]
  await insertProduct(db, { brand_id: twin, name: 'Boisson maltée' })
  const page = await open('/brands?search=maltina', { as: clerk, viewport: phone })
  await page.getByRole('button', { name: 'Fusionner « Maltina Congo »' }).click()
  const dialog = page.getByRole('dialog', { name: 'Fusionner « Maltina Congo »' })
  const submit = dialog.getByRole('button', { name: 'Fusionner' })
  await expect.poll(() => submit.isDisabled()).toBe(true)
  await dialog.getByText('La marque « Maltina Congo » disparaît, et ses produits').waitFor()
  const choose = async (name: string) => {
    await dialog.getByRole('combobox', { name: 'Avec' }).fill(name)
    await page.getByRole('option', { name, exact: true }).click()
  }
  await choose('Maltina Congo')
  await dialog.getByText('Choisissez-en une autre.').waitFor()
  await expect.poll(() => submit.isDisabled()).toBe(true)
  await choose('Maltina')
  expect(await faultsOf(page, [phone.width])).toEqual([])
  await submit.click()
  await notified(page, 'Marque fusionnée avec succès')
  await cardOf(page, 'Maltina Congo').waitFor({ state: 'hidden' })
  const { rows } = await sql<{ brand_id: number }>`
    select brand_id from product where name = 'Boisson maltée'`.execute(db)
  expect(rows).toEqual([{ brand_id: target }])
})

test('the details of a category open in a dialog that leads to its form and its products', async () => {
  const id = await insertCategory(db, 'Céréales')
  await insertProduct(db, { type_id: await insertType(db, { category_id: id }), name: 'Riz parfumé' })
  const page = await open('/categories?search=cereales', { as: clerk })
  await page.getByRole('button', { name: 'Détails de « Céréales »' }).click()
  const details = page.getByRole('dialog', { name: 'Céréales' })
  await expect.poll(() => factOf(details, 'Produits')).toBe('1')
  await details.getByRole('button', { name: 'Modifier' }).click()
  await page.getByRole('dialog', { name: 'Modifier la catégorie « Céréales »' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Produits de « Céréales »' }).click()
  await page.waitForURL(`**/products?categoryId=${id}`)
  await page.getByText('Riz parfumé').first().waitFor()
})

test('the counters of categories follow the search, which ignores case and accents', async () => {
  const id = await insertCategory(db, 'Maïs et dérivés')
  await insertCategory(db, 'Autre chose')
  await insertProduct(db, { type_id: await insertType(db, { category_id: id }) })
  await insertType(db, { category_id: id })
  const page = await open('/categories', { as: clerk })
  await page.getByRole('searchbox', { name: 'Rechercher une catégorie' }).fill('MAIS')
  await page.waitForURL('**/categories?search=MAIS')
  const figures = page.getByRole('region', { name: 'Chiffres des catégories' })
  await expect.poll(() => figuresOf(figures)).toEqual({ Catégories: '1', Types: '2', Produits: '1' })
  await expect
    .poll(() => page.getByRole('list', { name: 'Catégories' }).getByRole('heading').allInnerTexts())
    .toEqual(['Maïs et dérivés'])
  await page.getByRole('searchbox').fill('rien de tel')
  await page.getByText('Aucune catégorie trouvée').waitFor()
  await expect.poll(() => figuresOf(figures)).toEqual({ Catégories: '0', Types: '0', Produits: '0' })
})

test('a category in use is not deleted: the dialog counts its uses', async () => {
  const id = await insertCategory(db, 'Boissons')
  const type_id = await insertType(db, { category_id: id })
  for (let count = 0; count < 2; count++) await insertProduct(db, { type_id })
  const page = await open('/categories?search=boissons', { as: clerk })
  await page.getByRole('button', { name: 'Supprimer « Boissons »' }).click()
  const question = page.getByRole('alertdialog')
  await question.getByText('Suppression impossible : 1 type de produit en dépend.').waitFor()
  await expect.poll(() => question.getByRole('button', { name: 'Supprimer' }).count()).toBe(0)
  await question.getByRole('link', { name: '1 type de produit' }).click()
  await page.waitForURL(`**/products?tab=types&categoryId=${id}`)
})

test('when two users edit the same market, the second is warned and loses no input', async () => {
  const id = await insertMarket(db, { name: 'Gambela' })
  const page = await open('/markets?search=gambela', { as: clerk })
  await page.getByRole('button', { name: /^Modifier « Gambela/ }).click()
  const theirs = { province: 'Ituri', name: 'Gambela Ouest' }
  await db.updateTable('market').set(theirs).where('id', '=', id).execute()
  const form = page.getByRole('dialog')
  await form.getByLabel('Nom').fill('Gambela Est')
  await page.keyboard.press('Enter')
  await form.getByRole('alert').getByText('Quelqu’un d’autre a modifié cette fiche entre-temps.').waitFor()
  await form.getByRole('button', { name: 'Recharger' }).click()
  await expect.poll(() => form.getByLabel('Province').inputValue()).toBe('Ituri')
  await expect.poll(() => form.getByLabel('Nom').inputValue()).toBe('Gambela Est')
  await form.getByText('Quelqu’un d’autre a changé ce champ').first().waitFor()
  await form.getByRole('button', { name: 'Enregistrer' }).click()
  await notified(page, 'Marché mis à jour avec succès')
  expect(await marketNamed('Gambela Est')).toMatchObject({ province: 'Ituri' })
})

test('a market is created from a phone, with the time zone of its province, and deleted again', async () => {
  const page = await open('/markets', { as: clerk, viewport: phone })
  await page.getByRole('button', { name: 'Créer un marché' }).first().click()
  const form = page.getByRole('dialog', { name: 'Créer un marché' })
  await expect.poll(() => optionsOf(form.getByLabel('Province'))).toHaveLength(27)
  await form.getByLabel('Nom').fill('Marché Virunga')
  await form.getByLabel('Lieu').fill('Goma')
  await form.getByLabel('Province').selectOption('Nord-Kivu')
  await expect.poll(() => optionsOf(form.getByLabel('Fuseau horaire'))).toContain('Selon la province (UTC+2)')
  await form.getByLabel('Latitude').fill('-1,6585')
  await form.getByRole('button', { name: 'Créer', exact: true }).click()
  await form.getByText('La latitude et la longitude vont ensemble').first().waitFor()
  await form.getByLabel('Longitude').fill('200')
  await form.getByRole('button', { name: 'Créer', exact: true }).click()
  await form.getByText('Un nombre de degrés de -180 à 180 est attendu').waitFor()
  await form.getByLabel('Longitude').fill('29.2203')
  await form.getByRole('button', { name: 'Créer', exact: true }).click()
  await notified(page, 'Marché créé avec succès')
  expect(await marketNamed('Marché Virunga')).toMatchObject({
    location: 'Goma',
    province: 'Nord-Kivu',
    latitude: -1.6585,
    longitude: 29.2203,
    time_zone: 'Africa/Lubumbashi',
  })
  const card = cardOf(page, 'Marché Virunga, Goma')
  expect(await faultsOf(page, [360])).toEqual([])
  await card.getByRole('button', { name: /^Supprimer/ }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Supprimer' }).click()
  await notified(page, 'Marché supprimé avec succès')
})

test('choosing another province changes the time zone, unless a zone was chosen', async () => {
  await insertMarket(db, { name: 'Marché Salongo', time_zone: 'Africa/Lubumbashi' })
  const page = await open('/markets?search=salongo', { as: clerk })
  const edit = async (change: (form: Locator) => Promise<unknown>) => {
    await page.getByRole('button', { name: /^Modifier « Marché Salongo/ }).click()
    const form = page.getByRole('dialog')
    await change(form)
    await form.getByRole('button', { name: 'Enregistrer' }).click()
    await form.waitFor({ state: 'hidden' })
    return marketNamed('Marché Salongo')
  }
  expect(await edit((form) => form.getByLabel('Province').selectOption('Kwilu'))).toMatchObject({
    province: 'Kwilu',
    time_zone: 'Africa/Kinshasa',
  })
  const chosen = await edit((form) => form.getByLabel('Fuseau horaire').selectOption('Africa/Lubumbashi'))
  expect(chosen).toMatchObject({ province: 'Kwilu', time_zone: 'Africa/Lubumbashi' })
})

test('a province outside the list of 26 is not changed when another field is edited', async () => {
  await db
    .insertInto('market')
    .values({ name: 'Talangaï', location: 'Brazzaville', province: 'Pool' })
    .execute()
  const page = await open('/markets?search=talangai', { as: clerk })
  await page.getByRole('button', { name: /^Modifier « Talangaï/ }).click()
  const form = page.getByRole('dialog')
  await expect.poll(() => form.getByLabel('Province').inputValue()).toBe('Pool')
  await form.getByLabel('Lieu').fill('Brazzaville nord')
  await page.keyboard.press('Enter')
  await form.waitFor({ state: 'hidden' })
  expect(await marketNamed('Talangaï')).toMatchObject({ location: 'Brazzaville nord', province: 'Pool' })
})

test('markets are filtered by place and ordered by their prices; counters and address follow', async () => {
  const place = 'Kisangani'
  const [few, many] = [
    await insertMarket(db, { name: 'Le petit', location: place }),
    await insertMarket(db, { name: 'Le grand', location: place }),
  ]
  for (const market_id of [few, many, many]) await insertPrice(db, { market_id })
  const page = await open('/markets', { as: clerk })
  await page.getByRole('combobox', { name: 'Lieu' }).fill('kisangani')
  await page.waitForURL('**/markets?location=kisangani')
  const figures = page.getByRole('region', { name: 'Chiffres des marchés' })
  await expect.poll(() => figuresOf(figures)).toEqual({ Marchés: '2', 'Prix relevés': '3', Lieux: '1' })
  await page.getByLabel('Tri').selectOption({ label: 'Prix relevés, décroissant' })
  await page.waitForURL('**/markets?location=kisangani&sort=-prices')
  const names = () => page.getByRole('list', { name: 'Marchés' }).getByRole('heading').allInnerTexts()
  await expect.poll(names).toEqual(['Le grand, Kisangani', 'Le petit, Kisangani'])
  await page.getByRole('spinbutton', { name: 'Par page' }).fill('1')
  await page.getByRole('button', { name: 'Suivant' }).click()
  await expect.poll(names).toEqual(['Le petit, Kisangani'])
  await page.reload()
  await expect.poll(names).toEqual(['Le petit, Kisangani'])
  expect(new URL(page.url()).searchParams.get('page')).toBe('2')
})

test('a market that has prices is not deleted', async () => {
  const market_id = await insertMarket(db, { name: 'Zando' })
  await insertPrice(db, { market_id })
  await insertPrice(db, { market_id })
  const page = await open('/markets?search=zando', { as: clerk })
  await page.getByRole('button', { name: /^Supprimer « Zando/ }).click()
  const question = page.getByRole('alertdialog', { name: 'Supprimer ce marché ?' })
  await question.getByText('Suppression impossible : 2 prix en dépendent.').waitFor()
})

test('Statistiques opens a market’s figures, prices, collectors and place', async () => {
  const name = 'Marché de la Liberté'
  const market_id = await insertMarket(db, { name, latitude: -4.4, longitude: 15.38 })
  const [rice, oil] = [
    await insertProduct(db, { name: 'Riz local' }),
    await insertProduct(db, { name: 'Huile' }),
  ]
  const quote = (product_id: number, daysBack: number, price_value: number, collector_name = 'Aline') =>
    insertPrice(db, { market_id, product_id, price_value, collector_name, day: daysAgo(daysBack) })
  // Thirteen weeks before the last quotes, on the same weekday; oil, with one week more, weighs less in each.
  await quote(rice, 92, 2000)
  await quote(oil, 92, 5000)
  await quote(rice, 70, 2000)
  await quote(rice, 1, 2500)
  await quote(oil, 75, 5000, 'Bosco')
  await quote(oil, 1, 5000)
  await quote(oil, 200, 4000, 'Chantal')

  const page = await open(`/markets?search=${encodeURIComponent(name)}`, { as: reader, viewport: desktop })
  await page.getByRole('link', { name: `Statistiques de « ${name}, Kinshasa »` }).click()
  await page.waitForURL(`**/markets/${market_id}`)
  await page.getByRole('heading', { name: `${name}, Kinshasa`, level: 1 }).waitFor()
  const figures = page.getByRole('region', { name: 'Chiffres du marché' })
  const quarter = {
    'Prix relevés': '4',
    'Variation du prix': expect.stringContaining('+13,6 %'),
    'Produits suivis': '2',
    Collecteurs: '2',
  }
  await expect.poll(() => figuresOf(figures)).toEqual(quarter)
  await figures.getByText(/^90 derniers jours\s; dernier relevé/).waitFor()
  await page.getByRole('figure').getByText('Source : Ntalo, 4 relevés').waitFor()
  await page.getByRole('img', { name: `Carte de la RD Congo : ${name}, Kinshasa` }).waitFor()
  const latest = page.getByRole('region', { name: 'Dernier prix par produit' })
  await latest.getByText('+25,0 %').waitFor()
  await expect
    .poll(() => latest.getByRole('link', { name: 'Riz local' }).getAttribute('href'))
    .toBe(`/series/${rice}/${market_id}`)
  expect(await faultsOf(page, [desktop.width])).toEqual([])

  await page.getByRole('button', { name: '1 an' }).click()
  await page.waitForURL(`**/markets/${market_id}?period=365`)
  await expect.poll(() => figuresOf(figures)).toMatchObject({ 'Prix relevés': '7', Collecteurs: '3' })
  await page.getByRole('region', { name: 'Collecteurs' }).getByText('Chantal').waitFor()
  await page.getByRole('combobox', { name: 'Produit' }).fill('riz loc')
  await page.getByRole('option', { name: 'Riz local' }).first().click()
  await page.waitForURL(`**/markets/${market_id}?period=365&productId=${rice}`)
  await page.getByRole('figure').getByText('Source : Ntalo, 3 relevés').waitFor()
  await page.reload()
  await page.getByRole('figure').getByText(`Riz local · 1kg · Détail, ${name}, 12 derniers mois`).waitFor()
})

test('the page of a market says when it has no prices or coordinates, or when the market is gone', async () => {
  const id = await insertMarket(db, { name: 'Marché neuf' })
  const page = await open(`/markets/${id}`, { as: reader })
  await page.getByText('Aucun prix vérifié dans ce marché.').waitFor()
  await page.getByText('Aucune donnée de prix disponible').waitFor()
  await page.getByText('Aucun collecteur').waitFor()
  await page.getByText('Position inconnue').waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Modifier' }).count()).toBe(0)
  await page.goto(`${url}/markets/999999`)
  await page.getByText('Marché introuvable').waitFor()
  // There is no page to go back to: a page opened by its address leads to its list.
  await page.getByRole('button', { name: 'Retour' }).click()
  await page.waitForURL(`${url}/markets`)
})

test('the page of a brand lists its products, and each leads to its own page', async () => {
  const brand_id = await insertBrand(db, 'Étoile')
  const ids = [
    await insertProduct(db, { brand_id, name: 'Farine Étoile' }),
    await insertProduct(db, { brand_id, name: 'Sucre Étoile' }),
  ]
  await insertProduct(db, { name: 'Sans rapport' })
  const page = await open(`/products/brands/${brand_id}`, { as: reader })
  const table = page.getByRole('table', { name: 'Produits de la marque Étoile' })
  const links = table.getByRole('link')
  const names = async () => (await links.allInnerTexts()).map((text) => text.split('\n')[0])
  await expect.poll(names).toEqual(['Farine Étoile', 'Sucre Étoile'])
  await table.getByRole('button', { name: 'Nom' }).click()
  await page.waitForURL(`**/products/brands/${brand_id}?sort=-name`)
  await expect.poll(names).toEqual(['Sucre Étoile', 'Farine Étoile'])
  await expect.poll(() => links.first().getAttribute('href')).toBe(`/products/detail/${ids[1]}`)
  await links.last().click()
  await page.getByRole('heading', { name: 'Farine Étoile' }).first().waitFor()
})

test('a user who may only read sees no button to write', async () => {
  await insertCategory(db, 'À lire')
  const page = await open('/categories', { as: reader })
  await page.getByRole('button', { name: 'Détails de « À lire »' }).click()
  await expect.poll(() => page.getByRole('button', { name: 'Modifier' }).count()).toBe(0)
  await page.getByRole('button', { name: 'Fermer' }).first().click()
  await expect.poll(() => page.getByRole('button', { name: /Créer|Modifier|Supprimer/ }).count()).toBe(0)
})

test('data that does not load is reported, and can be loaded again', async () => {
  const page = await open('/dashboard', { as: clerk })
  await page.route('**/api/categories*', (route) => route.fulfill({ status: 400, body: '{}' }))
  await page.getByRole('link', { name: 'Catégories' }).first().click()
  await page.getByText('Erreur lors du chargement des catégories').waitFor()
  await page.unroute('**/api/categories*')
  await page.getByRole('button', { name: 'Réessayer' }).click()
  await page.getByRole('list', { name: 'Catégories' }).getByRole('heading').first().waitFor()
})

test('the dialogs of categories and markets are readable in every window', async () => {
  await insertCategory(db, 'Longue'.repeat(33))
  await insertMarket(db, { name: 'Marché '.repeat(28).trim() })
  const page = await open('/categories?search=longue', { as: clerk })
  await page.getByRole('button', { name: /^Détails/ }).click()
  await page.getByRole('dialog').waitFor()
  expect(await faultsOf(page)).toEqual([])
  await page.getByRole('dialog').getByRole('button', { name: 'Modifier' }).click()
  await page.getByLabel('Description').waitFor()
  expect(await faultsOf(page)).toEqual([])
  await page.goto(`${url}/markets?search=${encodeURIComponent('marché')}`)
  await page.getByRole('button', { name: /^Modifier « Marché Marché/ }).click()
  await page.getByLabel('Longitude').waitFor()
  await page.getByLabel('Longitude').fill('15')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').first().waitFor()
  expect(await faultsOf(page)).toEqual([])
})

/** Returns the card with this title. */
function cardOf(page: Page, name: string): Locator {
  return page.getByRole('listitem').filter({ has: page.getByRole('heading', { name, exact: true }) })
}

/** Returns the counters of a strip: `{ Produits: '12' }`. */
function figuresOf(strip: Locator): Promise<Record<string, string>> {
  return strip.evaluate((element) =>
    Object.fromEntries(
      [...element.children].map((counter) => {
        const [label, figure] = [...counter.querySelectorAll('p')].map((each) => each.innerText)
        return [label, (figure ?? '').replaceAll(/\s/g, ' ')]
      }),
    ),
  )
}

function factOf(dialog: Locator, label: string): Promise<string> {
  return dialog
    .locator('dl > div')
    .filter({ has: dialog.page().getByText(label, { exact: true }) })
    .locator('dd')
    .innerText()
}

function optionsOf(select: Locator): Promise<string[]> {
  return select.locator('option').allInnerTexts()
}

function marketNamed(name: string) {
  return db.selectFrom('market').selectAll().where('name', '=', name).executeTakeFirst()
}
