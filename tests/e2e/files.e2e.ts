import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { goInside, phone, story } from '../support/browser.ts'
import { insertBrand, insertCategory, insertMarket, insertProduct, insertType } from '../support/catalogue.ts'
import { readRecords } from '../support/csv-files.ts'
import { readWorkbook } from '../support/workbooks.ts'

const { db, open, newAccount } = await story({ hasJobs: true })
const admin = await newAccount('admin')

test('products are imported from a filled template, and importing their export changes nothing, on a phone', async () => {
  const page = await open('/products', { as: admin, viewport: phone })
  await page.getByRole('button', { name: 'Autres actions' }).click()
  await page.getByRole('link', { name: 'Importer' }).click()
  await page.getByRole('heading', { name: 'Imports', level: 1 }).waitFor()
  const template = await saved(page, 'Modèle à remplir', 'CSV pour tableur')
  expect(template.name).toBe('modele-produits.csv')

  const line = ['SEL-1', 'Sel fin', 'Épicerie', 'Sel', '', '', '1 kg', 'Sachet', 'RD Congo', '1500', 'CDF']
  const filled = line.join(';')
  const wrong = line.map((cell, column) => (column === 9 ? 'cher' : cell)).join(';')
  await give(page, 'produits.csv', Buffer.concat([template.bytes, Buffer.from(`${filled}\r\n${wrong}\r\n`)]))
  await page.getByRole('heading', { name: 'produits.csv', level: 1 }).waitFor()
  await page.getByText('Prix : nombre attendu.').first().waitFor()
  await page.getByRole('button', { name: 'Importer 1 produit' }).click()
  await page.getByText('Importé', { exact: true }).first().waitFor()

  await page.goto(new URL('/products?search=sel-1', page.url()).href)
  await page.getByRole('link', { name: /^Sel fin/ }).waitFor()
  await page.getByRole('button', { name: 'Autres actions' }).click()
  const workbook = await saved(page, 'Exporter', 'Classeur Excel (XLSX)')
  expect(readWorkbook(workbook.bytes)[0]?.rows.map(([code]) => code)).toEqual(['Code', 'SEL-1'])
  await page.getByRole('link', { name: 'Importer' }).click()
  await give(page, workbook.name, workbook.bytes)
  await page.getByText('Il n’y a rien à ajouter').waitFor()
})

test('every list of the catalogue exports the rows that it shows', async () => {
  const type_id = await insertType(db, { category_id: await insertCategory(db, 'Boissons') })
  const brand_id = await insertBrand(db, 'Primus')
  await insertProduct(db, { name: 'Bière', type_id, brand_id })
  await insertMarket(db, { name: 'Zando' })
  const lists: [path: string, name: string, found: string[]][] = [
    ['/categories?search=boiss', 'categories', ['Boissons']],
    ['/brands?search=prim', 'marques', ['Primus']],
    [`/products/brands/${brand_id}`, 'produits', ['Bière']],
    ['/markets?search=zan', 'marches', ['Zando']],
  ]
  const page = await open('/dashboard', { as: admin })
  for (const [path, name, found] of lists) {
    await goInside(page, path)
    const file = await saved(page, 'Exporter', 'CSV pour tableur')
    expect(file.name).toMatch(new RegExp(`^${name}-au-\\d{4}-\\d\\d-\\d\\d\\.csv$`))
    const [titles = [], ...rows] = readRecords(file.bytes)
    expect(rows.map((cells) => cells[titles.indexOf('Nom')])).toEqual(found)
  }
})

/** Returns the file that a choice of a menu saves. */
async function saved(page: Page, menu: string, choice: string): Promise<{ name: string; bytes: Buffer }> {
  await page.getByRole('button', { name: menu }).click()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: choice }).click(),
  ])
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) }
}

async function give(page: Page, name: string, buffer: Buffer): Promise<void> {
  await page
    .getByLabel('Choisir un fichier ou le déposer ici')
    .setInputFiles({ name, mimeType: 'application/octet-stream', buffer })
}
