import { expect, test } from 'vitest'
import { insertSubscriptionRow } from '../support/accounts.ts'
import { notified, story } from '../support/browser.ts'
import { faultsOf } from '../support/browser-checks.ts'
import { insertPlan } from '../support/payments.ts'

const { db, open, newAccount } = await story()
const admin = await newAccount('admin', { name: 'Aimée Mbuyi' })
const planId = await insertPlan(db, { name: 'Particulier', price: 5 })
await insertPlan(db, { name: 'Entreprise', price: 500, billing_period: 'YEARLY' })

test('the staff give a user a subscription, edit it, and read it on its own page', async () => {
  const { name } = await newAccount('user', { name: 'Aline Mutombo', ageDays: 40 })
  await newAccount('collector', { name: 'Aline Collecte' })
  const page = await open('/subscriptions', { as: admin })
  await page.getByRole('button', { name: 'Créer un abonnement' }).first().click()
  const form = page.getByRole('dialog', { name: 'Créer un abonnement' })
  const create = form.getByRole('button', { name: 'Créer', exact: true })
  await expect.poll(() => create.isDisabled()).toBe(true)
  await form.getByRole('combobox', { name: 'Utilisateur' }).fill('aline')
  await page.getByRole('option', { name: /Aline Mutombo/ }).waitFor()
  // The staff need no subscription, so they are not listed.
  await expect.poll(() => page.getByRole('option', { name: /Aline/ }).count()).toBe(1)
  await page.getByRole('option', { name: /Aline Mutombo/ }).click()
  await form.getByRole('combobox', { name: 'Plan' }).fill('part')
  await page.getByRole('option', { name: /Particulier/ }).click()
  await form.getByLabel('Début').fill('2026-01-01')
  await expect.poll(() => create.isDisabled()).toBe(true)
  await form.getByLabel('Fin').fill('2025-12-01')
  await create.click()
  await form.getByText('La fin doit venir après le début.', { exact: true }).waitFor()
  await form.getByLabel('Fin').fill('2036-02-01')
  await form.getByLabel('Statut').selectOption('ACTIVE')
  expect(await faultsOf(page)).toEqual([])
  await create.click()
  await notified(page, 'Abonnement créé avec succès')
  const line = page.getByRole('row').filter({ hasText: name })
  await expect
    .poll(() => line.innerText())
    .toMatch(/Particulier[\s\S]*5,00\s\$US[\s\S]*1\sjanv\.\s2026[\s\S]*1\sfévr\.\s2036[\s\S]*Actif/)

  await line.getByRole('button', { name: /^Modifier/ }).click()
  const edit = page.getByRole('dialog', { name: /^Modifier l’abonnement/ })
  await expect.poll(() => edit.getByLabel('Début').inputValue()).toBe('2026-01-01')
  await edit.getByRole('combobox', { name: 'Plan' }).fill('entr')
  await page.getByRole('option', { name: /Entreprise/ }).click()
  await edit.getByLabel('Statut').selectOption('CANCELED')
  await edit.getByRole('button', { name: 'Enregistrer' }).click()
  await notified(page, 'Abonnement mis à jour avec succès')
  await expect.poll(() => line.innerText()).toMatch(/Entreprise[\s\S]*500,00\s\$US[\s\S]*Annulé/)

  await line.getByRole('link').first().click()
  await page.getByRole('heading', { name: /Aline Mutombo/, level: 1 }).waitFor()
  const main = await page.getByRole('main').innerText()
  expect(main).toMatch(/Entreprise[\s\S]*500,00\s\$US\s\/\san/)
  await page
    .getByRole('button', { name: 'Retour' })
    .or(page.getByRole('link', { name: 'Retour' }))
    .first()
    .click()
  await page.getByRole('heading', { name: 'Abonnements', level: 1 }).waitFor()
})

test('a subscriber cancels at term, sees until when they can read, and undoes it', async () => {
  const account = await newAccount('user', { name: 'Chantal Ilunga', ageDays: 40 })
  await insertSubscriptionRow(db, {
    user_id: account.id,
    plan_id: planId,
    start_date: '2026-01-01',
    end_date: '2036-02-01',
    status: 'ACTIVE',
  })
  const page = await open('/subscriptions', { as: account })
  await page.getByRole('button', { name: 'Résilier' }).click()
  const dialog = page.getByRole('dialog', { name: 'Résilier l’abonnement' })
  const confirm = dialog.getByRole('button', { name: 'Résilier', exact: true })
  await expect.poll(() => confirm.isDisabled()).toBe(true)
  await dialog.getByLabel('Motif').selectOption({ index: 1 })
  expect(await faultsOf(page)).toEqual([])
  await confirm.click()
  await page.getByText(/votre accès reste ouvert jusqu’au 1\sfévr\.\s2036/).waitFor()
  await page.goto(`${page.url().split('/subscriptions')[0]}/prices`)
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.goBack()
  await page.getByRole('button', { name: 'Annuler la résiliation' }).click()
  await page.getByRole('button', { name: 'Résilier' }).waitFor()
  await expect.poll(() => page.getByText(/votre accès reste ouvert/).count()).toBe(0)
})

