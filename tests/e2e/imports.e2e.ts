import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { sql } from 'kysely'
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { desktop, phone, story } from '../support/browser.ts'
import { faultsOf } from '../support/browser-checks.ts'
import { holdImports } from '../support/imports.ts'
import { wfpFile2025 } from '../support/price-files.ts'

const { db, pool, url, open, newAccount } = await story({ hasJobs: true })
const admin = await newAccount('admin', { name: 'Espérance Mbuyi' })

// A file of HDX, when it is available; else our own rows with its two particularities.
const samplePath = resolve(import.meta.dirname, '../../../shared/data/wfp_hdx_2025_format_sample_cog.csv')
const hasSample = existsSync(samplePath)
if (!hasSample) console.warn(`${samplePath} is absent: the story is told with a file of our own`)
const sample = hasSample ? readFileSync(samplePath, 'utf8') : ownSample()
const sampleRows = sample.trimEnd().split('\n').length - 1

/** Returns a few weeks of prices in XAF. */
function ownSample(): string {
  const rows = Array.from({ length: 20 }, (_, i) => ({
    date: `2024-05-${String(i + 1).padStart(2, '0')}`,
    currency: 'XAF',
  }))
  return wfpFile2025(...rows)
}

const days = (month: string, count: number) =>
  Array.from({ length: count }, (_, i) => ({ date: `2023-${month}-${String(i + 1).padStart(2, '0')}` }))

async function drop(page: Page, name: string, content: string): Promise<void> {
  const file = { name, mimeType: 'text/csv', buffer: Buffer.from(content) }
  await page.getByLabel('Choisir un fichier ou le déposer ici').setInputFiles(file)
}

test('a file is checked, read with its currency, imported, shown among the prices, and undone', async () => {
  const page = await open('/prices', { as: admin, viewport: desktop })
  await page.getByRole('link', { name: 'Importer' }).click()
  await page.getByRole('heading', { name: 'Imports', level: 1 }).waitFor()
  await drop(page, 'pam.csv', sample)

  await page.getByRole('heading', { name: 'pam.csv', level: 1 }).waitFor()
  await page.getByText(`${sampleRows} lignes en XAF`).waitFor()
  await page.getByText('Il n’y a rien à ajouter').waitFor()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Télécharger les lignes rejetées' }).click(),
  ])
  const rejected = readFileSync(await download.path(), 'utf8')
  expect(rejected.trimEnd().split('\r\n')).toHaveLength(sampleRows + 1)
  expect(rejected).toContain('XAF')

  await page.getByRole('button', { name: 'Lire XAF comme CDF' }).click()
  await page.getByRole('button', { name: `Importer ${sampleRows} relevés` }).click()
  await stateOf(page, 'Importé').waitFor()
  await expect.poll(() => page.getByRole('region', { name: 'Rapport' }).textContent()).toContain('Ajoutés')

  await page.goto(`${url}/prices?period=all`)
  await page.getByText(`${sampleRows} prix`).first().waitFor()
  await page.goBack()
  await page.getByRole('button', { name: 'Annuler cet import' }).click()
  const question = page.getByRole('alertdialog', { name: /^Annuler l’import/ })
  await question.getByText(`${sampleRows} relevés seront retirés`).waitFor()
  await question.getByRole('button', { name: 'Annuler l’import' }).click()
  await stateOf(page, 'Annulé').waitFor()
  expect(await db.selectFrom('price').select('id').execute()).toEqual([])
  expect(await db.selectFrom('market').select('id').execute()).toEqual([])
})

test('a waiting import says so, and is still shown after leaving, reloading and in another tab', async () => {
  const page = await open('/prices/imports', { as: admin, viewport: phone })
  const release = await holdImports(pool)
  await drop(page, 'longue liste.csv', wfpFile2025(...days('03', 20)))
  const waiting = 'Un autre import est en cours : celui-ci attend qu’il se termine'
  await page
    .getByRole('status')
    .filter({ hasText: plainly(waiting) })
    .waitFor()
  expect(await faultsOf(page, [phone.width])).toEqual([])
  await page.setViewportSize(phone)

  await page.getByRole('button', { name: 'Autres actions' }).click()
  await page.getByRole('link', { name: 'Imports', exact: true }).last().click()
  const row = page.getByRole('link', { name: 'longue liste.csv' }).first()
  await row.waitFor()
  await page.getByText('En attente').first().waitFor()
  const address = new URL((await row.getAttribute('href')) ?? '', url).href
  const other = await page.context().newPage()
  await other.goto(address)
  await other
    .getByRole('status')
    .filter({ hasText: plainly(waiting) })
    .waitFor()
  await page.goto(address)
  await page.reload()
  await page
    .getByRole('status')
    .filter({ hasText: plainly(waiting) })
    .waitFor()

  await release()
  for (const tab of [page, other]) await tab.getByRole('button', { name: 'Importer 20 relevés' }).waitFor()
  await page.getByRole('button', { name: 'Autres actions' }).click()
  await page.getByRole('button', { name: 'Abandonner' }).click()
  await stateOf(page, 'Abandonné').waitFor()
})
test('a file that is being uploaded is shown on the page from wherever the user returns, and can be stopped', async () => {
  const page = await open('/prices/imports', { as: admin })
  // The server does not answer, so the upload stays in progress.
  await page.route('**/api/imports?*', (route) =>
    route.request().method() === 'POST' ? undefined : route.continue(),
  )
  await drop(page, 'gros fichier.csv', wfpFile2025(...days('04', 3)))
  await page.getByRole('progressbar', { name: 'Envoi de gros fichier.csv' }).waitFor()
  await page.getByRole('link', { name: 'Marques' }).click()
  await page.getByRole('heading', { name: 'Marques', level: 1 }).waitFor()
  await page.getByRole('link', { name: 'Imports' }).click()
  await page.getByRole('progressbar', { name: 'Envoi de gros fichier.csv' }).waitFor()
  expect(await faultsOf(page, [1440, 360])).toEqual([])
  await page.getByRole('button', { name: 'Annuler l’envoi' }).click()
  await page.getByLabel('Choisir un fichier ou le déposer ici').waitFor()
  await expect.poll(() => page.getByText('gros fichier.csv').count()).toBe(0)
})

