import type { EntryReceipt } from '#features/collection/entries/entries.contract.ts'

/** Why an entry dated after the present is refused. */
export const inTheFuture = 'La date de ce relevé est dans le futur.'

/** The receipt of a stored entry; `priceId` is null where it has no price. */
export function received(id: string, priceId: number | null): EntryReceipt {
  return { id, state: 'received', priceId, message: null }
}

/** The receipt of an entry that is not stored, with a French sentence for the agent. */
export function refused(id: string, message: string): EntryReceipt {
  return { id, state: 'refused', priceId: null, message }
}
