import { expect, test } from 'vitest'
import { createPawapay } from '#features/payments/pawapay/pawapay.gateway.ts'
import { createLog } from '#server/log.ts'
import { phone, story } from '../support/browser.ts'
import { faultsOf } from '../support/browser-checks.ts'
import { insertPlan, startSimulator } from '../support/payments.ts'

const { simulator, url: simulatorUrl, token } = await startSimulator({ endsAfterMs: 300 })
const mobileMoney = createPawapay({ url: simulatorUrl, token, log: createLog('silent') })
const { db, url, open, newAccount } = await story({
  hasJobs: true,
  payments: { mobileMoney: [mobileMoney], isSimulated: true },
})
simulator.tell(`${url}/webhooks/pawapay`)
const planId = await insertPlan(db, { name: 'Particulier', price: 5 })

test('a subscriber creates a payment link, another person pays by it on a phone, and the subscription starts', async () => {
  const account = await newAccount('user', { ageDays: 40, name: 'Chantal Ilunga' })
  const page = await open(`/payments?planId=${planId}`, { as: account })
  await page.getByRole('button', { name: 'Créer un lien' }).click()
  const link = page.getByRole('list', { name: 'Liens de paiement' }).getByRole('listitem')
  await link.getByText('Particulier', { exact: false }).first().waitFor()
  expect(await faultsOf(page)).toEqual([])
  const address = (await link.getByText('/payer/').textContent()) ?? ''

  const payer = await open(new URL(address).pathname, { viewport: phone })
  await payer.getByText('Particulier', { exact: true }).waitFor()
  await expect.poll(() => payer.getByText('Chantal').count()).toBe(0)
  expect(await faultsOf(payer)).toEqual([])
  const number = payer.getByLabel('Votre numéro mobile money')
  await number.fill('12')
  await payer.getByRole('button', { name: /^Payer 5,00/ }).click()
  await payer.getByText('Ce n’est pas un numéro de mobile congolais.').first().waitFor()
  expect(await faultsOf(payer)).toEqual([])
  await number.fill('0813456789')
  await payer.getByRole('button', { name: /^Payer 5,00/ }).click()
  await payer.getByText('Paiement confirmé').waitFor()
  expect(await faultsOf(payer)).toEqual([])
  await payer.goto(new URL(address).href)
  await payer.getByText('Cet abonnement est déjà payé par ce lien.').waitFor()

  await page.reload()
  await page.getByText('Payé', { exact: true }).waitFor()
  await expect.poll(() => page.getByText('0813456789').count()).toBe(0)
  await link.getByRole('button', { name: 'Retirer' }).click()
  await expect.poll(() => page.getByRole('list', { name: 'Liens de paiement' }).count()).toBe(0)
})
