import { z } from 'zod'
import { lockOwner } from '#features/keys/keys.sql.ts'
import { mayReadNow } from '#features/subscriptions/access.sql.ts'
import { webhooks } from '#features/webhooks/webhooks.contract.ts'
import {
  mostEndpoints,
  mostSendsPerHour,
  rightOfEvent,
  testEvent,
} from '#features/webhooks/webhooks.rules.ts'
import {
  countEndpoints,
  findEndpoint,
  insertEndpoint,
  listDeliveries,
  listEndpoints,
  recordMessage,
  renewSecret,
  replayDeliveries,
  updateEndpoint,
} from '#features/webhooks/webhooks.sql.ts'
import { insertAudit } from '#server/audit.sql.ts'
import type { Db } from '#server/db/pool.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { AppError, invalidField } from '#server/errors.ts'
import { type Api, signedIn } from '#server/http/endpoint.ts'
import { defineJob } from '#server/jobs/jobs.ts'
import { spend } from '#server/session/rate-limit.sql.ts'
import { publicInternet, refusalOfUrl } from '#server/webhooks/reach.ts'
import { newWebhookSecret, shownSecret } from '#server/webhooks/signature.ts'
import { authorOf, changeRow, createRow, deleteUnlessUsed, getRow } from '#server/writes.ts'
import { type Noun, succeeded } from '#shared/resource.ts'

const noun: Noun = { one: 'Webhook', many: 'webhooks', gender: 'm' }

/** Sends the messages that are due. */
export const sendWebhooks = defineJob('send webhooks', z.object({}))

/** Registers the routes of users' endpoints and of their messages. */
export function webhookRoutes(api: Api, db: Db, clock: () => Date): void {
  // Restricted to one user: endpoints of others do not exist here.
  const entityOf = (userId: number) => ({
    name: 'webhooks',
    noun,
    table: 'webhook_endpoint',
    versioned: 'updatedAt',
    constraints: {},
    find: (from: Db, id: number) => findEndpoint(from, userId, id),
  })
  const refuseUrl = (url: string | undefined) => {
    const refusal = url === undefined ? null : refusalOfUrl(url, publicInternet)
    if (refusal) throw invalidField('url', refusal)
  }

  // Counted for each account: a limit for each endpoint could be avoided by creating another one.
  const spendSend = (userId: number) =>
    spend(db, `webhook-send:user:${userId}`, { hits: mostSendsPerHour, windowS: 3_600 })

  api.on(webhooks.list, async ({ actor }) => ({ data: await listEndpoints(db, signedIn(actor).userId) }))

  api.on(webhooks.create, async (call) => {
    const { userId } = signedIn(call.actor)
    const { url, events } = call.body
    refuseUrl(url)
    // Stays undefined for a repeated Idempotency-Key: the secret is stored, but shown once only.
    let secret: Buffer | undefined
    const row = await createRow(db, entityOf(userId), call, async (tx) => {
      const { isEmailVerified } = await lockOwner(tx, userId)
      if (!isEmailVerified) {
        throw new AppError('forbidden', 'Confirmez votre adresse e-mail avant de créer un webhook.')
      }
      if ((await countEndpoints(tx, userId)) >= mostEndpoints) {
        throw new AppError(
          'conflict',
          `Vous avez déjà ${mostEndpoints} webhooks\u00a0: supprimez-en un pour en créer un autre.`,
        )
      }
      secret = newWebhookSecret()
      return insertEndpoint(tx, { userId, url, events, secret })
    })
    if (secret === undefined) {
      throw new AppError('conflict', 'Ce webhook est déjà créé\u00a0: supprimez-le et recommencez.')
    }
    return { ...row, secret: shownSecret(secret), message: succeeded(noun, 'créé') }
  })

  api.on(webhooks.update, async (call) => {
    const entity = entityOf(signedIn(call.actor).userId)
    refuseUrl(call.body.url)
    const { after } = await changeRow(db, entity, call, async (tx, { isActive }) => {
      const { updatedAt: _version, ...given } = call.body
      const change = given.isActive === isActive ? { ...given, isActive: undefined } : given
      await updateEndpoint(tx, call.params.id, change)
    })
    return { ...after, message: succeeded(noun, 'mis à jour') }
  })

  api.on(webhooks.remove, async (call) => {
    await deleteUnlessUsed(db, entityOf(signedIn(call.actor).userId), call)
    return { message: succeeded(noun, 'supprimé') }
  })

  api.on(webhooks.renewSecret, async (call) => {
    const secret = newWebhookSecret()
    const change = { ...call, body: {} }
    const { after } = await changeRow(db, entityOf(signedIn(call.actor).userId), change, (tx) =>
      renewSecret(tx, call.params.id, secret),
    )
    return { ...after, secret: shownSecret(secret), message: 'Secret changé' }
  })

  api.on(webhooks.test, async (call) => {
    const { userId } = signedIn(call.actor)
    const { id } = call.params
    const { isActive } = await getRow(db, entityOf(userId), id)
    if (!isActive) throw new AppError('conflict', 'Ce webhook est désactivé\u00a0: réactivez-le d’abord.')
    await spendSend(userId)
    await inTransaction(db, async (tx) => {
      await recordMessage(tx, { event: testEvent, data: { message: 'Bonjour de Ntalo' }, endpointId: id })
      await insertAudit(tx, authorOf(call), { action: 'test', entity: 'webhooks', entityId: id })
      await sendWebhooks.add(tx, {})
    })
    return { message: 'Essai envoyé' }
  })

  api.on(webhooks.deliveries, async ({ actor, params }) => {
    const { userId } = signedIn(actor)
    await getRow(db, entityOf(userId), params.id)
    const mayRead = await mayReadNow(db, userId, clock())
    const listed = await listDeliveries(db, params.id)
    return {
      data: listed.map((each) =>
        mayRead || rightOfEvent(each.event) === null ? each : { ...each, request: '' },
      ),
    }
  })

  api.on(webhooks.replay, async (call) => {
    const { userId } = signedIn(call.actor)
    const entity = entityOf(userId)
    const { id } = call.params
    const { deliveryId = null } = call.body
    await spendSend(userId)
    const count = await inTransaction(db, async (tx) => {
      const { isActive } = await getRow(tx, entity, id)
      if (!isActive) throw new AppError('conflict', 'Ce webhook est désactivé\u00a0: réactivez-le d’abord.')
      const replayed = await replayDeliveries(tx, id, deliveryId)
      if (replayed === 0) return 0
      const after = { deliveryId, replayed }
      await insertAudit(tx, authorOf(call), { action: 'replay', entity: 'webhooks', entityId: id, after })
      await sendWebhooks.add(tx, {})
      return replayed
    })
    if (count === 0) return { message: 'Rien à rejouer' }
    return { message: count === 1 ? 'Le message est renvoyé' : `${count} messages sont renvoyés` }
  })
}
