import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { createPawapay } from '#features/payments/pawapay/pawapay.gateway.ts'
import { createLog } from '#server/log.ts'
import { dayMs } from '#shared/days.ts'
import { insertSubscriptionRow } from '../support/accounts.ts'
import { password, phone, story } from '../support/browser.ts'
import { faultsOf } from '../support/browser-checks.ts'
import { mailsTo } from '../support/mails.ts'
import { insertPlan, startSimulator } from '../support/payments.ts'

const { simulator, url: simulatorUrl, token } = await startSimulator({ endsAfterMs: 300 })
const mobileMoney = createPawapay({ url: simulatorUrl, token, log: createLog('silent') })
const { db, url, dataDir, open, newAccount } = await story({
  hasJobs: true,
  payments: { mobileMoney: [mobileMoney], isSimulated: true },
})
simulator.tell(`${url}/webhooks/pawapay`)
const planId = await insertPlan(db, { name: 'Particulier', price: 5 })
const gate = (page: Page, name: string) => page.getByRole('dialog', { name })

async function payBy(page: Page, number: string): Promise<void> {
  await page.getByLabel('Numéro mobile money').fill(number)
  await page.getByRole('button', { name: 'Valider le paiement' }).click()
  const question = page.getByRole('dialog', { name: 'Confirmer l’abonnement' })
  await question.getByText('1 mois').waitFor()
  await question.getByRole('button', { name: 'Confirmer' }).click()
}

test('a subscriber without access meets the gate, chooses, pays, fails, tries again, and reads prices', async () => {
  const page = await open('/prices', { as: await newAccount('user', { ageDays: 40 }) })
  const choice = gate(page, 'Choisissez votre plan')
  await choice.getByText('Votre période d’essai est terminée.').waitFor()
  await expect.poll(() => choice.getByText('Gratuit').count()).toBe(0)
  expect(await faultsOf(page)).toEqual([])
  // The page behind the gate says it once.
  await expect.poll(() => page.getByText('Choisissez un plan pour consulter ces données.').count()).toBe(1)
  await page.keyboard.press('Escape')
  await page.mouse.click(5, 5)
  // The panel behind the gate leads to the same choice.
  await expect
    .poll(() => page.locator('a[href="/subscriptions#plans"]').getByText('Choisir un plan').count())
    .toBe(1)
  await expect
    .poll(() => page.evaluate(() => getComputedStyle(document.documentElement).overflowY))
    .toBe('hidden')
  for (let stop = 0; stop < 12; stop++) {
    await page.keyboard.press('Tab')
    // The focus is in the dialog or on the browser's own controls, when the page's active element is its body.
    const isInside = await page.evaluate(
      () => document.activeElement === document.body || !!document.activeElement?.closest('dialog[open]'),
    )
    expect(isInside).toBe(true)
  }
  await choice.getByRole('button', { name: 'Sélectionner le plan Particulier' }).click()
  await gate(page, 'Finaliser votre abonnement').getByRole('button', { name: 'Changer de plan' }).click()
  await choice.getByRole('button', { name: 'Sélectionner le plan Particulier' }).click()
  await gate(page, 'Finaliser votre abonnement').getByRole('button', { name: 'Payer maintenant' }).click()
  // The choice survives a reload.
  await page.reload()
  await gate(page, 'Paiement de l’abonnement').getByText('Mode démonstration').waitFor()
  await page.getByLabel('Numéro mobile money').fill('123')
  await page.getByRole('button', { name: 'Valider le paiement' }).click()
  await page.getByText('Ce n’est pas un numéro de mobile congolais.').waitFor()
  await payBy(page, '+243 81 345 60 39')
  await page.getByText('Le paiement n’a pas été validé sur le téléphone.').waitFor()
  expect(await faultsOf(page)).toEqual([])
  await page.getByRole('button', { name: 'Réessayer' }).click()
  await payBy(page, '0813456789')
  await page.getByText('Paiement confirmé').waitFor()
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  await page.getByRole('heading', { name: 'Gestion des Prix', level: 1 }).waitFor()
  await page.goto(`${url}/subscriptions`)
  await page.getByText('Mon Abonnement').waitFor()
  await page.getByRole('link', { name: 'Mes paiements' }).click()
  const table = page.getByRole('table', { name: 'Mes paiements' })
  await table.getByText('Payé', { exact: true }).waitFor()
  await table.getByText('Échoué', { exact: true }).waitFor()
  // A renewal takes one tap, with the number used last.
  await page.goto(`${url}/payments?planId=${planId}&renouveler=1`)
  const renewal = page.getByRole('dialog', { name: 'Confirmer l’abonnement' })
  await renewal.getByText('+243813456789').waitFor()
  await renewal.getByRole('button', { name: 'Confirmer' }).click()
  await page.getByText('Paiement confirmé').waitFor()
})

