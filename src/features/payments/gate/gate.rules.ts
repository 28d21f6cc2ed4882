/** The pages that somebody without access may see: those where he chooses, pays, and reads what he has. */
export function isGateExempt(path: string): boolean {
  if (['/', '/index', '/home'].includes(path)) return true
  return [
    ...['/subscriptions', '/plans', '/pricing', '/payments', '/factures', '/virements', '/organisation'],
  ].some((start) => path.startsWith(start))
}

type Access = {
  hasAccess: boolean
  isExempt: boolean
  hasSubscription: boolean
  /** Whether his role reads the data at all: a user without that right has nothing to pay for. */
  readsData: boolean
}

/**
 * Whether the gate stands before the pages: for users whom the server would answer 402, and for somebody who signs in for the
 * first time without a subscription, until he has accepted the trial.
 */
export function isGateShut(
  { hasAccess, isExempt, hasSubscription, readsData }: Access,
  session: { isFirst: boolean; isTrialTaken: boolean },
): boolean {
  if (isExempt || !readsData) return false
  if (!hasAccess) return true
  return session.isFirst && !hasSubscription && !session.isTrialTaken
}
