import { dayMs } from '#shared/days.ts'

const hourMs = 3_600_000

/** The day that it was in Kinshasa at an instant, `yyyy-mm-dd`: one hour ahead of UTC all year round. */
export function dayInKinshasa(instant: string): string {
  return new Date(Date.parse(instant) + hourMs).toISOString().slice(0, 10)
}

/** The specification's trial, counted from registration. */
export const trialDays = 14

/** What is free is read for so long before the address is confirmed. */
export const unconfirmedDays = 3

export type AccessFacts = {
  accountCreatedAt: string
  isEmailVerified: boolean
  /**
   * Whether the free days are this account’s: once for a person. `open` when they become so by confirming the address, `taken`
   * when another account of his had them.
   */
  trial: 'own' | 'open' | 'taken'
  subscriptions: readonly { status: string; startDate: string; endDate: string }[]
}

export type DataAccess = {
  hasAccess: boolean
  /** When what is open now, and what follows it without a gap, ends; null when nothing is open. */
  endsAt: string | null
  /** Whole days until then, the one that has begun included. */
  remainingDays: number
  /** From when on what is free is closed until the address is confirmed; null when it is, or nothing is free. */
  confirmBy: string | null
}

/**
 * Whether the data are open to a subscriber, and until when: a subscription ACTIVE or TRIAL that has begun and not ended,
 * or an account younger than the trial, once for a person. What is free needs a confirmed address after some days. The one
 * function that decides the 402, the gate and the remaining days.
 */
export function dataAccess(facts: AccessFacts, at: Date): DataAccess {
  const now = at.getTime()
  const confirmed = openUntil(facts, true, now)
  const actual = openUntil(facts, facts.isEmailVerified, now)
  const hasAccess = actual > now
  const end = hasAccess ? confirmed : now
  return {
    hasAccess,
    endsAt: hasAccess ? new Date(end).toISOString() : null,
    remainingDays: Math.ceil((end - now) / dayMs),
    confirmBy: actual < confirmed ? new Date(actual).toISOString() : null,
  }
}

/** When what is open, and what follows it without a gap, ends; `now` when nothing is open. */
function openUntil(
  { accountCreatedAt, trial, subscriptions }: AccessFacts,
  isConfirmed: boolean,
  now: number,
): number {
  const registered = Date.parse(accountCreatedAt)
  const freeEnd = isConfirmed ? Number.POSITIVE_INFINITY : registered + unconfirmedDays * dayMs
  const open = subscriptions.filter(isOpen).map(({ status, startDate, endDate }) => ({
    from: Date.parse(startDate),
    to: status === 'TRIAL' ? Math.min(Date.parse(endDate), freeEnd) : Date.parse(endDate),
  }))
  if (trial === 'own' || (trial === 'open' && isConfirmed)) {
    open.push({ from: registered, to: Math.min(registered + trialDays * dayMs, freeEnd) })
  }
  let end = now
  for (const { from, to } of open.sort((a, b) => a.from - b.from)) if (from <= end && to > end) end = to
  return end
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
 * In how many days (Kinshasa’s calendar, 0 today) what is open ends, for users who should be reminded; null for the others: the
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
  const { hasAccess, confirmBy } = dataAccess(facts, at)
  if (hasAccess) return null
  return confirmBy ? addressFirst : 'Choisissez un plan pour consulter ces données.'
}

/** Whether somebody may read prices at a moment: he has the right, and the data are open to him. */
export function mayReadPrices(
  { permissions, access }: { permissions: readonly string[]; access: AccessFacts },
  at: Date,
): boolean {
  if (!permissions.includes('prices.read')) return false
  return permissions.includes('access.exempt') || accessRefusal(access, at) === null
}

/** How many calls and SMS each subscription comprises; null without a plan. */
export type CallFacts = {
  subscriptions: readonly {
    status: string
    startDate: string
    endDate: string
    minute: number | null
    month: number | null
    sms: number | null
  }[]
}

const trialCalls = { minute: 30, month: 1_000, sms: 5 }
const staffCalls = { minute: 600, month: 1_000_000, sms: 100 }

/** How many calls the keys of an account may make: the most of what is open to it now; a trial has a small quota. */
export function callLimits(facts: CallFacts, at: Date, isExempt: boolean) {
  const { minute, month } = comprised(facts, at, isExempt)
  return { minute, month }
}

/** How many alerts by SMS a month of an account comprises, in the same way. */
export function smsLimit(facts: CallFacts, at: Date, isExempt: boolean): number {
  return comprised(facts, at, isExempt).sms
}

function comprised({ subscriptions }: CallFacts, at: Date, isExempt: boolean) {
  if (isExempt) return staffCalls
  const now = at.getTime()
  const open = subscriptions.filter(
    (each) => each.status === 'ACTIVE' && Date.parse(each.startDate) <= now && Date.parse(each.endDate) > now,
  )
  const most = (what: keyof typeof trialCalls) =>
    Math.max(0, ...open.map((each) => each[what] ?? trialCalls[what]))
  return open.length > 0 ? { minute: most('minute'), month: most('month'), sms: most('sms') } : trialCalls
}

export const addressFirst =
  'Confirmez votre adresse e-mail pour continuer à lire les prix\u00a0: ouvrez le lien que nous vous avons envoyé.'

type TrialFacts = AccessFacts & { hadTrial: boolean; hasSubscription: boolean }

/** Why somebody may not take the free trial, which is taken once, in words; null when he may. */
export function trialRefusal(facts: TrialFacts, at: Date): string | null {
  if (facts.hadTrial) return 'Vous avez déjà choisi l’essai gratuit.'
  if (facts.hasSubscription) return 'Vous avez déjà un abonnement.'
  if (facts.trial === 'taken') return 'L’essai gratuit a déjà été pris pour cette adresse e-mail.'
  if (at.getTime() - Date.parse(facts.accountCreatedAt) >= trialDays * dayMs) {
    return 'Votre période d’essai est terminée. Veuillez choisir un plan pour continuer.'
  }
  return dataAccess(facts, at).hasAccess ? null : addressFirst
}

/**
 * The end of one period of a plan: the same day and hour of Kinshasa's calendar a month or a year later, or the last day of that month
 * when it has no such day. The last day of a month is followed by the last day of another: 31 January, 28 February, 31 March.
 */
export function periodEnd(start: Date, billingPeriod: 'MONTHLY' | 'YEARLY'): Date {
  const local = new Date(start.getTime() + hourMs)
  const [year, month, day] = [local.getUTCFullYear(), local.getUTCMonth(), local.getUTCDate()]
  const lastDay = (month: number) => new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  const endMonth = month + (billingPeriod === 'YEARLY' ? 12 : 1)
  const endDay = day === lastDay(month) ? lastDay(endMonth) : Math.min(day, lastDay(endMonth))
  const ofDay = local.getTime() - Date.UTC(year, month, day)
  return new Date(Date.UTC(year, endMonth, endDay) + ofDay - hourMs)
}

/** When a trial that is chosen now ends. */
export function trialEnd(at: Date): Date {
  return new Date(at.getTime() + trialDays * dayMs)
}
