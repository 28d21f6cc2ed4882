// A plain model of subscriptions, written from the rules of payments.md without a look at the statements
// that follow them in the application.

import { dayMs } from '#shared/days.ts'
import { later } from './payment-model.ts'

export type Period = {
  from: number
  to: number
  status: 'ACTIVE' | 'PAUSED' | 'CANCELED'
  pausedAt: number | null
  /** The payment that ended it, and when it would have ended. */
  replacedBy: Bought | null
  replacedEnd: number
  isCanceled: boolean
}

export type Bought = {
  id: number
  depositId: string
  planId: number
  months: number
  /** Cents. */
  amount: number
  credit: number
  status: 'PENDING' | 'PAID' | 'FAILED' | 'REFUNDED'
  /** The team looks at it: nothing that is said changes it any more. */
  isReviewed: boolean
  replaces: Bought | null
  isByCard: boolean
  /** A page for cards that was left, and may still be paid. */
  isGivenUp: boolean
  /** Of the same plan, undecided when it began: of those one is enough. */
  openWith: readonly Bought[]
  period: Period | null
}

/** Whether it opens the data, will, or waits for the end of a pause. */
export const isHeld = ({ status, to }: Period, now: number) =>
  status === 'PAUSED' || (status === 'ACTIVE' && to > now)

/** What an upgrade takes off: of what runs longest, unless it costs as much, whole days left of its days in all. */
export function quoteUpgrade(all: readonly Bought[], planId: number, price: number, now: number) {
  const running = all.filter(
    ({ period, status, planId: held }) =>
      status === 'PAID' &&
      period?.status === 'ACTIVE' &&
      period.from < now &&
      period.to > now &&
      held !== planId &&
      !period.replacedBy,
  )
  const from = running.reduce<Bought | null>(
    (last, each) => (!last || each.period!.to >= last.period!.to ? each : last),
    null,
  )
  if (!from?.period) return undefined
  const worth = from.amount + from.credit
  const left = Math.floor((from.period.to - now) / dayMs)
  const total = Math.round((from.period.to - from.period.from) / dayMs)
  return worth < price ? { from, credit: Math.floor((worth * left) / Math.max(total, 1)) } : undefined
}

/** Those beside which a payment begins that may be paid too, where one of the two is by card. */
export function openBeside(
  all: readonly Bought[],
  { planId, isByCard }: Pick<Bought, 'planId' | 'isByCard'>,
) {
  return all.filter(
    (each) =>
      each.planId === planId &&
      (isByCard || each.isByCard) &&
      (each.status === 'PENDING' || (each.status === 'FAILED' && each.isGivenUp)),
  )
}

/** Whether one that was open beside this one has been paid. */
export function isBoughtTwice(bought: Bought, all: readonly Bought[]): boolean {
  return all.some(
    (each) => each.status === 'PAID' && (bought.openWith.includes(each) || each.openWith.includes(bought)),
  )
}

/** What a payment that is paid opens; one whose credited days are gone waits for the team. */
export function openBought(bought: Bought, all: readonly Bought[], now: number): void {
  const ended = bought.replaces?.period
  if (ended && (ended.status !== 'ACTIVE' || ended.replacedBy)) {
    bought.isReviewed = true
    return
  }
  bought.status = 'PAID'
  const blank = {
    status: 'ACTIVE' as const,
    pausedAt: null,
    replacedBy: null,
    replacedEnd: 0,
    isCanceled: false,
  }
  const atOnce = ended !== undefined && ended !== null && ended.to > now
  if (ended) Object.assign(ended, { replacedBy: bought, replacedEnd: ended.to })
  const taken = all.flatMap(({ period }) =>
    period?.status === 'ACTIVE' && period.to > now ? [period.to] : [],
  )
  const from = atOnce ? now : Math.max(now, ...taken)
  const to = later(from, bought.months)
  if (ended && atOnce) {
    ended.to = Math.max(now, ended.from + 1)
    moveFollowing(all, { status: 'ACTIVE', after: ended.replacedEnd, to })
  }
  bought.period = { ...blank, from, to }
}

/** What a refund ends, gives back and moves. */
export function refundBought(bought: Bought, all: readonly Bought[], now: number): void {
  if (bought.status !== 'PAID') return
  bought.status = 'REFUNDED'
  const { period } = bought
  if (!period || period.status === 'CANCELED') return
  const { status, pausedAt } = period
  Object.assign(period, { status: 'CANCELED', pausedAt: null })
  const restored = all.find((each) => each.period?.replacedBy === bought)?.period
  if (restored) {
    Object.assign(restored, { to: restored.replacedEnd, replacedBy: null, replacedEnd: 0 })
    if (pausedAt !== null && restored.to > pausedAt) Object.assign(restored, { status: 'PAUSED', pausedAt })
  }
  const still = pausedAt ?? now
  if (period.to <= still) return
  moveFollowing(all, { status, after: period.to, to: Math.max(still, period.from, restored?.to ?? 0) })
}

function moveFollowing(
  all: readonly Bought[],
  { status, after, to }: { status: Period['status']; after: number; to: number },
): void {
  const waiting = all
    .filter(({ period }) => period?.status === status && period.from >= after)
    .toSorted((a, b) => a.period!.from - b.period!.from)
  let [gap, start] = [after, to]
  for (const { period, months } of waiting) {
    if (!period || period.from !== gap) return
    gap = period.to
    Object.assign(period, { from: start, to: later(start, months) })
    start = period.to
  }
}

/** Has what is paused go on after what was paid meanwhile. */
export function resumePaused(paused: readonly Bought[], all: readonly Bought[], now: number): void {
  const meanwhile = all.flatMap(({ period }) =>
    period?.status === 'ACTIVE' && period.to > now ? [period.to] : [],
  )
  const goesOn = Math.max(now, ...meanwhile)
  for (const { period } of paused) {
    if (!period || period.pausedAt === null) continue
    const shift = goesOn - period.pausedAt
    Object.assign(period, {
      status: 'ACTIVE',
      pausedAt: null,
      from: period.from + shift,
      to: period.to + shift,
    })
  }
}
