import { collectionAddresses } from '#features/collection/collection.addresses.ts'
import type { PhoneEntry } from '#features/collection/phone/phone.rules.ts'
import { readClock } from '#features/collection/phone/ui/clock.ts'
import { writeSetting } from '#features/collection/phone/ui/database.ts'
import { exchangeAs } from '#features/collection/phone/ui/device.ts'
import { newId, oneEntryAtATime, storeInstead } from '#features/collection/phone/ui/field-store.ts'
import { type PhoneState, phoneState, setPhoneState } from '#features/collection/phone/ui/phone-state.ts'
import { bindPhoto } from '#features/collection/phone/ui/photos.ts'
import { sendAll } from '#features/collection/phone/ui/sender.ts'
import type { ReturnedPrice, returns } from '#features/collection/returns/returns.contract.ts'

/** Returns the prices returned to the agent and not answered on this phone, the most urgent first. */
export function unanswered({ returned, entries, agentId }: PhoneState): ReturnedPrice[] {
  const answered = new Set(
    entries.flatMap(({ agentId: author, answers, returnedAt }) =>
      author === agentId && answers ? [`${answers} ${returnedAt}`] : [],
    ),
  )
  return returned.filter(({ priceId, returnedAt }) => !answered.has(`${priceId} ${returnedAt}`))
}

/** Fetches the returned prices; without a network, the phone keeps those it has. */
export async function fetchReturned(): Promise<void> {
  const { agentId } = phoneState()
  if (agentId === null) return
  try {
    const { data } = await exchangeAs<typeof returns>(agentId, collectionAddresses.returns, {})
    if (!Array.isArray(data) || phoneState().agentId !== agentId) return
    await writeSetting(`returned-${agentId}`, data)
    setPhoneState({ returned: data })
  } catch {
    // Retried at the next exchange.
  }
}

/** The `PhotoPlace` of a returned price. */
export const placeOfReturned = ({ priceId, returnedAt }: ReturnedPrice) => ({
  visit: '',
  good: `${priceId} ${returnedAt}`,
})

/**
 * Stores the agent's answer about a returned price, like any entry: it waits for the network.
 * @param priceValue null to withdraw it
 */
export function answerReturned(
  returnedPrice: ReturnedPrice,
  priceValue: number | null,
  currency = returnedPrice.currency,
): Promise<void> {
  const { agentId } = phoneState()
  return oneEntryAtATime(async () => {
    if (agentId === null || unanswered({ ...phoneState(), agentId, returned: [returnedPrice] }).length === 0)
      return
    const { product, market, priceId, day, returnedAt } = returnedPrice
    const entry: PhoneEntry = {
      id: newId(),
      agentId,
      productId: product.id,
      marketId: market.id,
      turn: 0,
      visit: '',
      kind: priceValue === null ? 'withdrawn' : 'typed',
      priceValue,
      currency,
      reason: null,
      isBlind: false,
      isDoubtful: false,
      replaces: null,
      answers: priceId,
      returnedAt,
      ...(await readClock()),
      // The price keeps its day, whenever the answer is made.
      fetchedAt: null,
      day,
      label: `${product.name}, ${product.weight}`,
      state: 'waiting',
      message: null,
      isDayNeeded: false,
    }
    if (!(await storeInstead(entry))) return
    await bindPhoto(placeOfReturned(returnedPrice), entry)
    void sendAll(true)
  })
}
