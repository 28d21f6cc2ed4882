// What sends messages for us, whichever provider does.
import type { Channel } from '#features/channels/channels.rules.ts'

export type Message = {
  id: string
  /** A chat, or the digits of a number with those of the country. */
  address: string
  text: string
  /** It answers what its reader has just written. */
  isAnswer: boolean
}

/** How a call ended. Only `later` and `refused` are certain that nothing was sent. */
export type Handover =
  /** `reference`: what the provider calls the message in its receipts. */
  | { kind: 'sent'; reference: string | null }
  | { kind: 'later'; afterS: number; reason: string }
  /** For the `address`, which no other provider would reach either; or for a `service` that does not serve us now. */
  | { kind: 'refused'; because: 'address' | 'service'; reason: string }
  /** Perhaps it was sent: it is never sent again. */
  | { kind: 'unknown'; reason: string }

/** What a provider tells us by itself. */
export type ProviderNews =
  | { kind: 'receipt'; reference: string; state: 'delivered' | 'failed' }
  /** `cause`: the same however often it is told. */
  | { kind: 'text'; cause: string; address: string; text: string }
  /** Its owner blocked us. */
  | { kind: 'left'; address: string }

type ProviderRequest = { url: string; headers: Record<string, string | string[]>; body: Uint8Array }

export type Courier = {
  name: string
  channel: Channel
  send(message: Message): Promise<Handover>
  /** The link that its reader opens to write us a text with a token. */
  linkFor?(token: string): string
  news?: {
    path: string
    /** @returns null when the message is not from the provider */
    read(request: ProviderRequest): ProviderNews[] | null
    /** What a GET on the address is answered, when it is the provider's. */
    challenge?(query: Readonly<Record<string, string>>): string | null
  }
  /** What became of a message, of a provider that tells no news by itself. @returns null while it is not known */
  askReceipt?(reference: string): Promise<'delivered' | 'failed' | null>
  /** Has the provider tell us its news at our address. */
  listenAt?(ownUrl: string): Promise<void>
}

export type Answered = { status: number; body: unknown } | { reason: string; isUnsent: boolean }

/**
 * What any provider's answer means unless its own words say more: a refusal by number was not sent; a failure of theirs, or none,
 * may have been.
 */
export function usualHandover(answer: Answered): Handover {
  if ('reason' in answer) {
    return answer.isUnsent
      ? { kind: 'refused', because: 'service', reason: answer.reason }
      : { kind: 'unknown', reason: answer.reason }
  }
  const reason = `${answer.status}`
  if (answer.status === 429) return { kind: 'later', afterS: 30, reason }
  if (answer.status >= 400 && answer.status < 500) return { kind: 'refused', because: 'service', reason }
  return { kind: 'unknown', reason }
}
