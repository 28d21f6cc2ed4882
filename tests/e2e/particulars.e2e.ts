import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { prepareCommandImport } from '#features/imports/imports.jobs.ts'
import { importers } from '#main/importers.ts'
import { insertSubscriptionRow } from '../support/accounts.ts'
import { notified, story } from '../support/browser.ts'
import { insertCategory, insertProduct, insertType } from '../support/catalogue.ts'
import { insertPlan } from '../support/payments.ts'
import { bytesOf, wfpFile2025 } from '../support/price-files.ts'

const { db, pool, url, open, newAccount } = await story({ hasJobs: true })
const admin = await newAccount('admin', { name: 'Espérance Mbuyi' })

test('two categories are merged with their contents, and so are two types', async () => {
  const [cereals, grains] = [await insertCategory(db, 'Céréales'), await insertCategory(db, 'Grains')]
  const [rice, ricc] = [
    await insertType(db, { category_id: cereals, name: 'Riz' }),
    await insertType(db, { category_id: grains, name: 'Ricc' }),
  ]
  const product = await insertProduct(db, { type_id: ricc, name: 'Riz du Kwilu' })
  const page = await open('/categories', { as: admin })
  await page.getByRole('button', { name: 'Fusionner « Grains »' }).click()
  const question = page.getByRole('dialog', { name: 'Fusionner « Grains »' })
  await question.getByText('ses types et leurs produits rejoignent').waitFor()
  await expect
    .poll(() => question.getByRole('button', { name: 'Fusionner', exact: true }).isDisabled())
    .toBe(true)
  await choose(page, question, 'grai', 'Grains')
  await question.getByText('Choisissez-en une autre.').waitFor()
  await expect
    .poll(() => question.getByRole('button', { name: 'Fusionner', exact: true }).isDisabled())
    .toBe(true)
  await choose(page, question, 'cere', 'Céréales')
  await question.getByRole('button', { name: 'Fusionner', exact: true }).click()
  await question.waitFor({ state: 'hidden' })
  await expect.poll(() => page.getByRole('listitem').filter({ hasText: 'Grains' }).count()).toBe(0)

  await page.goto(`${url}/products?tab=types&categoryId=${cereals}`)
  await page.getByRole('button', { name: 'Fusionner « Ricc »' }).click()
  const merge = page.getByRole('dialog', { name: 'Fusionner « Ricc »' })
  await choose(page, merge, 'riz', 'Riz')
  await merge.getByRole('button', { name: 'Fusionner', exact: true }).click()
  await merge.waitFor({ state: 'hidden' })
  await page.getByRole('link', { name: 'Produits de « Riz »' }).click()
  await page.getByText('Riz du Kwilu').first().waitFor()
  const { type_id } = await db
    .selectFrom('product')
    .select('type_id')
    .where('id', '=', product)
    .executeTakeFirstOrThrow()
  expect(type_id).toBe(rice)
})

test('the uses of a plan or a type are shown before any red button, with a link to them', async () => {
  const [taken, tried] = [await insertPlan(db, { name: 'Pris' }), await insertPlan(db, { name: 'Essayé' })]
  const { id: user_id } = await newAccount('user', { name: 'Odette Kalala' })
  const dates = { start_date: '2026-01-01', end_date: '2027-01-01' }
  await insertSubscriptionRow(db, { user_id, plan_id: taken, ...dates })
  const payment = { amount: 5, currency: 'USD', status: 'FAILED', payment_method: 'CASH' }
  await db
    .insertInto('payment')
    .values({ user_id, plan_id: tried, ...payment })
    .execute()
  const type_id = await insertType(db, { name: 'Pondéré' })
  await db
    .insertInto('product_type_weight')
    .values({ type_id, day: '2026-01-01', weight: 3, source: 'Enquête' })
    .execute()
  const page = await open('/plans', { as: admin })
  const ask = async (name: string, use: string) => {
    await page.getByRole('button', { name: `Supprimer « ${name} »` }).click()
    const question = page.getByRole('alertdialog')
    const link = question.getByRole('link', { name: use })
    await link.waitFor()
    await expect.poll(() => question.getByRole('button', { name: 'Supprimer', exact: true }).count()).toBe(0)
    await link.click()
  }
  await ask('Pris', 'des abonnements')
  await page.waitForURL(`**/subscriptions?planId=${taken}`)
  await page.getByRole('button', { name: /^Retirer le filtre Plan : Pris/ }).waitFor()
  await page
    .getByRole('cell', { name: /^Odette Kalala/ })
    .first()
    .waitFor()
  await page.goto(`${url}/plans`)
  await ask('Essayé', 'des paiements')
  await page.waitForURL(`**/payments?planId=${tried}`)
  await page.getByRole('button', { name: /^Retirer le filtre Plan : Essayé/ }).waitFor()
  await page.goto(`${url}/products?tab=types&search=pondere`)
  await ask('Pondéré', '1 pondération')
  await page.waitForURL(`**/statistiques/ponderations?typeId=${type_id}`)
  await page.getByRole('cell', { name: 'Enquête' }).waitFor()
})