test('a subscription that ends while its user reads shows the gate at the next navigation, and the user may sign out there', async () => {
  const account = await newAccount('user', { ageDays: 40 })
  await insertSubscriptionRow(db, {
    user_id: account.id,
    plan_id: planId,
    status: 'ACTIVE',
    start_date: new Date(Date.now() - dayMs),
    end_date: new Date(Date.now() + dayMs),
  })
  const page = await open('/brands', { as: account })
  await page.getByRole('heading', { name: 'Marques', level: 1 }).waitFor()
  // The list has been read: a later request would show the gate without a navigation.
  await page.getByText('Aucune marque trouvée').waitFor()
  await db
    .updateTable('subscription')
    .set({ end_date: new Date() })
    .where('user_id', '=', account.id)
    .execute()
  // A request of the page before may be refused before the click: then the gate is already open.
  await page.getByRole('link', { name: 'Catégories' }).first().dispatchEvent('click')
  const choice = gate(page, 'Choisissez votre plan')
  await choice.waitFor()
  // On a page without the gate, the message does not call the subscription a trial.
  await page.goto(`${url}/subscriptions`)
  await page.getByText('Votre abonnement «\u202fParticulier\u202f» est terminé.').waitFor()
  // An invoice is frozen once it is paid: what it will say is set without access too.
  await page.goto(`${url}/factures`)
  await page.getByRole('button', { name: 'Modifier la facturation' }).waitFor()
  await page.goto(`${url}/categories`)
  await choice.getByRole('button', { name: 'Se déconnecter' }).click()
  await page.waitForURL('**/auth/login')
})

test('a payment is confirmed only once it is known whether the plan can begin at once', async () => {
  const account = await newAccount('user', { ageDays: 40 })
  const [start_date, end_date] = [new Date(Date.now() - 9 * dayMs), new Date(Date.now() + 20 * dayMs)]
  await insertSubscriptionRow(db, {
    user_id: account.id,
    plan_id: planId,
    status: 'ACTIVE',
    start_date,
    end_date,
  })
  const bigger = await insertPlan(db, { name: 'Grand', price: 20 })
  const page = await open('/brands', { as: account })
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/api/payments/upgrade*', async (route) => {
    await held
    await route.continue()
  })
  await page.goto(`${url}/payments?planId=${bigger}`)
  await page.getByLabel('Numéro mobile money').fill('0813456789')
  await page.getByLabel('Numéro mobile money').press('Enter')
  const pay = page.getByRole('button', { name: 'Valider le paiement' })
  await expect.poll(() => pay.getAttribute('aria-busy')).toBe('true')
  await expect.poll(() => page.getByRole('dialog', { name: 'Confirmer l’abonnement' }).count()).toBe(0)
  release()
  await pay.click()
  await page.getByRole('dialog', { name: 'Confirmer l’abonnement' }).waitFor()
})

