import { expect, test } from 'vitest'
import { notified, phone, story } from '../support/browser.ts'
import { faultsOf } from '../support/browser-checks.ts'
import { insertPlan } from '../support/payments.ts'

const { db, open, newAccount } = await story()
const admin = await newAccount('admin', { name: 'Aimée Mbuyi' })

test('a plan is created, shown to those who may choose it, edited and withdrawn from sale', async () => {
  const page = await open('/plans', { as: admin })
  await page.getByRole('button', { name: 'Créer un plan' }).first().click()
  const form = page.getByRole('dialog', { name: 'Créer un plan' })
  await expect.poll(() => form.getByLabel('Devise').inputValue()).toBe('USD')
  const create = form.getByRole('button', { name: 'Créer', exact: true })
  await expect.poll(() => create.isDisabled()).toBe(true)
  await form.getByLabel('Nom').fill('Coopérative')
  await form.getByLabel('Description', { exact: true }).fill('Pour cinq personnes')
  await form.getByRole('textbox', { name: /^Prix/ }).fill('120,5')
  await form.getByLabel('Période').selectOption('YEARLY')
  expect(await faultsOf(page)).toEqual([])
  await create.click()
  await notified(page, 'Plan créé avec succès')
  const card = page.getByRole('listitem').filter({ hasText: 'Coopérative' })
  await expect.poll(() => card.innerText()).toMatch(/Actif[\s\S]*120,50\s\$US\s\/\san[\s\S]*Annuelle/)

  const subscriber = await open('/subscriptions', {
    as: await newAccount('user', { ageDays: 40 }),
    viewport: phone,
  })
  await subscriber.getByRole('button', { name: 'Sélectionner le plan Coopérative' }).waitFor()
  await subscriber.goto(page.url())
  await subscriber.getByRole('button', { name: 'Autres actions' }).click()
  await subscriber.getByRole('link', { name: 'Choisir un plan' }).click()
  await subscriber.waitForURL('**/subscriptions#plans')

  await page.getByRole('button', { name: 'Modifier « Coopérative »' }).click()
  const edit = page.getByRole('dialog', { name: 'Modifier le plan « Coopérative »' })
  await expect.poll(() => edit.getByRole('textbox', { name: /^Prix/ }).inputValue()).toBe('120,5')
  await edit.getByRole('textbox', { name: /^Prix/ }).fill('25')
  await edit.getByLabel('Période').selectOption('MONTHLY')
  await edit.getByRole('checkbox', { name: 'Actif' }).uncheck()
  await edit.getByRole('button', { name: 'Enregistrer' }).click()
  await notified(page, 'Plan mis à jour avec succès')
  await expect.poll(() => card.innerText()).toMatch(/Inactif[\s\S]*25,00\s\$US\s\/\smois/)
  await subscriber.reload()
  await subscriber.getByText('Aucun plan trouvé').waitFor()

  await page.getByRole('button', { name: 'Supprimer « Coopérative »' }).click()
  await page.getByText('Êtes-vous sûr de vouloir supprimer le plan « Coopérative » ?').waitFor()
  await page.getByRole('button', { name: 'Supprimer', exact: true }).click()
  await notified(page, 'Plan supprimé avec succès')
})

test('a user who may not write plans reads them, without a button to edit one', async () => {
  await insertPlan(db, { name: 'Lu par tous' })
  const page = await open('/plans', { as: await newAccount('manager') })
  await page.getByRole('listitem').filter({ hasText: 'Lu par tous' }).waitFor()
  await expect.poll(() => page.getByRole('button', { name: /Créer|Modifier|Supprimer/ }).count()).toBe(0)
  await expect.poll(() => page.getByRole('link', { name: 'Choisir un plan' }).count()).toBe(0)
})