test('a file of another type is refused once, when it is chosen; a picture is accepted after it, for a product without a brand too', async () => {
  const product = await insertProduct(db, { name: 'Sel de Moanda' })
  const page = await open(`/products/edit/${product}`, { as: admin })
  let sent = 0
  page.on('request', (request) => {
    if (request.method() === 'PUT') sent += 1
  })
  const image = page.getByLabel('Image')
  await image.setInputFiles({ name: 'riz.png', mimeType: 'image/png', buffer: Buffer.from('Riz, 25 kg') })
  const refusal = page.getByText('Ce fichier n’est pas une image JPEG, PNG, WebP ou GIF.')
  await refusal.waitFor()
  await expect.poll(() => refusal.count()).toBe(1)
  await expect
    .poll(() => page.getByRole('region', { name: 'Notifications' }).getByText('image').count())
    .toBe(0)
  expect(sent).toBe(0)
  const dot =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='
  await image.setInputFiles({ name: 'sel.png', mimeType: 'image/png', buffer: Buffer.from(dot, 'base64') })
  await refusal.waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'Enregistrer' }).click()
  await notified(page, 'Produit mis à jour avec succès')
})

test('an import by command is in the list; once undone it no longer counts, and a useless file offers to choose another', async () => {
  const file = wfpFile2025({ date: '2024-02-05' }, { date: '2024-02-06' })
  const result = await prepareCommandImport(db, {
    kind: 'prices',
    fileName: 'pam.csv',
    currencyMap: new Map(),
    fileBytes: () => file.length,
  })
  await importers.prices.read(pool, bytesOf(file), { ...result, fileName: 'pam.csv' })

  const page = await open('/prices/imports', { as: admin })
  const row = page.getByRole('row').filter({ hasText: 'pam.csv' })
  await row.getByText('2 relevés ajoutés').waitFor()
  await row.getByRole('link').click()
  await page.getByText('Également créé').waitFor()
  await page.getByRole('button', { name: 'Annuler cet import' }).click()
  await page.getByRole('button', { name: 'Annuler l’import' }).click()
  await page.getByRole('main').getByRole('status').filter({ hasText: 'Annulé' }).waitFor()
  await expect.poll(() => page.getByText('Également créé').count()).toBe(0)
  const notices = page.getByRole('region', { name: 'Notifications' })
  await expect.poll(() => notices.getByText('commence').count()).toBe(0)
  await page.getByRole('link', { name: 'Imports', exact: true }).first().click()
  await row.getByText('2 relevés retirés').waitFor()

  const input = page.getByLabel('Choisir un fichier ou le déposer ici')
  await input.setInputFiles({ name: 'vide.csv', mimeType: 'text/csv', buffer: Buffer.from(wfpFile2025()) })
  await page.getByRole('link', { name: 'Choisir un autre fichier' }).click()
  await input.setInputFiles({ name: 'bon.csv', mimeType: 'text/csv', buffer: Buffer.from(file) })
  await page.getByRole('button', { name: 'Importer 2 relevés' }).click()
  await page.getByRole('main').getByRole('status').filter({ hasText: 'Importé' }).waitFor()
  await expect.poll(() => notices.getByText('commence').count()).toBe(0)
})

async function choose(page: Page, within: Locator, letters: string, name: string): Promise<void> {
  await within.getByRole('combobox', { name: 'Avec' }).fill(letters)
  await page.getByRole('option', { name: new RegExp(`^${name}`) }).click()
}
