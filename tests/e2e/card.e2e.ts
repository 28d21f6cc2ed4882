import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { createPawapay } from '#features/payments/pawapay/pawapay.gateway.ts'
import { createLog } from '#server/log.ts'
import { phone, story } from '../support/browser.ts'
import { faultsOf } from '../support/browser-checks.ts'
import { insertPlan, startCards, startSimulator } from '../support/payments.ts'

const { url: phonesUrl, token } = await startSimulator({ endsAfterMs: 300 })
const cards = await startCards()
const { db, url, open, newAccount } = await story({
  hasJobs: true,
  payments: {
    mobileMoney: [createPawapay({ url: phonesUrl, token, log: createLog('silent') })],
    card: cards.card,
    cardSimulator: cards.url,
    isSimulated: true,
  },
})
cards.here.url = url
const planId = await insertPlan(db, { name: 'Particulier', price: 5 })

async function goToPage(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Carte bancaire' }).click()
  await page.getByRole('button', { name: 'Valider le paiement' }).click()
  const question = page.getByRole('dialog', { name: 'Confirmer l’abonnement' })
  await question.getByText('Carte bancaire').waitFor()
  await question.getByRole('button', { name: 'Confirmer' }).click()
  await page.getByRole('heading', { name: 'Page de paiement simulée' }).waitFor()
}

test('a subscriber goes to the card page, cancels, is declined, leaves, comes back and pays', async () => {
  const account = await newAccount('user', { ageDays: 40 })
  const page = await open(`/payments?planId=${planId}`, { as: account, viewport: phone })
  await page.getByRole('button', { name: 'Carte bancaire' }).click()
  expect(await faultsOf(page)).toEqual([])
  await goToPage(page)
  expect(await faultsOf(page)).toEqual([])
  await page.getByRole('button', { name: 'Annuler' }).click()
  await page.getByText('Vous avez quitté la page de paiement sans payer.').first().waitFor()
  await page.getByRole('button', { name: 'Réessayer' }).click()
  await goToPage(page)
  await page.getByRole('button', { name: 'Carte refusée' }).click()
  await page.getByText('Votre banque a refusé la carte.').first().waitFor()
  await page.getByRole('button', { name: 'Réessayer' }).click()
  await goToPage(page)
  await page.getByRole('button', { name: 'Quitter' }).click()
  await page.getByText('Payez sur la page sécurisée').waitFor()
  expect(await faultsOf(page)).toEqual([])
  await page.getByRole('link', { name: 'Ouvrir la page de paiement' }).click()
  await page.getByRole('button', { name: /^Payer 5,00/ }).click()
  await page.getByText('Paiement confirmé').waitFor()
  await page.waitForURL('**/subscriptions')
  await page.goto(`${url}/payments`)
  const own = page.getByRole('table', { name: 'Mes paiements' })
  await own.getByText('Payé', { exact: true }).first().waitFor()
  await expect.poll(() => own.getByText('Échoué', { exact: true }).count()).toBe(2)
})
