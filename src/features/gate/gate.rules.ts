/**
 * Returns whether a user without access may see a page: those to choose a plan, to pay, to see their subscription, and
 * to withdraw what they share.
 */
export function isGateExempt(path: string): boolean {
  if (['/', '/index', '/home'].includes(path)) return true
  return [
    '/subscriptions',
    '/plans',
    '/pricing',
    '/payments',
    '/factures',
    '/virements',
    '/organisation',
    '/partages',
  ].some((start) => path.startsWith(start))
}

type Access = {
  hasAccess: boolean
  isExempt: boolean
  hasSubscription: boolean
  /** Whether the user's role reads the data at all; without that right there is nothing to pay for. */
  readsData: boolean
}

/**
 * Returns whether the gate covers the pages: for users whom the server would answer 402, and for a new user without a
 * subscription, until they accept the trial.
 */
export function isGateShut(
  { hasAccess, isExempt, hasSubscription, readsData }: Access,
  session: { isFirst: boolean; isTrialTaken: boolean },
): boolean {
  if (isExempt || !readsData) return false
  if (!hasAccess) return true
  return session.isFirst && !hasSubscription && !session.isTrialTaken
}