test('an upload that the network cuts is reported, and no part of it is stored', async () => {
  const page = await open('/prices/imports', { as: admin })
  await page.route('**/api/imports?*', (route) =>
    route.request().method() === 'POST' ? route.abort() : route.continue(),
  )
  await drop(page, 'coupé.csv', wfpFile2025(...days('05', 3)))
  await page.getByRole('alert').filter({ hasText: 'La connexion a été coupée' }).waitFor()
  await page.getByRole('button', { name: 'Fermer', exact: true }).click()
  await expect.poll(() => page.getByText('coupé.csv').count()).toBe(0)
})

test('a file of another type says why it is refused, and an import that can no longer be undone says so', async () => {
  const page = await open('/prices/imports', { as: admin })
  await drop(page, 'photo.csv', 'nom;âge\nAmina;30\n')
  await stateOf(page, 'Échoué').waitFor()
  await page.getByRole('alert').filter({ hasText: 'fichier' }).waitFor()
  expect(await faultsOf(page, [1440, 360])).toEqual([])

  await page.goto(`${url}/prices/imports`)
  await drop(page, 'titres.csv', wfpFile2025())
  await page.getByText('Il n’y a rien à ajouter : ce fichier n’a aucune ligne sous ses titres.').waitFor()
  await stateOf(page, 'Rien à ajouter').waitFor()

  await page.goto(`${url}/prices/imports`)
  await page.getByRole('row').filter({ hasText: 'titres.csv' }).getByText('Rien à ajouter').waitFor()
  await drop(page, 'prix.csv', wfpFile2025(...days('06', 4), { price: '0' }))
  await page.getByRole('button', { name: 'Importer 4 relevés' }).click()
  await page.getByRole('button', { name: 'Annuler cet import' }).waitFor()
  expect(await faultsOf(page, [1440, 360])).toEqual([])
  await db.updateTable('price').set({ price_value: 1 }).execute()
  await page.getByRole('button', { name: 'Annuler cet import' }).click()
  const question = page.getByRole('alertdialog')
  expect(await faultsOf(page, [1440, 360])).toEqual([])
  await question.getByRole('button', { name: 'Annuler l’import' }).click()
  await question.getByRole('alert').filter({ hasText: 'il ne peut plus être annulé' }).waitFor()
  await question.getByRole('button', { name: 'Garder l’import' }).click()
  await stateOf(page, 'Importé').waitFor()
})

test('a user who may not import sees no link to imports', async () => {
  const page = await open('/prices', { as: 'collector' })
  await page.getByRole('button', { name: 'Exporter' }).waitFor()
  await expect.poll(() => page.getByRole('link', { name: /^Import/ }).count()).toBe(0)
})

/** Goes back, and stays when asked whether to lose what is not saved. */
async function staysOnThePage(page: Page): Promise<void> {
  await page.goBack()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Continuer' }).click()
}

/** Returns the state of an import, as announced to screen readers. */
function stateOf(page: Page, label: string): Locator {
  return page.getByRole('main').getByRole('status').filter({ hasText: label })
}

/** Matches the text with the no-break spaces that the page writes. */
function plainly(text: string): RegExp {
  return new RegExp(text.replaceAll(' ', '\\s'))
}

