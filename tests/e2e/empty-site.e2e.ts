import { expect, test } from 'vitest'
import { story } from '../support/browser.ts'
import { faultsOf } from '../support/browser-checks.ts'
import { insertPlan } from '../support/payments.ts'

const { db, url, open, newAccount } = await story()

test('on an empty platform the landing page marks its drawings « Exemple », and breaks no accessibility rule', async () => {
  const page = await open('/')
  await page.getByText('Exemple', { exact: true }).first().waitFor()
  expect(await faultsOf(page)).toEqual([])
})

test('on an empty platform a subscriber sees no guide to fill it, and no form to pay when payment is not open', async () => {
  const page = await open('/brands', { as: await newAccount('user', { ageDays: 2 }) })
  await page.getByText('La liste des marques est vide pour le moment.').waitFor()
  await page.goto(`${url}/payments?planId=${await insertPlan(db)}`)
  await page.getByText('Le paiement par mobile money n’est pas encore ouvert').waitFor()
  await expect.poll(() => page.getByLabel('Numéro mobile money').count()).toBe(0)
  expect(await faultsOf(page)).toEqual([])
})
