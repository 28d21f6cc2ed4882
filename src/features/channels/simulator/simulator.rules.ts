// Faults of the simulated providers, chosen by the last three digits of a message's address: every fault that a
// provider may have.

export type MessageFault = {
  /** Refused before anything is sent. */
  refused?: 'hasty' | 'address' | 'balance' | 'token'
  /** Number of refusals; always when absent. */
  times?: number
  /** Whether only the first provider of the channel has this fault. */
  isOfFirst?: boolean
  /** The message is sent, then the response is this. */
  answer?: 'error' | 'silence' | 'nonsense'
  /** Receipts pushed in this order after the message was sent. */
  receipts?: ('DeliveredToTerminal' | 'DeliveryImpossible' | 'DeliveryUncertain' | 'MessageWaiting')[]
}

export const faults: Record<string, MessageFault> = {
  401: { refused: 'token', times: 1 },
  402: { refused: 'balance', isOfFirst: true },
  403: { refused: 'address' },
  422: { refused: 'balance' },
  429: { refused: 'hasty', times: 1 },
  430: { refused: 'hasty' },
  500: { answer: 'error' },
  501: { answer: 'silence' },
  502: { answer: 'nonsense' },
  601: { receipts: [] },
  602: { receipts: ['DeliveredToTerminal', 'DeliveredToTerminal'] },
  603: { receipts: ['DeliveredToTerminal', 'DeliveryImpossible', 'MessageWaiting'] },
  604: { receipts: ['DeliveryImpossible'] },
  605: { receipts: ['DeliveryUncertain'] },
  612: { refused: 'balance', isOfFirst: true, receipts: ['DeliveryImpossible'] },
  613: { refused: 'balance', isOfFirst: true, receipts: [] },
}

export function faultOf(address: string): MessageFault {
  return faults[address.slice(-3)] ?? {}
}
