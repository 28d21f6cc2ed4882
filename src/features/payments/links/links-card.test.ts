import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { PaymentLink } from '#features/payments/links/links.contract.ts'
import { createPawapay } from '#features/payments/pawapay/pawapay.gateway.ts'
import type { Payment } from '#features/payments/payments.contract.ts'
import { createLog } from '#server/log.ts'
import { loadViews } from '#server/views.ts'
import {
  insertPlan,
  startCards,
  startSimulator,
  subscriptionsOf,
} from '../../../../tests/support/payments.ts'
import { type Client, insertAccount, testServer } from '../../../../tests/support/server.ts'

const { url: cardUrl, here, card } = await startCards({ pace: 0.1 })
const phones = await startSimulator({ endsAfterMs: 30, pace: 0.01 })
const mobileMoney = createPawapay({ url: phones.url, token: phones.token, log: createLog('silent') })
const server = await testServer({
  hasJobs: true,
  views: await loadViews(join(import.meta.dirname, '../../../../dist')),
  payments: { mobileMoney: [mobileMoney], card, cardSimulator: cardUrl, isSimulated: true },
})
here.url = server.url
const planId = await insertPlan(server.db, { name: 'Particulier', price: 5 })

async function linked() {
  const userId = await insertAccount(server.db, { roles: ['user'], isVerified: true, name: 'Chantal Ilunga' })
  const payer: Client & { userId: number } = { ...(await server.clientOf(userId)), userId }
  const link = (await payer.post('/api/payments/links', { planId })).body as PaymentLink
  return { payer, token: link.url.split('/').at(-1) ?? '' }
}

const post = (path: string, fields: Record<string, string>) =>
  server.visitor.send(path, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: server.url },
    body: new URLSearchParams(fields).toString(),
    redirect: 'manual',
  })
const look = (path: string) => server.visitor.send(path, { redirect: 'manual' })

/** Chooses the card. @returns the page of the payment's progress, and the card page */
async function choose(token: string) {
  const sent = await post(`/payer/${token}`, { amount: '5', method: 'VISA' })
  expect(sent.status).toBe(303)
  const followed = String(sent.headers.get('location'))
  await expect.poll(async () => (await look(followed)).status).toBe(303)
  return { followed, cardPage: String((await look(followed)).headers.get('location')) }
}

/** Acts on the card page, and follows its redirect. @returns the page that the payer returns to */
async function act(cardPage: string, what: string): Promise<string> {
  const back = String((await post(cardPage, { act: what })).headers.get('location'))
  const landed = await look(back)
  expect(landed.status).toBe(303)
  return String(landed.headers.get('location'))
}

test('a visitor without an account pays a link by card, sees only plan and amount, and returns to the link', async () => {
  const { payer, token } = await linked()
  expect((await look(`/payer/${token}`)).text).toContain('par carte bancaire')
  const { followed, cardPage } = await choose(token)
  expect((await payer.get('/api/payments/mine')).body).toMatchObject({
    payments: [{ paymentMethod: 'VISA', status: 'PENDING', deposit: { pageUrl: null, phone: null } }],
  })
  const back = await act(cardPage, 'pay')
  expect(back).toBe(`${followed}&retour=1`)
  await expect.poll(async () => (await look(back)).text).toContain('Paiement confirmé')
  const { text } = await look(back)
  expect(text).toContain('Particulier')
  for (const secret of ['Chantal', 'exemple.cd', '/payments?']) expect(text).not.toContain(secret)
  expect((await subscriptionsOf(payer)).map(({ status }) => status)).toEqual(['ACTIVE'])
  expect((await post(`/payer/${token}`, { amount: '5', method: 'VISA' })).status).toBe(409)
})

test.each([
  ['cancel', 'Vous avez quitté la page de paiement sans payer.'],
  ['decline', 'Votre banque a refusé la carte.'],
])('a visitor whose page ended by %s reads why, and pays again by the same link', async (what, words) => {
  const { payer, token } = await linked()
  const first = await choose(token)
  const back = await act(first.cardPage, what)
  await expect.poll(async () => (await look(back)).text).toContain(words)
  expect((await look(back)).text).toContain('par carte bancaire')
  const second = await choose(token)
  const paid = await act(second.cardPage, 'pay')
  await expect.poll(async () => (await look(paid)).text).toContain('Paiement confirmé')
  const { body } = await payer.get('/api/payments/mine')
  expect((body as { payments: Payment[] }).payments.map(({ status }) => status)).toEqual(['PAID', 'FAILED'])
})

test('a visitor who leaves the page without an outcome is not redirected there again, and can go back to it', async () => {
  const { token } = await linked()
  const { cardPage } = await choose(token)
  const back = await act(cardPage, 'leave')
  const shown = await look(back)
  expect([shown.status, shown.text.includes(cardPage.replaceAll('&', '&amp;'))]).toEqual([200, true])
  expect(shown.headers.get('refresh')).toContain('retour=1')
  expect((await look(`/payer/${token}`)).text).toContain('Quelqu’un paie déjà par ce lien')
})

test('without card payments, a link does not offer a card, and refuses one', async () => {
  const other = await testServer({ payments: { mobileMoney: [mobileMoney], isSimulated: true } })
  const userId = await insertAccount(other.db, { roles: ['user'], isVerified: true })
  const plan = await insertPlan(other.db)
  const link = (await (await other.clientOf(userId)).post('/api/payments/links', { planId: plan }))
    .body as PaymentLink
  const path = `/api/public/payment-links/${link.url.split('/').at(-1)}`
  const refused = await other.visitor.post(path, { method: 'VISA' })
  expect([refused.status, refused.body]).toMatchObject([400, { errors: [{ field: 'method' }] }])
  expect((await other.visitor.post(path, {})).body).toMatchObject({ errors: [{ field: 'phone' }] })
})
