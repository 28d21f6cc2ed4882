// A plain model of subscriptions, written from the rules of payments.md without reading the application's statements.

import { dayMs } from '#shared/days.ts'
import { later } from './payment-model.ts'

export type Period = {
  from: number
  to: number
  status: 'ACTIVE' | 'PAUSED' | 'CANCELED'
  pausedAt: number | null
  /** Payment that ended the period early, and its original end. */
  replacedBy: Bought | null
  replacedEnd: number
  isCanceled: boolean
}

export type Bought = {
  id: number
  depositId: string
  planId: number
  months: number
  /** In cents. */
  amount: number
  credit: number
  status: 'PENDING' | 'PAID' | 'FAILED' | 'REFUNDED'
  /** The team reviews the payment: announcements of the provider no longer change it. */
  isReviewed: boolean
  replaces: Bought | null
  isByCard: boolean
  /** A card page that was abandoned, and may still be paid. */
  isGivenUp: boolean
  /** Payments of the same plan that were pending when this one began: one of them is enough. */
  openWith: readonly Bought[]
  period: Period | null
}

/** Whether the period gives access, will give it, or is paused. */
export const isHeld = ({ status, to }: Period, now: number) =>
  status === 'PAUSED' || (status === 'ACTIVE' && to > now)

/**
 * Returns the credit of an upgrade: the price of the longest running period, unless it costs as much, times whole days
 * left over its total days.
 */
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

/** Returns the undecided payments of the same plan that may still be paid beside a new one. */
export function openBeside(all: readonly Bought[], planId: number): readonly Bought[] {
  return all.filter(
    (each) =>
      each.planId === planId && (each.status === 'PENDING' || (each.status === 'FAILED' && each.isGivenUp)),
  )
}

/** Whether a payment that was pending at the same time has been paid. */
export function isBoughtTwice(bought: Bought, all: readonly Bought[]): boolean {
  return all.some(
    (each) => each.status === 'PAID' && (bought.openWith.includes(each) || each.openWith.includes(bought)),
  )
}

/** Opens the period of a paid payment; one whose credited days are gone waits for the team. */
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

/** Applies a refund: the period that it ends, the credit that it returns and the periods that it moves. */
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
    const isWhole = later(period.from, months) === period.to
    Object.assign(period, {
      from: start,
      to: isWhole ? later(start, months) : start + period.to - period.from,
    })
    start = period.to
  }
}

/**
 * Resumes paused periods after those paid meanwhile: those paused together keep their order, those paused later follow
 * them.
 */
export function resumePaused(paused: readonly Bought[], all: readonly Bought[], now: number): void {
  const meanwhile = all.flatMap(({ period }) =>
    period?.status === 'ACTIVE' && period.to > now ? [period.to] : [],
  )
  let goesOn = Math.max(now, ...meanwhile)
  const pauses = new Set(paused.map(({ period }) => period?.pausedAt ?? 0))
  for (const pausedAt of [...pauses].toSorted((a, b) => a - b)) {
    const together = paused.flatMap(({ period }) => (period?.pausedAt === pausedAt ? [period] : []))
    const shift = goesOn - pausedAt
    for (const bought of paused.filter(({ period }) => period && together.includes(period)))
      moveReplaced(bought, all, { pausedAt, shift })
    for (const period of together) {
      const moved = { from: period.from + shift, to: period.to + shift }
      Object.assign(period, { status: 'ACTIVE', pausedAt: null, ...moved })
      goesOn = Math.max(goesOn, moved.to)
    }
  }
}

/** Moves the former ends of what was replaced, so that a refund after the pause restores the days left before it. */
function moveReplaced(
  bought: Bought,
  all: readonly Bought[],
  { pausedAt, shift }: { pausedAt: number; shift: number },
): void {
  for (const each of all) {
    const { period } = each
    if (period?.replacedBy !== bought || period.replacedEnd <= pausedAt) continue
    period.replacedEnd += shift
    moveReplaced(each, all, { pausedAt, shift })
  }
}
