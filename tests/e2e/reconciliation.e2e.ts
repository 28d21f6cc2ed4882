import { expect, test } from 'vitest'
import { story } from '../support/browser.ts'

const { db, open } = await story()

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