test('an import is not confirmed while answers about its names are not applied', async () => {
  await db.insertInto('market').values({ name: 'Zando', location: 'Kinshasa' }).execute()
  const page = await open('/prices/imports', { as: admin })
  await drop(
    page,
    'deux marchés.csv',
    'date;marché vu;produit;prix\n2024-06-05;Marché de Zando;Sel;1 500 FC\n2024-06-06;Gambela;Sel;1 600 FC',
  )
  await page.getByRole('button', { name: 'Essayer à blanc' }).click()
  const answer = page.getByLabel(/Marché de Zando/)
  await answer.selectOption({ label: 'Le même\u00a0: Zando (Kinshasa)' })
  await page.getByRole('button', { name: 'Importer 1 relevé' }).click()
  await page.getByText('Appliquez d’abord ce que vous avez répondu').waitFor()
  await expect.poll(() => answer.inputValue()).not.toBe('')
  await page.getByRole('button', { name: 'Appliquer 1' }).click()
  await page.getByRole('button', { name: 'Importer 2 relevés' }).click()
  await stateOf(page, 'Importé').waitFor()
  for (const table of ['price', 'product', 'market'] as const) await db.deleteFrom(table).execute()
})

test('an import checked again meanwhile is not confirmed unseen: its new report is shown first', async () => {
  const page = await open('/prices/imports', { as: admin })
  await drop(page, 'devises.csv', 'date;marché vu;produit;prix\n2024-06-06;Gambela;Sel;1 600 FC')
  await page.getByRole('button', { name: 'Essayer à blanc' }).click()
  const confirm = page.getByRole('button', { name: 'Importer 1 relevé' })
  await confirm.waitFor()
  // A correction of the columns that is cancelled does not keep the import from being confirmed.
  await page.getByRole('button', { name: 'Modifier les colonnes' }).click()
  await page.getByLabel('Décimales des prix').selectOption(',')
  await page.getByRole('button', { name: 'Annuler', exact: true }).click()
  await page.getByRole('button', { name: 'Modifier les colonnes' }).waitFor()
  await sql`update import set report = report || '{"added": 7}' where state = 'checked'`.execute(db)
  await confirm.click()
  await page.getByText('Quelqu’un d’autre a modifié').waitFor()
  await page.getByRole('button', { name: 'Importer 7 relevés' }).waitFor()
  await page.getByRole('button', { name: 'Abandonner' }).click()
  await stateOf(page, 'Abandonné').waitFor()
})

test('a table with an unknown layout is mapped on a phone, its similar names decided, imported, and recognised next time', async () => {
  await db.insertInto('market').values({ name: 'Zando', location: 'Kinshasa' }).execute()
  const page = await open('/prices/imports', { as: admin, viewport: phone })
  const rows = (month: string) =>
    `jour;lieu de vente;produit;prix\n2024-${month}-05;Marché de Zando;Sel;1 500 FC\n2024-${month}-06;Marché de Zando;Sel;1 600 FC`
  await drop(page, 'relevés.csv', rows('06'))
  await page.getByRole('heading', { name: 'Que contiennent les colonnes' }).waitFor()
  await expect.poll(() => page.getByLabel(/^Marché/).inputValue()).toBe('lieu de vente')
  await expect.poll(() => page.getByLabel(/^Prix/).inputValue()).toBe('prix')
  await page.getByLabel('Retenir sous le nom').fill('Relevés du quartier')
  expect(await faultsOf(page, [phone.width])).toEqual([])
  await page.setViewportSize(phone)
  // No column is hidden on a phone: the user needs the contents to recognise each column.
  await expect.poll(() => page.getByRole('columnheader').count()).toBe(4)
  const currency = page.getByLabel('Devise, pour toutes les lignes')
  await currency.fill('')
  await page.getByRole('button', { name: 'Essayer à blanc' }).click()
  await page.getByText('Ce champ est obligatoire').waitFor()
  await expect.poll(() => currency.evaluate((field) => field === document.activeElement)).toBe(true)
  await currency.fill('CDF')
  await staysOnThePage(page)
  await page.getByRole('button', { name: 'Essayer à blanc' }).click()

  await page.getByLabel(/Marché de Zando/).selectOption({ label: 'Le même\u00a0: Zando (Kinshasa)' })
  expect(await faultsOf(page, [phone.width])).toEqual([])
  await page.setViewportSize(phone)
  await staysOnThePage(page)
  await page.getByRole('button', { name: 'Appliquer 1' }).click()
  await page.getByRole('button', { name: 'Importer 2 relevés' }).click()
  await stateOf(page, 'Importé').waitFor()

  await page.goto(`${url}/prices/imports`)
  await page.getByText('Relevés du quartier').waitFor()
  await drop(page, 'relevés de juillet.csv', rows('07'))
  await page.getByText('proposée ci-dessous').waitFor()
  await page.getByRole('button', { name: 'Essayer à blanc' }).click()
  await page.getByRole('button', { name: 'Importer 2 relevés' }).click()
  await stateOf(page, 'Importé').waitFor()
  const likeIt = await db.selectFrom('market').select('name').where('name', 'like', '%Zando%').execute()
  expect(likeIt).toEqual([{ name: 'Zando' }])
  for (const table of ['price', 'product', 'market'] as const) await db.deleteFrom(table).execute()
})
