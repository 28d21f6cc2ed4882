import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { notified, phone, story } from '../support/browser.ts'
import {
  insertBrand,
  insertCategory,
  insertMarket,
  insertPrice,
  insertProduct,
  insertType,
} from '../support/catalogue.ts'
import { daysAgo } from '../support/market-days.ts'
import { lyingPhoto } from '../support/pictures.ts'

const { db, url, open, newAccount } = await story()
const clerk = await newAccount('collector', { name: 'Charles Ilunga' })
const cereals = await insertCategory(db, 'Céréales et tubercules')
const rice = await insertType(db, { category_id: cereals, name: 'Riz' })
const lion = await insertBrand(db, 'Lion')
const newProduct = (name: string) => insertProduct(db, { name, type_id: rice, brand_id: lion })

const photo = await lyingPhoto()
/** Bytes appended to a picture make the file larger and do not change the picture. */
const weighing = (megabytes: number) => Buffer.concat([photo, Buffer.alloc(megabytes * 1_000_000)])
const jpeg = (buffer: Buffer) => ({ name: 'IMG_2041.jpg', mimeType: 'image/jpeg', buffer })

test('a phone’s photo of 6 MB is refused before it is sent; one of 4 MB is accepted, with its progress, and shown upright', async () => {
  const id = await newProduct('Riz parfumé')
  const page = await open('/products?search=riz parfume', { as: clerk, isNew: true, viewport: phone })
  const sent: string[] = []
  page.on('request', (request) => request.method() === 'PUT' && sent.push(request.url()))
  await page.getByRole('button', { name: 'Modifier « Riz parfumé »' }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Image').setInputFiles(jpeg(weighing(6)))
  await form.getByText('Cette image pèse 6 Mo, et 5 Mo au plus sont acceptés.').waitFor()
  await expect.poll(() => form.getByText('IMG_2041.jpg').count()).toBe(0)
  expect(sent).toEqual([])

  await form.getByLabel('Image').setInputFiles(jpeg(weighing(4)))
  await form.getByText('IMG_2041.jpg').waitFor()
  await form.locator('img[src^="blob:"]').waitFor()
  await expect.poll(() => form.getByText('au plus sont acceptés').count()).toBe(0)
  await onSlowNetwork(page, 2_000_000)
  await form.getByRole('button', { name: 'Enregistrer' }).click()
  await form.getByRole('progressbar', { name: 'Envoi de l’image' }).waitFor()
  await notified(page, 'Produit mis à jour avec succès')
  expect(sent).toHaveLength(1)

  await page.goto(`${url}/products/detail/${id}`)
  expect(await coloursOf(page.getByRole('img', { name: 'Riz parfumé' }))).toEqual(['red', 'blue'])
})

test('a file that only pretends to be a picture is refused when it is chosen, and the form is not cleared', async () => {
  await newProduct('Riz cassé')
  const page = await open('/products?search=riz casse', { as: clerk })
  await page.getByRole('button', { name: 'Modifier « Riz cassé »' }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Nom').fill('Riz brisé')
  await form.getByLabel('Image').setInputFiles(jpeg(Buffer.from('%PDF-1.7\n')))
  await form.getByText('Ce fichier n’est pas une image').waitFor()
  await expect.poll(() => form.getByText('IMG_2041.jpg').count()).toBe(0)
  await form.getByRole('button', { name: 'Enregistrer' }).click()
  await form.waitFor({ state: 'hidden' })
  const renamed = db.selectFrom('product').select('image').where('name', '=', 'Riz brisé')
  expect(await renamed.executeTakeFirst()).toEqual({ image: null })
})

test('a picture is removed after a confirmation, and the drawing of the category replaces it', async () => {
  const id = await newProduct('Riz rond')
  const page = await open(`/products/edit/${id}`, { as: clerk })
  await page.getByLabel('Image').setInputFiles(jpeg(photo))
  await page.getByRole('button', { name: 'Enregistrer' }).click()
  await page.getByRole('img', { name: 'Riz rond' }).waitFor()

  await page.getByRole('link', { name: 'Modifier' }).click()
  await page.getByRole('button', { name: 'Retirer l’image' }).click()
  await page.getByText('L’image sera retirée à l’enregistrement.').waitFor()
  await page.getByRole('button', { name: 'Garder l’image' }).click()
  await page.getByRole('button', { name: 'Retirer l’image' }).click()
  await page.getByRole('button', { name: 'Enregistrer' }).click()
  await page.waitForURL(`**/products/detail/${id}`)
  await page.getByText('Informations générales').waitFor()
  await expect.poll(() => page.getByRole('img', { name: 'Riz rond' }).count()).toBe(0)
  await page.locator('main svg[viewBox="0 0 48 48"]').waitFor()
})

test('a picture whose file is missing is replaced by the drawing too', async () => {
  const id = await newProduct('Riz long')
  await db
    .updateTable('product')
    .set({ image: 'a'.repeat(64) })
    .where('id', '=', id)
    .execute()
  const page = await open('/dashboard', { as: clerk })
  await page.route('**/uploads/**', (route) => route.abort())
  await page.goto(`${url}/products/detail/${id}`)
  await page.locator('main svg[viewBox="0 0 48 48"]').waitFor()
  await expect.poll(() => page.locator('main img').count()).toBe(0)
})

test('the page of a product shows its description, its price per kilogram, and its prices over time and by market', async () => {
  const id = await newProduct('Riz local')
  await db.updateTable('product').set({ weight: '500g', price: 1500 }).where('id', '=', id).execute()
  for (let count = 0; count < 12; count++) {
    const market_id = await insertMarket(db, { name: `Étal ${count + 1}` })
    await insertPrice(db, { product_id: id, market_id, price_value: 900, day: daysAgo(20 + count) })
    await insertPrice(db, { product_id: id, market_id, price_value: 1000 + count, day: daysAgo(5 + count) })
  }
  const page = await open(`/products/detail/${id}`, { as: clerk })
  await page.getByRole('heading', { name: 'Riz local' }).waitFor()
  await expect.poll(() => page.title()).toBe('Riz local · Ntalo')
  await expect.poll(() => factOf(page, 'Catégorie')).toBe('Céréales et tubercules')
  await expect.poll(() => factOf(page, 'Prix par unité')).toBe('3 000 FC / kg 3 FC / g')
  await expect.poll(() => factOf(page, 'Statut')).toBe('Actif')
  await page.getByRole('figure', { name: 'Évolution du prix moyen' }).getByText('24 relevés').waitFor()
  const markets = page.getByRole('table', { name: 'Dernier prix par marché' })
  await markets.getByRole('row').nth(1).getByText('1 000 FC').waitFor()
  await expect.poll(() => markets.getByRole('row').count()).toBe(11)
  await page.getByRole('button', { name: 'Afficher les 12 marchés' }).click()
  await expect.poll(() => markets.getByRole('row').count()).toBe(13)
  await markets.getByRole('link', { name: /^Étal 1 / }).click()
  await page.waitForURL(`**/series/${id}/*`)
})

test('a curve that the server fails to send shows an error in its place, and « Réessayer » loads it', async () => {
  const id = await newProduct('Riz rond')
  const market_id = await insertMarket(db, { name: 'Étal fermé' })
  await insertPrice(db, { product_id: id, market_id, price_value: 900 })
  const page = await open('/profile', { as: clerk })
  const summary = '**/api/prices/analytics/summary?*'
  await page.route(summary, (route) => route.fulfill({ status: 400, body: '{}' }))
  for (const [path, period] of [
    [`/products/detail/${id}`, 'Tout'],
    [`/markets/${market_id}`, '30j'],
  ] as const) {
    await page.goto(`${url}${path}`)
    const curve = page.getByRole('figure', { name: /^Évolution/ })
    await curve.getByText('Erreur lors du chargement des prix').waitFor()
    await page.unroute(summary)
    await curve.getByRole('button', { name: 'Réessayer' }).click()
    await curve.getByText(/Source/).waitFor()
    await curve.getByText('Erreur lors du chargement des prix').waitFor({ state: 'hidden' })
    await page.route(summary, (route) => route.fulfill({ status: 400, body: '{}' }))
    // Each other period fails too.
    await page.getByRole('button', { name: period }).click()
    await curve.getByText('Erreur lors du chargement des prix').waitFor()
  }
})

test('a weight without a number and unit has no price by unit, and a product without prices says so', async () => {
  const id = await newProduct('Riz en vrac')
  await db.updateTable('product').set({ weight: 'sac', price: 1500 }).where('id', '=', id).execute()
  const page = await open(`/products/detail/${id}`, { as: clerk })
  await page.getByText('Aucun prix trouvé').waitFor()
  await page.getByText('Aucune donnée de prix disponible').waitFor()
  await expect.poll(() => factOf(page, 'Prix par unité')).toBe('N/A')
})

test('a product is edited on its own page, which asks before changes are lost', async () => {
  const id = await newProduct('Riz ancien')
  const page = await open(`/products/detail/${id}`, { as: clerk })
  await page.getByRole('link', { name: 'Modifier' }).click()
  const form = page.getByRole('form', { name: 'Modifier le produit' })
  await form.getByLabel('Nom').fill('')
  await expect.poll(() => form.getByRole('button', { name: 'Enregistrer' }).isDisabled()).toBe(true)
  await form.getByLabel('Nom').fill('Riz nouveau')
  await form.getByRole('button', { name: 'Annuler' }).click()
  await page.getByRole('button', { name: 'Continuer la saisie' }).click()
  await form.getByLabel('Nom').press('Enter')
  await notified(page, 'Produit mis à jour avec succès')
  await page.waitForURL(`**/products/detail/${id}`)
  await page.getByRole('heading', { name: 'Riz nouveau' }).waitFor()

  await page.getByRole('button', { name: 'Supprimer' }).click()
  const question = page.getByRole('alertdialog', { name: 'Supprimer ce produit ?' })
  await question.getByRole('button', { name: 'Supprimer' }).click()
  await notified(page, 'Produit supprimé avec succès')
  await page.waitForURL(`${url}/products`)
})

test('a product that does not exist is reported as not found, on both of its pages', async () => {
  const page = await open('/products/detail/2147483000', { as: clerk })
  await page.getByText('Produit non trouvé').waitFor()
  await page.goto(`${url}/products/edit/pas-un-nombre`)
  await page.getByText('Produit non trouvé').waitFor()
  await page.getByRole('link', { name: 'Liste' }).click()
  await page.waitForURL(`${url}/products`)
})

test('a user who may only read finds no way to write', async () => {
  const id = await newProduct('Riz interdit')
  const page = await open(`/products/detail/${id}`, { as: 'agent' })
  await page.getByText('Informations système').waitFor()
  await expect.poll(() => page.getByRole('link', { name: 'Modifier' }).count()).toBe(0)
  await expect.poll(() => page.getByRole('button', { name: 'Supprimer' }).count()).toBe(0)
  await page.goto(`${url}/products?search=interdit`)
  await page.getByRole('link', { name: 'Voir « Riz interdit »' }).waitFor()
  await expect.poll(() => page.getByRole('button', { name: /^(Créer|Modifier|Supprimer)/ }).count()).toBe(0)
  await page.goto(`${url}/products/edit/${id}`)
  await page.getByText('Accès refusé').waitFor()
})

/** Returns the value beside a name in a list of facts, with each run of blanks as one plain space. */
async function factOf(page: Page, name: string): Promise<string> {
  const fact = page.locator('dl > div').filter({ has: page.getByText(name, { exact: true }) })
  return (await fact.locator('dd').first().innerText()).replaceAll(/\s+/g, ' ')
}

/** Returns the main colours of the upper and lower half of a picture as shown. */
function coloursOf(picture: Locator): Promise<string[]> {
  return picture.evaluate(async (element) => {
    if (!(element instanceof HTMLImageElement)) throw new Error('not a picture')
    await element.decode()
    const canvas = document.createElement('canvas')
    canvas.width = element.naturalWidth
    canvas.height = element.naturalHeight
    const context = canvas.getContext('2d')
    context?.drawImage(element, 0, 0)
    return [0.25, 0.75].map((part) => {
      const [red = 0, , blue = 0] =
        context?.getImageData(canvas.width / 2, canvas.height * part, 1, 1).data ?? []
      return red > blue ? 'red' : 'blue'
    })
  })
}

async function onSlowNetwork(page: Page, bytesPerSecond: number): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: bytesPerSecond,
  })
}