test('a pending payment is shown again after the page was closed', async () => {
  const account = await newAccount('user', { ageDays: 40 })
  const page = await open(`/payments?planId=${planId}`, { as: account })
  await payBy(page, '0813456129')
  await page.getByText('Validez sur votre téléphone').waitFor()
  const other = await page.context().newPage()
  await page.close()
  // A clock that is ten minutes ahead does not make the payment older.
  await other.addInitScript(() => {
    const now = Date.now
    Date.now = () => now() + 600_000
  })
  await other.goto(`${url}/brands`)
  await other.getByRole('button', { name: 'Sélectionner le plan Particulier' }).click()
  await other.getByRole('button', { name: 'Payer maintenant' }).click()
  await other.getByText('Validez sur votre téléphone').waitFor()
  // Minutes later the page says that the user need not wait, though nothing else has changed.
  await other.route('**/api/payments/*', async (route) => {
    const response = await route.fetch()
    const date = new Date(Date.now() + 4 * 60_000).toUTCString()
    await route.fulfill({ response, headers: { ...response.headers(), date } })
  })
  await other.getByText('Toujours en attente').waitFor()
  // So does a page that is opened then.
  await db
    .updateTable('payment')
    .set({ created_at: new Date(Date.now() - 4 * 60_000) })
    .where('user_id', '=', account.id)
    .execute()
  const third = await other.context().newPage()
  await other.close()
  await third.goto(`${url}/payments?planId=${planId}`)
  await third.getByText('Vous pouvez fermer cette page').waitFor()
  expect(await faultsOf(third)).toEqual([])
  await third.getByRole('button', { name: 'Payer autrement' }).click()
  await payBy(third, '0813456789')
  await third.getByText('Paiement confirmé').waitFor()
  await third.getByText('Mon Abonnement').waitFor()
})

test('a payment whose response was lost is followed, and a corrected number starts a new attempt', async () => {
  const account = await newAccount('user', { ageDays: 40 })
  const page = await open(`/payments?planId=${planId}`, { as: account })
  await page.getByLabel('Numéro mobile money').waitFor()
  const network = { losesAnswers: true, isOff: true }
  await page.route('**/api/payments/checkout', async (route) => {
    if (!network.losesAnswers) return route.continue()
    await route.fetch()
    await route.abort()
  })
  await page.route('**/api/payments/mine*', (route) => (network.isOff ? route.abort() : route.continue()))
  await payBy(page, '0813456039')
  const question = page.getByRole('dialog', { name: 'Confirmer l’abonnement' })
  await question.getByText('Erreur réseau').waitFor()
  await question.getByRole('button', { name: 'Modifier' }).click()
  network.isOff = false
  await page.getByLabel('Numéro mobile money').fill('0813456129')
  await page.getByRole('button', { name: 'Valider le paiement' }).click()
  // The failure of the first attempt is not that of the second.
  await question.getByText('0813456129').waitFor()
  await expect.poll(() => question.getByText('Erreur réseau').count()).toBe(0)
  await question.getByRole('button', { name: 'Confirmer' }).click()
  await page.getByText('Validez sur votre téléphone').waitFor()
  await page.getByText('+243813456129').waitFor()
  await expect.poll(() => question.count()).toBe(0)
  const numbers = await db
    .selectFrom('deposit')
    .innerJoin('payment', 'payment.id', 'payment_id')
    .select('phone')
    .where('user_id', '=', account.id)
    .orderBy('payment.id')
    .execute()
  expect(numbers.map(({ phone: number }) => number)).toEqual(['243813456039', '243813456129'])
})

test('a plan that is no longer sold leads to the others', async () => {
  const gone = await insertPlan(db, { name: 'Ancien', is_active: false })
  const page = await open(`/payments?planId=${gone}`, { as: await newAccount('user', { ageDays: 2 }) })
  await page.getByText('Ce plan n’est plus proposé').waitFor()
  await page.goto(`${url}/payments?planId=999999`)
  await page.getByText('Ce plan n’est plus proposé').waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Réessayer' }).count()).toBe(0)
  await page.getByRole('button', { name: 'Choisir un autre plan' }).click()
  await page.getByRole('button', { name: 'Sélectionner le plan Particulier' }).waitFor()
})

