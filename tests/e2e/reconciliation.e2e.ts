import { expect, test } from 'vitest'
import { story } from '../support/browser.ts'
import { insertPlan } from '../support/payments.ts'

const { db, open, newAccount } = await story()

const statement = [
  'depositId,status,amount,currency,created,phoneNumber',
  '0199f0aa-1111-7222-8333-944455556666,COMPLETED,5,USD,2026-10-10T08:00:00Z,243813456789',
].join('\n')

test('the note of a receipt outlives Escape, a lost network, and a list that others have emptied', async () => {
  const page = await open('/payments?tab=reconciliation', { as: 'admin' })
  await page
    .getByLabel('Choisir un relevé ou le déposer ici')
    .setInputFiles({ name: 'releve.csv', mimeType: 'text/csv', buffer: Buffer.from(statement) })
  await page.getByRole('button', { name: 'Noter à rembourser' }).click()
  const dialog = page.getByRole('dialog', { name: 'Noter 5,00 $US à rembourser' })
  const note = dialog.getByLabel('Ce que vous savez de cet argent')
  await note.fill('Client inconnu')
  await page.keyboard.press('Escape')
  const question = page.getByRole('alertdialog', { name: 'Abandonner la saisie ?' })
  await question.getByRole('button', { name: 'Continuer la saisie' }).click()

  const addresses = ['**/api/payments/strays', '**/api/payments/reconciliation?*']
  for (const address of addresses) await page.route(address, (route) => route.abort())
  await dialog.getByRole('button', { name: 'Noter à rembourser' }).click()
  await page.getByText('500 • Erreur réseau').nth(2).waitFor()
  await expect.poll(() => note.inputValue()).toBe('Client inconnu')
  for (const address of addresses) await page.unroute(address)
  await dialog.getByRole('button', { name: 'Noter à rembourser' }).click()
  await dialog.waitFor({ state: 'hidden' })

  // After its reload, the list of differences has a button of the same name.
  const owed = page.getByRole('list', { name: 'À rembourser chez l’opérateur' })
  await owed.getByRole('button', { name: 'Noter le remboursement' }).click()
  const other = page.getByRole('dialog', { name: '5,00 $US sont rendus' })
  const way = other.getByLabel('Comment l’argent a été rendu')
  await way.fill('Par M-Pesa')
  // Another user has noted the refund meanwhile, and the list is empty.
  await db.updateTable('stray_receipt').set({ state: 'refunded' }).execute()
  await other.getByRole('button', { name: 'Noter le remboursement' }).click()
  await expect.poll(() => owed.getByRole('listitem').count()).toBe(0)
  await other.getByText('409 •').waitFor()
  await expect.poll(() => way.inputValue()).toBe('Par M-Pesa')
})

test('the search for the client of a bank’s row takes only pro formas of its currency', async () => {
  const plan_id = await insertPlan(db, { name: 'Particulier' })
  const { id: user_id } = await newAccount('user', { name: 'Coopérative Mazao' })
  for (const [currency, amount] of [
    ['USD', 590],
    ['CDF', 1_652_000],
  ] as const)
    await db
      .insertInto('transfer_order')
      .values({ user_id, plan_id, billing_period: 'YEARLY', amount, currency })
      .execute()
  const page = await open('/payments?tab=reconciliation', { as: 'admin' })
  await page.getByRole('button', { name: 'Banque', exact: true }).click()
  await page.getByLabel('Choisir un relevé').setInputFiles({
    name: 'releve.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('Date;Libellé;Crédit;Devise\n2026-08-06;VIREMENT SANS MOTIF;1652000;CDF'),
  })
  await page.getByRole('button', { name: 'Chercher le client' }).click()
  const dialog = page.getByRole('dialog', { name: 'Qui a fait ce virement' })
  const inDollars = dialog.getByRole('button', { name: /Coopérative Mazao.*590,00\s\$US/ })
  await inDollars.getByText('autre devise que la ligne').waitFor()
  await expect.poll(() => inDollars.isDisabled()).toBe(true)
  await dialog.getByRole('button', { name: /Coopérative Mazao.*1\s652\s000\sFC/ }).click()
  const record = page.getByRole('dialog', { name: /^Virement pour VIR-/ })
  await expect.poll(() => record.getByLabel('Montant reçu').inputValue()).toBe('1652000')
})
