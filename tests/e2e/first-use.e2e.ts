import { randomFillSync } from 'node:crypto'
import type { Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { notified, password, phone, story } from '../support/browser.ts'

const { open, newAccount } = await story()

test('on an empty platform, a phone alone leads from nothing to the first price', async () => {
  const boss = await newAccount('admin', { name: 'Béatrice Mbuyi' })
  const page = await open('/auth/login', { viewport: phone })
  await page.getByLabel('Email').fill(boss.email)
  await page.getByRole('textbox', { name: 'Mot de passe' }).fill(password)
  await page.getByRole('button', { name: 'Se connecter', exact: true }).click()
  await page.waitForURL('**/dashboard')
  const firstSteps = page.getByRole('region', { name: 'Premiers pas' })
  for (const step of ['Créer un produit', 'Créer un marché', 'Ajouter un prix', 'Ou importer des prix'])
    await firstSteps.getByRole('link', { name: step }).waitFor()
  await page.getByText('Aucun prix n’a encore été relevé.').first().waitFor()

  // A price needs a product and a market, and the form says where each begins.
  await visit(page, 'Gestion des Prix')
  await page.getByText('Aucun prix trouvé').waitFor()
  await page.getByRole('button', { name: 'Ajouter un prix' }).first().click()
  const firstPrice = page.getByRole('dialog', { name: 'Ajouter un prix' })
  await firstPrice.getByText('Aucun marché n’existe encore.').waitFor()
  await firstPrice.getByRole('link', { name: 'Créer un produit' }).click()

  // So does a product, which needs a type and a brand.
  await page.getByText('Aucun produit trouvé').waitFor()
  await create(page, 'un produit')
  await dialog(page).getByText('Aucune marque n’existe encore.').waitFor()
  await dialog(page).getByRole('link', { name: 'Créer un type' }).click()

  await page.getByText('Aucun type de produit trouvé').waitFor()
  await create(page, 'un type de produit')
  await dialog(page).getByRole('link', { name: 'Créer une catégorie' }).click()

  await page.getByText('Aucune catégorie trouvée').waitFor()
  await create(page, 'une catégorie')
  await dialog(page).getByLabel('Nom').fill('Céréales et tubercules')
  await submit(page)
  await notified(page, 'Catégorie créée avec succès')
  await page.getByRole('heading', { name: 'Céréales et tubercules' }).waitFor()

  await visit(page, 'Produits')
  await page.getByRole('tab', { name: 'Types de Produits' }).click()
  await create(page, 'un type de produit')
  await dialog(page).getByLabel('Nom').fill('Riz')
  await choose(page, 'Catégorie', 'cereales', 'Céréales et tubercules')
  await submit(page)
  await notified(page, 'Type de produit créé avec succès')

  await visit(page, 'Marques')
  await page.getByText('Aucune marque trouvée').waitFor()
  await create(page, 'une marque')
  await dialog(page).getByLabel('Nom').fill('Lion')
  await dialog(page).getByLabel('Pays').fill('Thaïlande')
  await submit(page)
  await notified(page, 'Marque créée avec succès')

  await visit(page, 'Produits')
  await create(page, 'un produit')
  await fill(page, {
    Code: 'RIZ-LION-25',
    Nom: 'Riz parfumé Lion',
    Poids: '25 kg',
    Format: 'Sac',
    Prix: '62000',
    Origine: 'Thaïlande',
  })
  await choose(page, 'Type', 'riz', 'Riz')
  await choose(page, 'Marque', 'lion', 'Lion')
  const camera = dialog(page).getByLabel('Image')
  await camera.setInputFiles(fileOf(await photo(3_200, 2_400, 92)))
  await dialog(page)
    .getByText(/^Cette image pèse [56],\d\sMo, et 5\sMo au plus sont acceptés/)
    .waitFor()
  await camera.setInputFiles(fileOf(await photo(2_600, 2_000, 92)))
  await submit(page)
  await notified(page, 'Produit créé avec succès')

  // Held upright, stored lying, shown upright: its red half is the upper one.
  await page.getByRole('link', { name: /^Riz parfumé Lion/ }).click()
  await page.waitForURL('**/products/detail/*')
  const picture = page.getByRole('img', { name: 'Riz parfumé Lion' })
  await expect.poll(() => isUprightAndRedAbove(picture)).toBe(true)

  await visit(page, 'Marchés')
  await page.getByText('Aucun marché trouvé').waitFor()
  await create(page, 'un marché')
  await fill(page, { Nom: 'Gambela', Lieu: 'Kinshasa' })
  await submit(page)
  await notified(page, 'Marché créé avec succès')

  await visit(page, 'Gestion des Prix')
  await page.getByRole('button', { name: 'Ajouter un prix' }).first().click()
  await choose(page, 'Produit', 'riz parf', 'Riz parfumé Lion')
  await choose(page, 'Marché', 'gamb', 'Gambela')
  await fill(page, { Prix: '61500' })
  await choose(page, 'Collecteur', 'béat', 'Béatrice Mbuyi')
  await dialog(page).getByRole('button', { name: 'Ajouter', exact: true }).click()
  await notified(page, 'Prix créé avec succès')
  await page.getByRole('list').getByText('61 500 FC').first().waitFor()

  await visit(page, 'Tableau de bord', 'Bonjour Béatrice Mbuyi')
  await page.getByText('61 500 FC').first().waitFor()
  await expect.poll(() => firstSteps.count()).toBe(0)
})

/** Another page, by the menu of a phone. */
async function visit(page: Page, label: string, title = label): Promise<void> {
  await page.getByRole('button', { name: 'Ouvrir le menu' }).click()
  const menu = page.getByRole('dialog', { name: 'Menu' })
  await menu.getByRole('link', { name: label, exact: true }).click()
  await page.getByRole('heading', { level: 1, name: title }).waitFor()
}

function dialog(page: Page): Locator {
  return page.getByRole('dialog')
}

/** The form of a new one, by the button that the empty list offers, or the one at the bottom of the screen. */
async function create(page: Page, what: string): Promise<void> {
  await page
    .getByRole('button', { name: `Créer ${what}` })
    .first()
    .click()
  await page.getByRole('dialog', { name: `Créer ${what}` }).waitFor()
}

async function submit(page: Page): Promise<void> {
  await dialog(page).getByRole('button', { name: 'Créer', exact: true }).click()
  await dialog(page).waitFor({ state: 'hidden' })
}

async function fill(page: Page, values: Record<string, string>): Promise<void> {
  for (const [label, value] of Object.entries(values)) await dialog(page).getByLabel(label).fill(value)
}

async function choose(page: Page, label: string, letters: string, option: string): Promise<void> {
  const box = dialog(page).getByRole('combobox', { name: label })
  await box.fill(letters)
  await dialog(page).getByRole('option', { name: option }).first().click()
  await expect.poll(() => box.inputValue()).toContain(option)
}

function fileOf(buffer: Buffer) {
  return { name: 'IMG_0001.jpg', mimeType: 'image/jpeg', buffer }
}

/**
 * What the camera of a phone held upright stores: a picture lying on its side with a note to turn it, red to the left,
 * blue to the right, and grain that hardly compresses.
 */
function photo(widthPx: number, heightPx: number, quality: number): Promise<Buffer> {
  const pixels = randomFillSync(Buffer.alloc(widthPx * heightPx * 3))
  for (let at = 0; at < pixels.length; at += 3) {
    const isLeft = (at / 3) % widthPx < widthPx / 2
    const strong = isLeft ? at : at + 2
    const weak = isLeft ? at + 2 : at
    pixels[strong] = 200 + (pixels[strong] ?? 0) / 5
    pixels[weak] = (pixels[weak] ?? 0) / 5
  }
  return sharp(pixels, { raw: { width: widthPx, height: heightPx, channels: 3 } })
    .withMetadata({ orientation: 6 })
    .jpeg({ quality })
    .toBuffer()
}

function isUprightAndRedAbove(picture: Locator): Promise<boolean> {
  return picture.evaluate((element) => {
    if (!(element instanceof HTMLImageElement) || !element.complete || element.naturalWidth === 0)
      return false
    const { naturalWidth: width, naturalHeight: height } = element
    const canvas = document.createElement('canvas')
    canvas.width = width
    canvas.height = height
    const context = canvas.getContext('2d')
    if (!context) return false
    context.drawImage(element, 0, 0)
    const colourAt = (share: number) => context.getImageData(width / 2, height * share, 1, 1).data
    const [redAbove = 0, , blueAbove = 0] = colourAt(0.25)
    const [redBelow = 0, , blueBelow = 0] = colourAt(0.75)
    return height > width && redAbove > blueAbove && blueBelow > redBelow
  })
}
