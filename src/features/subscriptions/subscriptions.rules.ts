import { dayInKinshasa, dayMs, hourMs } from '#shared/days.ts'

/** Length of the specification's trial, counted from registration. */
export const trialDays = 14

/** Days of free access before the address must be confirmed. */
const unconfirmedDays = 3

export type AccessFacts = {
  accountCreatedAt: string
  isEmailVerified: boolean
  /**
   * Whether the account has the free days, which a person gets once: `own` if it has them, `open` if it gets them by
   * confirming the address, `taken` if another account of the person had them.
   */
  trial: 'own' | 'open' | 'taken'
  subscriptions: readonly { status: string; startDate: string; endDate: string }[]
}

export type DataAccess = {
  hasAccess: boolean
  /** End of the access that is open now, including periods that follow without a gap; null when closed. */
  endsAt: string | null
  /** Whole days until then, including the current day. */
  remainingDays: number
  /** When free access ends unless the address is confirmed; null when it is confirmed, or access is not free. */
  confirmBy: string | null
}

/**
 * Returns whether a subscriber has access, and until when: an ACTIVE or TRIAL subscription that has begun and not
 * ended, or an account younger than the trial, once for a person. Free access requires a confirmed address after some
 * days. Only this function decides the 402, the gate and the remaining days.
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

/** Returns the end of the open access, including periods that follow without a gap; `now` when closed. */
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

/** Returns whether a subscription gives access between its dates. */
export function isOpen({ status }: { status: string }): boolean {
  return status === 'ACTIVE' || status === 'TRIAL'
}

/** Returns whether a subscription will give access later. */
export function isToCome(each: { status: string; startDate: string }, at: Date): boolean {
  return isOpen(each) && Date.parse(each.startDate) > at.getTime()
}

type Held = { status: string; endDate: string }

/** Returns when a newly paid period begins, if access is open until then; null when it begins at once. */
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
 * Returns in how many days (Kinshasa's calendar, 0 today) access ends, for users to be reminded; null for others:
 * access by role, no access, or more than seven days left.
 */
export function daysToEnd(
  { endsAt, isExempt }: Pick<DataAccess, 'endsAt'> & { isExempt: boolean },
  at: Date,
): number | null {
  if (isExempt || !endsAt) return null
  const dayOf = (instant: Date) => Date.parse(dayInKinshasa(instant))
  // The last instant covered.
  const last = new Date(Date.parse(endsAt) - 1)
  const days = (dayOf(last) - dayOf(at)) / dayMs
  return last > at && days <= noticedDays ? days : null
}

/** Returns why access is closed at a moment, in words; null when it is open. */
export function accessRefusal(facts: AccessFacts, at: Date): string | null {
  const { hasAccess, confirmBy } = dataAccess(facts, at)
  if (hasAccess) return null
  if (confirmBy) return addressFirst
  if (facts.subscriptions.some((each) => isToCome(each, at)))
    return 'Votre abonnement n’a pas encore commencé.'
  return facts.subscriptions.some(({ status }) => status === 'PAUSED')
    ? 'Votre abonnement est en pause. Écrivez-nous pour le reprendre, ou choisissez un plan.'
    : 'Choisissez un plan pour consulter ces données.'
}

/** Returns whether a user may read prices at a moment: they have the permission, and access is open. */
export function mayReadPrices(
  { permissions, access }: { permissions: readonly string[]; access: AccessFacts },
  at: Date,
): boolean {
  if (!permissions.includes('prices.read')) return false
  return permissions.includes('access.exempt') || accessRefusal(access, at) === null
}

/** Quotas of calls and SMS of each subscription; null without a plan. */
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

/**
 * Returns the limits of calls of an account's keys: the highest of its open subscriptions; a trial has a small quota.
 */
export function callLimits(facts: CallFacts, at: Date, isExempt: boolean) {
  const { minute, month } = comprised(facts, at, isExempt)
  return { minute, month }
}

/** Returns the monthly limit of alerts by SMS of an account, chosen in the same way. */
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

/** Returns why a user may not start the free trial, which is available once, in words; null when they may. */
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
 * Returns the end of one period of a plan: the same day and hour of Kinshasa's calendar a month or a year later, or the
 * last day of that month when it has no such day. The last day of a month is followed by the last day of another: 31
 * January, 28 February, 31 March.
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

/** Returns the end of a trial that begins now. */
export function trialEnd(at: Date): Date {
  return new Date(at.getTime() + trialDays * dayMs)
}
