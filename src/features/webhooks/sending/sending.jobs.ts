import { accessRefusal } from '#features/subscriptions/subscriptions.rules.ts'
import {
  type AttemptResult,
  type ClaimedDelivery,
  claimDeliveries,
  disableEndpoint,
  giveBackDelivery,
  mostClaimed,
  noteHealth,
  noteOutcome,
} from '#features/webhooks/sending/sending.sql.ts'
import { pauseAfterAttempt, reasonToDisable, rightOfEvent } from '#features/webhooks/webhooks.rules.ts'
import { insertAudit } from '#server/audit.sql.ts'
import { codeOf } from '#server/db/errors.ts'
import type { Db } from '#server/db/pool.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { queueMail } from '#server/mail/mail.ts'
import { postToThirdParty } from '#server/webhooks/post.ts'
import type { Reach } from '#server/webhooks/reach.ts'
import { signedHeaders } from '#server/webhooks/signature.ts'

type Dependencies = { db: Db; reach: Reach; clock: () => Date; publicUrl: string }

/**
 * Sends due messages until none is left or `signal` aborts. A slow endpoint does not delay the others.
 *
 * @throws the first error of an attempt whose result could not be stored, after the other messages; it is retried when
 *   its lease expires
 */
export async function sendDue(dependencies: Dependencies, signal: AbortSignal): Promise<void> {
  const running = new Set<Promise<void>>()
  const failures: unknown[] = []
  for (;;) {
    const wasIdle = running.size === 0
    const room = mostClaimed - running.size
    const claimed = signal.aborted || room <= 0 ? [] : await claimDeliveries(dependencies.db, room)
    for (const delivery of claimed) {
      // Caught here: a rejection while the next messages are claimed would end the process.
      const work = attempt(dependencies, delivery, signal)
        .catch((error: unknown) => void failures.push(error))
        .finally(() => running.delete(work))
      running.add(work)
    }
    if (claimed.length > 0 && running.size < mostClaimed) continue
    if (running.size > 0) await Promise.race(running)
    // An attempt that ended during the claim may have left its endpoint free for the next message.
    else if (wasIdle) break
  }
  if (failures.length > 0) throw failures[0]
}

/** Makes one attempt and stores its result. */
async function attempt(
  { db, reach, clock, publicUrl }: Dependencies,
  delivery: ClaimedDelivery,
  signal: AbortSignal,
) {
  if (!mayReceive(delivery, clock())) {
    const failure = 'Le compte n’a plus accès à ces données.'
    await noteOutcome(db, delivery, { ...unanswered, state: 'refused', failure })
    return
  }
  const outcome = await post(delivery, { reach, at: clock(), signal })
  if (!outcome) return giveBackDelivery(db, delivery)
  const isWell = outcome.state === 'done'
  await inTransaction(db, async (tx) => {
    const failingSince = await noteHealth(tx, delivery.endpointId, isWell)
    await noteOutcome(tx, delivery, outcome)
    const reason = isWell ? null : reasonToDisable(outcome.status, failingSince, clock())
    if (!reason || !(await disableEndpoint(tx, delivery.endpointId, reason))) return
    await insertAudit(
      tx,
      { actor: null, requestId: null },
      { action: 'disable', entity: 'webhooks', entityId: delivery.endpointId, after: { reason } },
    )
    // The address of the endpoint is part of the mail, which strangers must not get.
    if (!delivery.isEmailVerified) return
    await queueMail(tx, { to: delivery.email, content: disabledMail(delivery.url, reason, publicUrl) })
  })
}

/** @returns null when `signal` interrupted it */
async function post(
  { url, messageId, body, secrets, attempts }: ClaimedDelivery,
  { reach, at, signal }: { reach: Reach; at: Date; signal: AbortSignal },
): Promise<AttemptResult | null> {
  const begun = performance.now()
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Ntalo-Webhooks/1.0',
    ...signedHeaders(
      { id: `msg_${messageId}`, body },
      secrets.map((each) => Buffer.from(each, 'base64')),
      at,
    ),
  }
  let answered: Pick<AttemptResult, 'status' | 'answer' | 'failure'>
  try {
    answered = { ...(await postToThirdParty(url, { body, headers, reach, signal })), failure: null }
  } catch (error) {
    if (signal.aborted) return null
    const code = codeOf(error)
    const failure = code ? `Connexion impossible\u00a0: ${code}` : String(Object(error).message).slice(0, 300)
    answered = { status: null, answer: null, failure }
  }
  const durationMs = Math.round(performance.now() - begun)
  const { status } = answered
  if (status !== null && status >= 200 && status < 300) {
    return { ...answered, durationMs, state: 'done', pauseMs: null }
  }
  const pauseMs = pauseAfterAttempt(attempts, Math.random())
  return { ...answered, durationMs, state: pauseMs === null ? 'given up' : 'waiting', pauseMs }
}

const unanswered = { status: null, answer: null, durationMs: null, pauseMs: null }

/** Returns whether the owner of an endpoint may still read a message: rights are checked at the time of sending. */
function mayReceive({ event, isActive, permissions, access }: ClaimedDelivery, at: Date): boolean {
  if (!isActive) return false
  const right = rightOfEvent(event)
  if (right === null) return true
  if (!permissions.includes(right)) return false
  return permissions.includes('access.exempt') || accessRefusal(access, at) === null
}

function disabledMail(url: string, reason: 'gone' | 'failing', publicUrl: string) {
  const why =
    reason === 'gone'
      ? 'Elle a répondu 410 (n’existe plus).'
      : 'Elle n’a pris aucun message depuis cinq jours.'
  return {
    subject: 'Un de vos webhooks est désactivé',
    paragraphs: [
      `Nous n’envoyons plus rien à l’adresse ${url}. ${why}`,
      'Les messages suivants sont gardés 30\u00a0jours. Réparez l’adresse, réactivez le webhook, puis rejouez-les.',
    ],
    action: { label: 'Voir mes webhooks', url: `${publicUrl}/developpeurs/webhooks` },
  }
}
