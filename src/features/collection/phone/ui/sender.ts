import { collectionAddresses } from '#features/collection/collection.addresses.ts'
import type { sendBatch } from '#features/collection/entries/entries.contract.ts'
import {
  afterReceipt,
  bodyOf,
  forEachAgent,
  type PhoneEntry,
  receiptsIn,
} from '#features/collection/phone/phone.rules.ts'
import { recordServerTime } from '#features/collection/phone/ui/clock.ts'
import { storeReceived, updateEntries, writeSetting } from '#features/collection/phone/ui/database.ts'
import { exchangeAs, type PhoneAgent } from '#features/collection/phone/ui/device.ts'
import { removeUndone, tellOthers } from '#features/collection/phone/ui/field-store.ts'
import { phoneState, replaceEntries, setPhoneState } from '#features/collection/phone/ui/phone-state.ts'
import { sendPhotos } from '#features/collection/phone/ui/photos.ts'
import { ApiError } from '#web/api.ts'

const mostAtOnce = 50
/** How long an entry can be undone before it is sent. */
const undoMs = 8_000
const firstPauseMs = 15_000
const longestPauseMs = 5 * 60_000

let pauseMs = firstPauseMs
let timer: ReturnType<typeof setTimeout> | undefined

/** Sends once the last entry can no longer be undone. */
export function sendSoon(): void {
  clearTimeout(timer)
  timer = setTimeout(() => void sendAll(), undoMs + 500)
}

/** The call that waits until another one has sent, which may take minutes where there are photos. */
let next: { isAsked: boolean; done: Promise<void> } | undefined

/**
 * Sends waiting entries, those of each agent in their own session, and photos in between; only one tab at a time. A call
 * made meanwhile waits for its turn, and several are one.
 * @param isAsked sends entries that can still be undone as well
 */
export async function sendAll(isAsked = false): Promise<void> {
  if (next) {
    next.isAsked ||= isAsked
    return next.done
  }
  const own = { isAsked, done: Promise.resolve() }
  next = own
  own.done = navigator.locks.request('ntalo-collecte-send', () => {
    next = undefined
    return sendNow(own.isAsked)
  })
  return own.done
}

async function sendNow(isAsked: boolean): Promise<void> {
  setPhoneState({ isSending: true })
  const { agents } = phoneState()
  const failures: Awaited<ReturnType<typeof forEachAgent<PhoneAgent>>> = []
  const sendPrices = async () => {
    const able = agents.filter((agent) => !failures.some((failure) => failure.agent === agent))
    failures.push(
      ...(await forEachAgent(able, (agent) => sendEntriesOf(agent, isAsked || next?.isAsked === true))),
    )
  }
  failures.push(...(await forEachAgent(agents, (agent) => sendPhotos(agent, sendPrices))))
  setPhoneState({ isSending: false })
  for (const { agent, error } of failures) {
    const isOwn = agent.userId === phoneState().agentId
    if (isOwn && error instanceof ApiError && error.status < 500) setPhoneState({ failure: error.message })
  }
  if (failures.length === 0) {
    pauseMs = firstPauseMs
    return
  }
  // The delay doubles with each failure.
  clearTimeout(timer)
  timer = setTimeout(() => void sendAll(), pauseMs)
  pauseMs = Math.min(2 * pauseMs, longestPauseMs)
}

async function sendEntriesOf(agent: PhoneAgent, isAsked: boolean): Promise<void> {
  for (;;) {
    const ready = phoneState().entries.filter(
      (entry) => entry.agentId === agent.userId && isReady(entry, isAsked),
    )
    if (ready.length === 0) return
    await sendSome(agent, ready.slice(0, mostAtOnce))
  }
}

function isReady({ state, deviceAt }: PhoneEntry, isAsked: boolean): boolean {
  if (state === 'sent') return true
  const ageMs = Date.now() - Date.parse(deviceAt)
  // A clock that went back must not hold an entry forever.
  return state === 'waiting' && (isAsked || ageMs > undoMs || ageMs < 0)
}

/** Sends one batch. A batch refused as a whole is halved, so that one bad entry does not block the others. */
async function sendSome(agent: PhoneAgent, entries: readonly PhoneEntry[]): Promise<void> {
  // Frozen before it is sent: the server may have it even if no response arrives.
  const frozen = entries.map((entry): PhoneEntry => ({ ...entry, state: 'sent' }))
  replaceEntries(frozen)
  // Sent even if the phone is full: received entries make room.
  await updateEntries(frozen).catch(() => {})
  tellOthers()
  try {
    const answer = await exchangeAs<typeof sendBatch>(agent.userId, collectionAddresses.batches, {
      body: {
        deviceId: String(agent.deviceId),
        agentId: agent.userId,
        sentAt: new Date().toISOString(),
        entries: frozen.map(bodyOf),
      },
    })
    await takeReceipts(frozen, answer)
  } catch (error) {
    const status = error instanceof ApiError ? error.status : 500
    if (![400, 413, 422].includes(status)) throw error
    if (frozen.length > 1) {
      const half = Math.ceil(frozen.length / 2)
      await sendSome(agent, frozen.slice(0, half))
      await sendSome(agent, frozen.slice(half))
      return
    }
    const message = error instanceof ApiError ? error.message : null
    const refused = frozen.map((entry): PhoneEntry => ({ ...entry, state: 'check', message }))
    await updateEntries(refused)
    replaceEntries(refused)
    await removeUndone()
  }
}

async function takeReceipts(sent: readonly PhoneEntry[], answer: unknown): Promise<void> {
  const receipts = receiptsIn(answer)
  if (!receipts) throw new ApiError(500, 'Erreur réseau')
  const byId = new Map(receipts.map((receipt) => [receipt.id, receipt]))
  const after = sent.flatMap((entry) => {
    const receipt = byId.get(entry.id)
    return receipt ? [afterReceipt(entry, receipt)] : []
  })
  // The response has no receipt for any entry: sending the same batch again would loop forever.
  if (after.length === 0) throw new ApiError(500, 'Erreur réseau')
  await updateEntries(after.filter(({ state }) => state !== 'received'))
  await storeReceived(after.filter(({ state }) => state === 'received'))
  replaceEntries(after)
  await removeUndone()
  tellOthers()
  await recordServerTime(String(Object(answer).serverTime))
  const lastReceivedAt = new Date().toISOString()
  setPhoneState({ lastReceivedAt, failure: null })
  await writeSetting('lastReceivedAt', lastReceivedAt)
}
