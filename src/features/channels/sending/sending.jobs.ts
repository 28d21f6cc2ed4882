import { quietUntil } from '#features/channels/channels.rules.ts'
import { stopAddress } from '#features/channels/channels.sql.ts'
import type { Courier, Handover } from '#features/channels/couriers.rules.ts'
import {
  type ClaimedMessage,
  claimMessages,
  claimUnanswered,
  giveUpInterrupted,
  insertAlert,
  insertOutgoing,
  type MessageEnd,
  type NewAlert,
  type NewMessage,
  noteEnd,
  noteReceipt,
  sweepOutgoing,
} from '#features/channels/sending/sending.sql.ts'
import { mayReadPrices } from '#features/subscriptions/subscriptions.rules.ts'
import type { Db } from '#server/db/pool.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { makeDueNow } from '#server/jobs/jobs.sql.ts'
import type { Task } from '#server/jobs/jobs.ts'
import type { Log } from '#server/log.ts'
import { hourMs } from '#shared/days.ts'

type Dependencies = { db: Db; couriers: readonly Courier[]; clock: () => Date; log: Log }

const everyMs = 5_000
/** Parallel sends: fewer than the slowest provider accepts in a second. */
const atOnce = 4
const mostAttempts = 8
const longestWaitS = 3_600
/** Maximum number of receipts requested from a provider in one run. */
const mostAsked = 20
/** Age (s) after which a waiting message is dropped: an alert is no longer news, a code has expired. */
const patienceS = { alert: 12 * 3600, code: 10 * 60, answer: 10 * 60 }

const sendingTask = 'send messages'

/** Queues a message within `tx`; it is sent only if the transaction commits. */
export async function queueMessage(tx: Db, message: NewMessage): Promise<void> {
  await insertOutgoing(tx, message)
  await makeDueNow(tx, sendingTask)
}

/** Same as `queueMessage`, for an alert. */
export async function queueAlert(tx: Db, alert: NewAlert): Promise<void> {
  await insertAlert(tx, alert)
  await makeDueNow(tx, sendingTask)
}

/** Sends messages that are due, each at most once. */
export function messageTasks(dependencies: Dependencies): Task[] {
  return [
    { name: sendingTask, everyMs, run: (_payload, { signal }) => sendMessages(dependencies, signal) },
    {
      name: 'ask about messages',
      everyMs: 60_000,
      run: (_payload, { signal }) => askReceipts(dependencies, signal),
    },
    { name: 'sweep sent messages', everyMs: hourMs, run: () => sweepOutgoing(dependencies.db) },
  ]
}

export async function sendMessages(dependencies: Dependencies, signal?: AbortSignal): Promise<void> {
  await giveUpInterrupted(dependencies.db)
  for (;;) {
    const claimed = signal?.aborted ? [] : await claimMessages(dependencies.db, dependencies.clock(), atOnce)
    if (claimed.length === 0) return
    await Promise.all(claimed.map((message) => attempt(dependencies, message)))
  }
}

/** Polls the providers that do not push receipts. */
export async function askReceipts(
  { db, couriers, clock }: Dependencies,
  signal?: AbortSignal,
): Promise<void> {
  for (const { name: provider, askReceipt } of couriers) {
    if (!askReceipt) continue
    for (const reference of await claimUnanswered(db, provider, clock(), mostAsked)) {
      if (signal?.aborted) return
      const state = await askReceipt(reference)
      if (state) await inTransaction(db, (tx) => noteReceipt(tx, { provider, reference, state }))
    }
  }
}

async function attempt({ db, couriers, clock, log }: Dependencies, message: ClaimedMessage): Promise<void> {
  const refusal = refusalOf(message, clock())
  const end = refusal ?? (await handOver(couriers, message, clock))
  if (end.state === 'failed' || end.state === 'unknown') {
    log.warn({ message: message.id, channel: message.channel, reason: end.failure }, `message ${end.state}`)
  }
  await inTransaction(db, async (tx) => {
    await noteEnd(tx, message, end)
    if ('isUnreachable' in end && end.isUnreachable)
      await stopAddress(tx, message.channel, message.address, 'unreachable')
  })
}

/** Returns why a message is not sent now; rights, address and hour are checked at the time of sending. */
function refusalOf(message: ClaimedMessage, at: Date): MessageEnd | null {
  const { purpose, isWanted, ageS, permissions, access } = message
  if (ageS > patienceS[purpose]) return { state: 'dropped', failure: 'too late' }
  if (purpose !== 'alert') return null
  if (!isWanted) return { state: 'dropped', failure: 'its reader stopped it' }
  if (!access || !mayReadPrices({ permissions, access }, at))
    return { state: 'dropped', failure: 'its reader has no access' }
  const morning = quietUntil(at)
  return morning && { state: 'waiting', dueAt: morning, failure: null }
}

/** Calls the providers of the channel in turn: the next one only if the previous certainly sent nothing. */
async function handOver(
  couriers: readonly Courier[],
  { id, channel, address, purpose, content, attempts }: ClaimedMessage,
  clock: () => Date,
): Promise<MessageEnd & { isUnreachable?: boolean }> {
  const tried: { provider: string; handover: Exclude<Handover, { kind: 'sent' | 'unknown' }> }[] = []
  for (const courier of couriers.filter((each) => each.channel === channel)) {
    const handover = await courier.send({ id, address, text: content, isAnswer: purpose === 'answer' })
    const provider = courier.name
    if (handover.kind === 'sent') return { state: 'sent', provider, reference: handover.reference }
    if (handover.kind === 'unknown') return { state: 'unknown', provider, failure: handover.reason }
    if (handover.kind === 'refused' && handover.because === 'address') {
      return { state: 'failed', provider, failure: handover.reason, isUnreachable: true }
    }
    tried.push({ provider, handover })
  }
  const later = tried.map(({ handover }) => handover).find((each) => each.kind === 'later')
  if (later && attempts < mostAttempts) {
    const waitS = Math.min(later.afterS * 2 ** (attempts - 1), longestWaitS)
    const dueAt = new Date(clock().getTime() + 1000 * waitS)
    return { state: 'waiting', dueAt, failure: later.reason }
  }
  const last = tried.at(-1)
  return {
    state: 'failed',
    provider: last?.provider ?? null,
    failure: last?.handover.reason ?? 'no provider',
  }
}
