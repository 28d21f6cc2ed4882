// Ports to the providers that send messages.
import type { Channel } from '#features/channels/channels.rules.ts'

export type Message = {
  id: string
  /** A chat id, or the digits of a number with its country code. */
  address: string
  text: string
  /** Whether it replies to what its reader has just written. */
  isAnswer: boolean
}

/** Result of a call. Only `later` and `refused` guarantee that nothing was sent. */
export type Handover =
  /** `reference`: id of the message in the provider's receipts. */
  | { kind: 'sent'; reference: string | null }
  | { kind: 'later'; afterS: number; reason: string }
  /** `address`: no provider would reach it; `service`: the provider does not serve us at the moment. */
  | { kind: 'refused'; because: 'address' | 'service'; reason: string }
  /** The message may have been sent, so it is never sent again. */
  | { kind: 'unknown'; reason: string }

/** An event that a provider pushes to us. */
export type ProviderNews =
  | { kind: 'receipt'; reference: string; state: 'delivered' | 'failed' }
  /**
   * `cause`: an id that is the same each time the event is pushed. `otherAddress`: another address of the same person,
   * which they may have linked.
   */
  | { kind: 'text'; cause: string; address: string; otherAddress?: string | undefined; text: string }
  /** The owner of the address blocked us. */
  | { kind: 'left'; address: string }

type ProviderRequest = { url: string; headers: Record<string, string | string[]>; body: Uint8Array }

export type Courier = {
  name: string
  channel: Channel
  send(message: Message): Promise<Handover>
  /** Returns the link that opens a message to us with a token. */
  linkFor?(token: string): string
  news?: {
    path: string
    /** @returns null when the message is not from the provider */
    read(request: ProviderRequest): ProviderNews[] | null
    /** Returns the response to a GET that verifies our address, if it comes from the provider. */
    challenge?(query: Readonly<Record<string, string>>): string | null
  }
  /** Polls a provider that does not push receipts. @returns null while the result is unknown */
  askReceipt?(reference: string): Promise<'delivered' | 'failed' | null>
  /** Registers our address for the provider's events. */
  listenAt?(ownUrl: string): Promise<void>
}

export type Answered = { status: number; body: unknown } | { reason: string; isUnsent: boolean }

/** Seconds after which a request that reached nobody is tried again. */
export const unsentAfterS = 60

/**
 * Returns the default meaning of a provider’s response: a 4xx status or an unsent request means that nothing was sent;
 * after a server error or without a response, it may have been.
 */
export function usualHandover(answer: Answered): Handover {
  if ('reason' in answer) {
    return answer.isUnsent
      ? { kind: 'later', afterS: unsentAfterS, reason: answer.reason }
      : { kind: 'unknown', reason: answer.reason }
  }
  const reason = `${answer.status}`
  if (answer.status === 429) return { kind: 'later', afterS: 30, reason }
  if (answer.status >= 400 && answer.status < 500) return { kind: 'refused', because: 'service', reason }
  return { kind: 'unknown', reason }
}
