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
  await countClicks(page)
  const firstSteps = page.getByRole('region', { name: 'Premiers pas' })
  for (const step of ['Créer un produit', 'Créer un marché', 'Ajouter un prix', 'Ou importer des prix'])
    await firstSteps.getByRole('link', { name: step }).waitFor()
  // One guide instead of empty boxes.
  await firstSteps.getByText('Aucun prix n’a encore été relevé.').waitFor()
  await expect.poll(() => page.locator('main section').count()).toBe(1)

  // A product needs a type and a brand: the form creates both, and its other fields do not change.
  await firstSteps.getByRole('link', { name: 'Créer un produit' }).click()
  await fill(page, {
    Code: 'RIZ-LION-25',
    Nom: 'Riz parfumé Lion',
    Poids: '25 kg',
    Format: 'Sac',
    Prix: '62000',
    Origine: 'Thaïlande',
  })
  await openFirst(page, 'Créer un type', 'Créer un type de produit')
  await fill(page, { Nom: 'Riz' })
  await openFirst(page, 'Créer une catégorie', 'Créer une catégorie')
  await fill(page, { Nom: 'Céréales et tubercules' })
  await submit(page, 'Créer une catégorie')
  const chosen = (label: string) => dialog(page).getByRole('combobox', { name: label }).inputValue()
  await expect.poll(() => chosen('Catégorie')).toBe('Céréales et tubercules')
  await submit(page, 'Créer un type de produit')
  await expect.poll(() => chosen('Type')).toBe('Riz')
  await openFirst(page, 'Créer une marque', 'Créer une marque')
  await fill(page, { Nom: 'Lion', Pays: 'Thaïlande' })
  await submit(page, 'Créer une marque')
  await expect.poll(() => chosen('Marque')).toBe('Lion')
  await expect.poll(() => dialog(page).getByLabel('Poids').inputValue()).toBe('25 kg')
  const camera = dialog(page).getByLabel('Image')
  await camera.setInputFiles(fileOf(await photo(3_200, 2_400, 92)))
  await dialog(page)
    .getByText(/^Cette image pèse [56],\d\sMo, et 5\sMo au plus sont acceptés/)
    .waitFor()
  await camera.setInputFiles(fileOf(await photo(2_600, 2_000, 92)))
  await submit(page, 'Créer un produit')
  await notified(page, 'Produit créé avec succès')

  await visit(page, 'Gestion des Prix')
  await page.getByRole('button', { name: 'Ajouter un prix' }).first().click()
  await choose(page, 'Produit', 'riz parf', 'Riz parfumé Lion')
  await openFirst(page, 'Créer un marché', 'Créer un marché')
  await fill(page, { Nom: 'Gambela', Lieu: 'Kinshasa' })
  await submit(page, 'Créer un marché')
  await expect.poll(() => chosen('Marché')).toContain('Gambela')
  await fill(page, { Prix: '61500' })
  await choose(page, 'Collecteur', 'béat', 'Béatrice Mbuyi')
  await dialog(page).getByRole('button', { name: 'Ajouter', exact: true }).click()
  await notified(page, 'Prix créé avec succès')
  await page.getByRole('list').getByText('61 500 FC').first().waitFor()
  expect(await clicks(page)).toBeLessThanOrEqual(30)

  await visit(page, 'Tableau de bord', 'Bonjour Béatrice Mbuyi')
  await page.getByText('61 500 FC').first().waitFor()
  await expect.poll(() => firstSteps.count()).toBe(0)

  await visit(page, 'Produits')
  // Taken upright and stored rotated, the photo is shown upright: its red half is the upper one.
  await page.getByRole('link', { name: /^Riz parfumé Lion/ }).click()
  await page.waitForURL('**/products/detail/*')
  const picture = page.getByRole('img', { name: 'Riz parfumé Lion' })
  await expect.poll(() => isUprightAndRedAbove(picture)).toBe(true)
})

/** Opens another page from the menu of a phone. */
async function visit(page: Page, label: string, title = label): Promise<void> {
  await page.getByRole('button', { name: 'Ouvrir le menu' }).click()
  const menu = page.getByRole('dialog', { name: 'Menu' })
  await menu.getByRole('link', { name: label, exact: true }).click()
  await page.getByRole('heading', { level: 1, name: title }).waitFor()
}

/** Creates the first row of another table from the form that needs one. */
async function openFirst(page: Page, label: string, title: string): Promise<void> {
  await dialog(page).getByRole('button', { name: label, exact: true }).click()
  await page.getByRole('dialog', { name: title, exact: true }).waitFor()
}

/** Returns the topmost dialog. */
function dialog(page: Page): Locator {
  return page.getByRole('dialog').last()
}

async function submit(page: Page, title: string): Promise<void> {
  const form = page.getByRole('dialog', { name: title, exact: true })
  await form.getByRole('button', { name: 'Créer', exact: true }).click()
  await form.waitFor({ state: 'hidden' })
}

/** Counts the user's clicks from now on; filling a field counts as one. */
async function countClicks(page: Page): Promise<void> {
  await page.evaluate(() => {
    const count = () =>
      document.body.setAttribute('data-clicks', String(Number(document.body.dataset.clicks) + 1))
    document.body.dataset.clicks = '0'
    addEventListener('click', ({ isTrusted }) => isTrusted && count(), true)
    addEventListener(
      'change',
      ({ target }) => !(target as HTMLElement).matches('[role=combobox], [type=file]') && count(),
      true,
    )
  })
}

async function clicks(page: Page): Promise<number> {
  return Number(await page.locator('body').getAttribute('data-clicks'))
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
 * Returns a photo as a phone held upright stores it: rotated, with an orientation tag, red on the left, blue on the
 * right, and noise that hardly compresses.
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
