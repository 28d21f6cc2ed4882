import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { sendDue } from '#features/webhooks/sending/sending.jobs.ts'
import { story } from '../support/browser.ts'
import { here, receiver } from '../support/receivers.ts'

const { db, url: publicUrl, open, newAccount } = await story()
const send = () =>
  sendDue({ db, reach: here, clock: () => new Date(), publicUrl }, new AbortController().signal)

test('the owner of a new webhook sees its secret once, tests it, reads the responses, replays and disables it', async () => {
  const to = await receiver((response) => void response.writeHead(200).end('merci bien'))
  const page = await open('/developpeurs/webhooks', { as: 'collector' })
  await page.getByRole('button', { name: 'Nouveau webhook' }).click()
  const form = page.getByRole('dialog', { name: 'Nouveau webhook' })
  await form.getByLabel('Adresse').fill('https://exemple.cd/ntalo')
  await form.getByRole('button', { name: 'Créer le webhook' }).click()
  const made = page.getByRole('dialog', { name: 'Secret du webhook' })
  await made.getByText(/^whsec_/).waitFor()
  await made.getByRole('button', { name: 'J’ai copié le secret' }).click()
  await page.getByText('Aucun message encore.').waitFor()
  await expect.poll(() => page.getByText(/whsec_/).count()).toBe(0)
  await sql`update webhook_endpoint set url = ${to.url}`.execute(db)

  await page.getByRole('button', { name: 'Envoyer un essai' }).click()
  await expect
    .poll(async () => {
      await send()
      return to.messages.length
    })
    .toBe(1)
  await page.getByText('Arrivé', { exact: true }).click()
  await page.getByText('merci bien').waitFor()
  await page.getByText(`"type": "${JSON.parse(to.messages[0]!.body).type}"`).waitFor()
  await page.getByRole('button', { name: 'Rejouer', exact: true }).click()
  await expect
    .poll(async () => {
      await send()
      return to.messages.length
    })
    .toBe(2)
  await page.getByRole('button', { name: 'Désactiver' }).click()
  await page.getByRole('button', { name: 'Réactiver' }).waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Envoyer un essai' }).count()).toBe(0)
})

test('a message that arrives while nothing waits appears in the list of the last messages', async () => {
  const owner = await newAccount('collector')
  const { id: endpoint_id } = await db
    .insertInto('webhook_endpoint')
    .values({
      user_id: owner.id,
      url: 'https://exemple.cd/ntalo',
      events: ['price.created'],
      secret: Buffer.alloc(32),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const page = await open('/', { as: owner, isNew: true })
  await page.clock.install()
  await page.goto(`${publicUrl}/developpeurs/webhooks`)
  await page.getByText('Aucun message encore.').waitFor()
  const { id: message_id } = await db
    .insertInto('webhook_message')
    .values({ event: 'webhook.test', body: '{}' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.insertInto('webhook_delivery').values({ endpoint_id, message_id, state: 'done' }).execute()
  await page.clock.runFor(10_000)
  await page.getByText('Arrivé', { exact: true }).waitFor()
})

test('a webhook that fails says since when', async () => {
  const owner = await newAccount('collector')
  await db
    .insertInto('webhook_endpoint')
    .values({
      user_id: owner.id,
      url: 'https://exemple.cd/ntalo',
      events: ['price.created'],
      secret: Buffer.alloc(32),
      failing_since: new Date(Date.now() - 2 * 3_600_000),
    })
    .execute()
  const page = await open('/developpeurs/webhooks', { as: owner })
  await page.getByText(/^En échec depuis le \d/).waitFor()
})
