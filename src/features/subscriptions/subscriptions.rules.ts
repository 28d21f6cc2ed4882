const hourMs = 3_600_000

/** The day that it was in Kinshasa at an instant, `yyyy-mm-dd`: one hour ahead of UTC all year round. */
export function dayInKinshasa(instant: string): string {
  return new Date(Date.parse(instant) + hourMs).toISOString().slice(0, 10)
}

/** The specification's trial, counted from registration. */
export const trialDays = 14

const dayMs = 86_400_000

export type AccessFacts = {
  accountCreatedAt: string
  subscriptions: readonly { status: string; startDate: string; endDate: string }[]
}

export type DataAccess = {
  hasAccess: boolean
  /** When what is open now, and what follows it without a gap, ends; null when nothing is open. */
  endsAt: string | null
  /** Whole days until then, the one that has begun included. */
  remainingDays: number
}

/**
 * Whether the data are open to a subscriber, and until when: a subscription ACTIVE or TRIAL that has begun and not ended,
 * or an account younger than the trial. The one function that decides the 402, the gate and the remaining days.
 */
export function dataAccess({ accountCreatedAt, subscriptions }: AccessFacts, at: Date): DataAccess {
  const now = at.getTime()
  const registered = Date.parse(accountCreatedAt)
  const open = subscriptions
    .filter(isOpen)
    .map(({ startDate, endDate }) => ({ from: Date.parse(startDate), to: Date.parse(endDate) }))
    .concat({ from: registered, to: registered + trialDays * dayMs })
    .sort((a, b) => a.from - b.from)
  let end = now
  for (const { from, to } of open) if (from <= end && to > end) end = to
  return {
    hasAccess: end > now,
    endsAt: end > now ? new Date(end).toISOString() : null,
    remainingDays: Math.ceil((end - now) / dayMs),
  }
}

/** Whether a subscription opens the data between its dates. */
export function isOpen({ status }: { status: string }): boolean {
  return status === 'ACTIVE' || status === 'TRIAL'
}

type Held = { status: string; endDate: string }

/** When a period that is paid for now begins, if something is open until then; null when it begins at once. */
export function nextStart(
  { subscription, upcoming }: { subscription: Held | null; upcoming: readonly Held[] },
  at: Date,
): string | null {
  const ends = [...(subscription ? [subscription] : []), ...upcoming]
    .filter((each) => isOpen(each) && Date.parse(each.endDate) > at.getTime())
    .map(({ endDate }) => endDate)
  return ends.toSorted().at(-1) ?? null
}

const noticedDays = 7

/**
 * In how many days (Kinshasa’s calendar, 0 today) what is open ends, for whoever should be told; null for the others: the
 * role opens the data anyway, nothing is open, or more than seven days are left.
 */
export function daysToEnd(
  { endsAt, isExempt }: Pick<DataAccess, 'endsAt'> & { isExempt: boolean },
  at: Date,
): number | null {
  if (isExempt || !endsAt) return null
  const dayOf = (instant: Date) => Date.parse(dayInKinshasa(instant.toISOString()))
  // The last instant that is covered.
  const last = new Date(Date.parse(endsAt) - 1)
  const days = (dayOf(last) - dayOf(at)) / dayMs
  return last > at && days <= noticedDays ? days : null
}

/** Why the data are closed at a moment, in words; null when they are open. */
export function accessRefusal(facts: AccessFacts, at: Date): string | null {
  return dataAccess(facts, at).hasAccess ? null : 'Choisissez un plan pour consulter ces données.'
}

/** Whether whoever registered then may still take the free trial, which is taken once. */
export function mayStartTrial(
  facts: { accountCreatedAt: string; hadTrial: boolean; hasSubscription: boolean },
  at: Date,
): boolean {
  const age = at.getTime() - Date.parse(facts.accountCreatedAt)
  return age < trialDays * dayMs && !facts.hadTrial && !facts.hasSubscription
}

/** When a trial that is chosen now ends. */
export function trialEnd(at: Date): Date {
  return new Date(at.getTime() + trialDays * dayMs)
}
