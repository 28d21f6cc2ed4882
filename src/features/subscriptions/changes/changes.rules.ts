import { dayInKinshasa, dayMs } from '#shared/days.ts'

/** Reasons not to renew, with their text on screen. */
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

/** Parses a reason: a code of the list, or any other text as OTHER. */
export function readReason(text: string): { code: CancelReason; words: string | null } {
  return isReason(text) ? { code: text, words: null } : { code: 'OTHER', words: text }
}

type Renewed = {
  planId: number | null
  planRef: { id: number; price: number; isActive: boolean } | null
  nextPlan: { id: number } | null
}

const steps = [-3, -1, 0, 3, 7]

type Ending = Renewed & { id: number; status: string; endDate: string; canceledAt: string | null }

/**
 * Returns the renewal to propose for a user's last period: 7, 3 and 0 days (in Kinshasa) before its last day, 1 and 3
 * after it, like the mails; null where nothing ends soon, or the user cancelled.
 * @param last with its status as the API gives it: a period that is over is EXPIRED
 * @returns `key`: the same until the next step; `days` to the last day, negative after it
 */
export function renewalProposal(
  last: Ending | null,
  at: Date,
): { key: string; days: number; isOver: boolean; planId: number | null } | null {
  if (!last || last.canceledAt !== null) return null
  const isOver = Date.parse(last.endDate) <= at.getTime()
  if (!['ACTIVE', 'TRIAL', isOver && 'EXPIRED'].includes(last.status)) return null
  const dayOf = (ms: number) => Date.parse(dayInKinshasa(new Date(ms)))
  const days = (dayOf(Date.parse(last.endDate) - 1) - dayOf(at.getTime())) / dayMs
  const step = days < -3 ? undefined : steps.find((each) => each >= days)
  return step === undefined ? null : { key: `${last.id} ${step}`, days, isOver, planId: renewalPlan(last) }
}

/** Returns the plan proposed for renewal; null when there is none to pay for. */
export function renewalPlan({ planRef, nextPlan }: Renewed): number | null {
  if (nextPlan) return nextPlan.id
  return planRef?.isActive && planRef.price > 0 ? planRef.id : null
}