test('a manager reads subscriptions, and cannot edit them', async () => {
  const { id: user_id } = await newAccount('user', { name: 'Élie Makiese' })
  await insertSubscriptionRow(db, { user_id, start_date: '2026-01-01', end_date: '2026-02-01' })
  const page = await open('/subscriptions', { as: await newAccount('manager') })
  await page.getByRole('row').filter({ hasText: 'Élie Makiese' }).waitFor()
  await expect.poll(() => page.getByRole('button', { name: /Créer|Modifier|Supprimer/ }).count()).toBe(0)
})

test('the subscriptions of one person have a chip with the name, which shows those of all when removed', async () => {
  const { id } = await newAccount('user', { name: 'Fidèle Ngoy' })
  const { id: other } = await newAccount('user', { name: 'Gisèle Banza' })
  const period = { start_date: '2026-01-01', end_date: '2026-02-01' }
  await db
    .insertInto('subscription')
    .values([id, other].map((user_id) => ({ user_id, ...period })))
    .execute()
  const page = await open(`/subscriptions?userId=${id}`, { as: await newAccount('manager') })
  const another = page.getByRole('row').filter({ hasText: 'Gisèle Banza' })
  await page.getByRole('row').filter({ hasText: 'Fidèle Ngoy' }).waitFor()
  await expect.poll(() => another.count()).toBe(0)
  await page.getByRole('button', { name: 'Retirer le filtre Utilisateur : Fidèle Ngoy' }).click()
  await another.waitFor()
})

test('a pause is offered for periods that can be paused, and a paused one is not edited', async () => {
  const { id: user_id } = await newAccount('user', { name: 'Honoré Tambwe' })
  const current = { start_date: '2026-01-01', end_date: '2036-02-01' }
  await db
    .insertInto('subscription')
    .values([
      { user_id, ...current, plan_id: planId, status: 'TRIAL' },
      { user_id, ...current, plan_id: planId, status: 'CANCELED' },
      { user_id, start_date: '2025-01-01', end_date: '2025-02-01', plan_id: planId, status: 'ACTIVE' },
      { user_id, ...current, plan_id: planId, status: 'ACTIVE' },
      {
        user_id,
        ...current,
        plan_id: planId,
        status: 'PAUSED',
        paused_at: new Date(),
        pause_reason: 'Voyage',
      },
    ])
    .execute()
  const page = await open(`/subscriptions?userId=${user_id}`, { as: admin })
  await expect.poll(() => page.getByRole('row').count()).toBe(6)
  const offered = async (action: string) => {
    const rows = page.getByRole('row').filter({ has: page.getByRole('button', { name: action }) })
    const texts = await rows.allInnerTexts()
    return texts.map((text) => /Essai|Actif|Expiré|Annulé|En pause/.exec(text)?.[0]).sort()
  }
  await expect.poll(() => offered('Pause et reprise')).toEqual(['Actif', 'En pause'])
  await expect.poll(() => offered('Modifier')).toEqual(['Actif', 'Annulé', 'Essai', 'Expiré'])
})

test('the end and the status of a free trial are edited without a plan, also once the box of the plan was emptied', async () => {
  const { id: user_id } = await newAccount('user', { name: 'Judith Kalala' })
  await insertSubscriptionRow(db, {
    user_id,
    start_date: '2026-01-01',
    end_date: '2036-02-01',
    status: 'TRIAL',
  })
  const page = await open(`/subscriptions?userId=${user_id}`, { as: admin })
  const line = page.getByRole('row').filter({ hasText: 'Judith Kalala' })
  const edit = page.getByRole('dialog', { name: /^Modifier l’abonnement/ })
  const save = edit.getByRole('button', { name: 'Enregistrer' })
  await line.getByRole('button', { name: /^Modifier/ }).click()
  await edit.getByLabel('Fin').fill('2036-03-01')
  await save.click()
  await expect.poll(() => line.innerText()).toMatch(/Essai gratuit[\s\S]*1\smars\s2036/)

  await line.getByRole('button', { name: /^Modifier/ }).click()
  const plan = edit.getByRole('combobox', { name: 'Plan' })
  await plan.fill('part')
  await page.getByRole('option', { name: /Particulier/ }).click()
  await plan.fill('')
  await plan.press('Tab')
  await edit.getByLabel('Statut').selectOption('CANCELED')
  await save.click()
  await expect.poll(() => line.innerText()).toMatch(/Essai gratuit[\s\S]*1\smars\s2036[\s\S]*Annulé/)
})

test('a subscriber whose period begins later reads when, and is offered no renewal of it', async () => {
  const account = await newAccount('user', { ageDays: 40 })
  await insertSubscriptionRow(db, {
    user_id: account.id,
    plan_id: planId,
    start_date: '2036-01-01T12:00:00Z',
    end_date: '2036-02-01T12:00:00Z',
    status: 'ACTIVE',
  })
  const page = await open('/prices', { as: account })
  const gate = page.getByRole('dialog', { name: 'Choisissez votre plan' })
  const starts = /Votre abonnement «\sParticulier\s» commence le 1\sjanv\.\s2036\./
  await gate.getByText(starts).waitFor()
  await expect.poll(() => gate.getByRole('link', { name: 'Renouveler' }).count()).toBe(0)
  await page.goto(`${page.url().split('/prices')[0]}/subscriptions`)
  await page.getByText(starts).waitFor()
  await expect.poll(() => page.getByRole('link', { name: 'Renouveler' }).count()).toBe(0)
})