test('a user in the trial confirms the address first, reads from the payment on, and sees what follows the trial', async () => {
  const account = await newAccount('user', { ageDays: 2 })
  await db.updateTable('app_user').set({ email_verified: false }).where('id', '=', account.id).execute()
  await insertSubscriptionRow(db, {
    user_id: account.id,
    status: 'TRIAL',
    start_date: new Date(Date.now() - dayMs),
    end_date: new Date(Date.now() + 9 * dayMs),
  })
  const page = await open(`/payments?planId=${planId}`, { as: account, viewport: phone })
  await page.getByText('Confirmez votre adresse e-mail avant de payer').waitFor()
  await expect.poll(() => page.getByLabel('Numéro mobile money').count()).toBe(0)
  expect(await faultsOf(page)).toEqual([])
  await page.getByRole('button', { name: 'Recevoir un nouveau lien' }).click()
  const [mail] = await mailsTo(dataDir, account.email, 1)
  const link = new URL(mail?.url ?? '')
  const other = await page.context().newPage()
  await other.goto(`${url}${link.pathname}${link.search}`)
  await other.getByRole('button', { name: 'Confirmer mon adresse' }).click()
  // The user is signed in already, and sees the confirmation beside the address.
  await other.waitForURL('**/settings')
  await other.getByText('Oui', { exact: true }).waitFor()
  await other.close()
  const number = page.getByLabel('Numéro mobile money')
  await number.waitFor()
  await number.fill('0813456789')
  await page.getByRole('button', { name: 'Valider le paiement' }).click()
  const question = page.getByRole('dialog', { name: 'Confirmer l’abonnement' })
  await question.getByText('1 mois, à partir du').waitFor()
  await question.getByRole('button', { name: 'Confirmer' }).click()
  await page.getByText('Paiement confirmé').waitFor()
  await page.getByText('Mon Abonnement').waitFor()
  await page.getByText('Essai gratuit', { exact: true }).waitFor()
  await page.getByText(/^Particulier, .* – /).waitFor()
})

test('a user who signs in for the first time is offered the free trial, on a phone too', async () => {
  const { email } = await newAccount('user', { ageDays: 0 })
  const page = await open('/auth/login', { viewport: phone })
  await page.getByLabel('Email').fill(email)
  await page.getByRole('textbox', { name: 'Mot de passe' }).fill(password)
  await page.keyboard.press('Enter')
  const choice = gate(page, 'Choisissez votre plan')
  await choice.getByText('Le plan gratuit offre 14 jours d’essai.').waitFor()
  expect(await faultsOf(page)).toEqual([])
  await page.reload()
  await choice.getByRole('button', { name: 'Sélectionner le plan Gratuit' }).click()
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  await page.waitForURL('**/dashboard')
})

