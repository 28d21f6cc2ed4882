import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { publishEdition } from '#features/editions/editions.jobs.ts'
import { phone, story } from '../support/browser.ts'
import { insertMarket, insertPrice, insertProduct } from '../support/catalogue.ts'

const { db, connection, dataDir, open } = await story()
const product_id = await insertProduct(db, { name: 'Riz local' })
const market_id = await insertMarket(db)
await insertPrice(db, { product_id, market_id, day: '2026-02-03', price_value: 1250 })
const publish = (month: string) =>
  publishEdition({ db, connection, place: { dataDir, s3: null } }, month, new AbortController().signal)
await publish('2026-02')

test('a subscriber downloads an edition, however long it takes, and copies its citation', async () => {
  const page = await open('/donnees', { as: 'manager', viewport: phone })
  await page.getByRole('heading', { name: 'Février 2026, édition 1' }).waitFor()
  // A slow network takes longer than any limit.
  await page.evaluate(() => {
    AbortSignal.timeout = () => AbortSignal.abort()
  })
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: /Télécharger .*\.csv\.gz/ }).click()
  const file = await downloading
  expect(file.suggestedFilename()).toMatch(/2026-02-edition-1\.csv\.gz$/)
  expect(gunzipSync(readFileSync(await file.path())).toString()).toContain('Riz local')
  await page.getByText('Citer cette édition').click()
  await page.getByText(/^Ntalo \(\d{4}\)\. .*édition 1/).waitFor()
  await page.getByText('BibTeX', { exact: true }).click()
  await page.getByText('@misc{').waitFor()
})

test('a download of an edition shows how much has come, and can be cancelled', async () => {
  const page = await open('/donnees', { as: 'manager' })
  await page.route('**/api/editions/*/file*', () => {})
  await page.getByRole('button', { name: /Télécharger .*\.parquet/ }).click()
  await page.getByText(/^0\sko sur \d+\sko$/).waitFor()
  await page.getByRole('button', { name: /Télécharger .*\.csv\.gz/ }).waitFor()
  await page.getByRole('button', { name: 'Annuler' }).click()
  await page.getByRole('button', { name: /Télécharger .*\.parquet/ }).waitFor()
})

test('a requested edition appears once it is made', async () => {
  const page = await open('/donnees', { as: 'admin', isNew: true })
  await page.clock.install()
  await page.reload()
  await page.getByRole('button', { name: 'Publier le dernier mois' }).click()
  await page.getByText(/L’édition se prépare/).waitFor()
  await publish('2026-03')
  await page.clock.runFor(10_000)
  await page.getByRole('heading', { name: 'Mars 2026, édition 2' }).waitFor()
})
