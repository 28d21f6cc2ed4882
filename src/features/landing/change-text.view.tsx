import { ArrowDown, ArrowRight, ArrowUp } from 'lucide-react'
import { percentInterval } from '#features/figures/price-index/price-index.rules.ts'
import { asOfText, isWithoutMargin, untoldText, weekMark } from '#features/figures/summary/summary.rules.ts'
import type { Move, PublicFigures } from '#features/landing/landing.contract.ts'
import { addDays } from '#shared/days.ts'
import { formatDate, formatDateTime, formatInterval, formatPercent } from '#web/format.ts'

export type IndexChange = NonNullable<PublicFigures['index']['month']>

type ChangeTextProps = {
  /** A fraction. */
  value: number
  /** Within which a change counts as none, a fraction. */
  stableWithin?: number
  /** It rests on too little, or on old prices: its colour says nothing. */
  isFaint?: boolean
  /** Its size and weight. */
  className?: string
}

/** `↑ +1,8 %`: a rise is red, a fall green, and an arrow and a word say it too. */
export function ChangeText(props: ChangeTextProps) {
  const { value, stableWithin = 0.005, isFaint = false, className = 'font-medium' } = props
  const isStable = Math.abs(value) < stableWithin
  const [Icon, tone, word] = isStable
    ? ([ArrowRight, 'text-grey', 'stable'] as const)
    : value > 0
      ? ([ArrowUp, 'text-red', 'hausse'] as const)
      : ([ArrowDown, 'text-green', 'baisse'] as const)
  return (
    <span
      className={`inline-flex items-baseline gap-1 whitespace-nowrap ${isFaint ? 'text-grey' : tone} ${className}`}
    >
      <Icon className="size-[1em] shrink-0 self-center" aria-hidden />
      {formatPercent(100 * value)}
      <span className="sr-only">({word})</span>
    </span>
  )
}

/** « (± 0,9) » or « (entre +9 et +41 %) », behind a change; nothing where there is no margin. */
export function marginText({ value, margin }: IndexChange): string {
  return margin === null ? '' : ` (${formatInterval(100 * value, percentInterval({ value, margin }))})`
}

/** « semaine du 16 nov. 2026 (incomplète) par rapport à celle du 19 oct. 2026 » */
export function weeksText({ from, to }: IndexChange, { madeAt, index }: PublicFigures): string {
  const compared = `semaine du ${formatDate(to)}${weekMark(to, madeAt.slice(0, 10))} par rapport à celle du ${formatDate(from)}`
  return [compared, asOfText(index.asOf, formatDateTime)].filter(Boolean).join(', ')
}

/** Why a change has no trend, behind what else is said of it; nothing where one is. */
export function untoldEnd(change: IndexChange): string {
  const untold = untoldText(change, change.trend, false)
  return untold ? `\u202f; ${untold}` : ''
}

/** Whether a change rests on too little, or on old prices, for its colour to say anything. */
export function isFaintChange(change: IndexChange, figures: PublicFigures): boolean {
  return change.isThin || isWithoutMargin(change) || isOld(figures)
}

/** Whether the last price is older than 30 days: what is said of prices is then grey. */
export function isOld({ lastCollectedAt, madeAt }: PublicFigures): boolean {
  return (lastCollectedAt ?? '').slice(0, 10) < addDays(madeAt.slice(0, 10), -30)
}

/** Whether the price of one product in the country is grey: of fewer than 5 series, or old. */
export function isFaintPrice({ markets }: Move, figures: PublicFigures): boolean {
  return markets < 5 || isOld(figures)
}