test('an administrator records a payment, changes its status, and sees the sums change', async () => {
  const { id: user_id } = await newAccount('user', { name: 'Aline Mutombo' })
  await insertSubscriptionRow(db, {
    user_id,
    plan_id: planId,
    start_date: '2026-01-01',
    end_date: '2026-02-01',
  })
  const page = await open('/payments?search=Aline', { as: 'admin' })
  await page.getByRole('button', { name: 'Créer un paiement' }).first().click()
  const form = page.getByRole('dialog', { name: 'Créer un paiement' })
  await form.getByText('Un paiement ne prolonge pas un essai sans plan').waitFor()
  await expect.poll(() => form.getByLabel('Statut').locator('option').count()).toBe(3)
  await form.getByRole('combobox', { name: 'Abonnement' }).fill('Aline')
  await page.getByRole('option', { name: /Aline Mutombo/ }).click()
  await form.getByLabel('Montant').fill('12')
  await form.getByLabel('Moyen').selectOption('CASH')
  await form.getByRole('button', { name: 'Créer', exact: true }).click()
  const line = page.getByRole('row').filter({ hasText: 'Aline Mutombo' })
  await line.getByText('En attente').waitFor()
  await line.getByRole('button', { name: /^Changer le statut/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Changer le statut du paiement' })
  await dialog.getByLabel('Statut').selectOption('PAID')
  await dialog.getByRole('button', { name: 'Enregistrer' }).click()
  await line.getByText('Payé', { exact: true }).waitFor()
  await page.getByRole('region', { name: 'Chiffres des paiements' }).getByText(/12,00/).first().waitFor()
  await line.getByRole('button', { name: /^Changer le statut/ }).click()
  await dialog.getByLabel('Statut').selectOption('REFUNDED')
  await dialog.getByText(/Rembourser 12,00\s\$US à Aline Mutombo/).waitFor()
  const save = dialog.getByRole('button', { name: 'Enregistrer' })
  await expect.poll(() => save.isDisabled()).toBe(true)
  await dialog.getByLabel('Motif').fill('Payé deux fois')
  await save.click()
  await line.getByText('Remboursé', { exact: true }).waitFor()
})

test('the form of a paid payment offers only what may change, and a refund there names its payer and asks why', async () => {
  const { id: user_id } = await newAccount('user', { name: 'Bijou Lelo' })
  const cash = { user_id, amount: 12, payment_method: 'CASH' } as const
  await db
    .insertInto('payment')
    .values([{ ...cash, plan_id: planId, status: 'PAID' }, cash])
    .execute()
  const page = await open('/payments?search=Bijou', { as: 'admin' })
  const rows = page.getByRole('row')
  await rows
    .filter({ hasText: 'En attente' })
    .getByRole('button', { name: /^Changer le statut/ })
    .click()
  await page.getByRole('dialog').getByLabel('Statut').selectOption('PAID')
  await page.getByRole('dialog').getByText('créez d’abord un abonnement avec le plan payé').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Annuler' }).click()
  await rows
    .filter({ hasText: 'Payé' })
    .getByRole('button', { name: /^Modifier/ })
    .click()
  const form = page.getByRole('dialog', { name: /^Modifier le paiement/ })
  for (const name of ['Abonnement', 'Montant', 'Devise', 'Moyen'])
    await expect.poll(() => form.getByLabel(name).first().isDisabled(), { message: name }).toBe(true)
  const status = form.getByLabel('Statut')
  await expect.poll(() => status.locator('option').allTextContents()).toEqual(['Payé', 'Remboursé'])
  await status.selectOption('REFUNDED')
  await form.getByText(/Rembourser 12,00\s\$US à Bijou Lelo/).waitFor()
  const save = form.getByRole('button', { name: 'Enregistrer' })
  await expect.poll(() => save.isDisabled()).toBe(true)
  await form.getByLabel('Motif').fill('Payé deux fois')
  expect(await faultsOf(page)).toEqual([])
  await save.click()
  await rows.getByText('Remboursé', { exact: true }).waitFor()
})

test('a payment with contradictory answers waits for the team, which confirms that it failed', async () => {
  const { id: user_id } = await newAccount('user', { name: 'Rachel Amani' })
  const { id } = await db
    .insertInto('payment')
    .values({ user_id, plan_id: planId, amount: 5, status: 'FAILED', payment_method: 'MOBILE_MONEY' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('deposit')
    .values({
      id: crypto.randomUUID(),
      payment_id: id,
      phone: '243813456039',
      operator: 'MPESA',
      state: 'review',
      failure_code: 'CONTRADICTION',
    })
    .execute()
  const page = await open('/payments?toVerify=true', { as: 'admin' })
  const line = page.getByRole('row').filter({ hasText: 'Rachel Amani' })
  await line.getByText('À vérifier').waitFor()
  await line.getByRole('button', { name: /^Changer le statut/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Changer le statut du paiement' })
  await expect.poll(() => dialog.getByLabel('Statut').inputValue()).toBe('FAILED')
  await dialog.getByText('La vérification est close').waitFor()
  await dialog.getByRole('button', { name: 'Enregistrer' }).click()
  await page.getByText('Aucun paiement trouvé').first().waitFor()
})

test('curves of payments that could not be loaded say so, and not that there is no payment', async () => {
  const page = await open('/payments', { as: 'admin' })
  const summary = /\/api\/payments\/analytics\/summary.*status=PAID/
  await page.route(summary, (route) => route.abort())
  await page.reload()
  await page.getByText('Erreur lors du chargement des courbes').waitFor()
  await page.getByText('Encaissé').waitFor()
  await expect.poll(() => page.getByText('Aucun paiement trouvé').count()).toBe(0)
  await page.unroute(summary)
  await page.getByRole('button', { name: 'Réessayer' }).click()
  await page.getByText('Montants par jour').waitFor()
})
