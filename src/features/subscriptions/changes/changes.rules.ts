/** Why a subscriber does not renew, and what that is called on screen. */
export const cancelReasons = {
  PRICE: 'C’est trop cher',
  UNUSED: 'Je ne m’en sers pas assez',
  COVERAGE: 'Il manque des produits ou des marchés',
  QUALITY: 'Les prix ne sont pas assez récents ou fiables',
  FINISHED: 'Je n’en ai plus besoin',
  OTHER: 'Autre raison',
} as const
export type CancelReason = keyof typeof cancelReasons

const isReason = (text: string): text is CancelReason => Object.hasOwn(cancelReasons, text)

/** A code of the list as it is; any other text is another reason, in its own words. */
export function readReason(text: string): { code: CancelReason; words: string | null } {
  return isReason(text) ? { code: text, words: null } : { code: 'OTHER', words: text }
}

type Renewed = {
  planId: number | null
  planRef: { id: number; price: number; isActive: boolean } | null
  nextPlan: { id: number } | null
}

/** The plan that is proposed for when a subscription ends; null when there is none to pay for. */
export function renewalPlan({ planRef, nextPlan }: Renewed): number | null {
  if (nextPlan) return nextPlan.id
  return planRef?.isActive && planRef.price > 0 ? planRef.id : null
}
