import { ArrowDown, ArrowRight, ArrowUp } from 'lucide-react'
import { percentInterval } from '#features/figures/price-index/price-index.rules.ts'
import { asOfText, isWithoutMargin, noTrendText, weekMark } from '#features/figures/summary/summary.rules.ts'
import type { Move, PublicFigures } from '#features/landing/landing.contract.ts'
import { addDays, dayInKinshasa } from '#shared/days.ts'
import { formatDate, formatDateTime, formatInterval, formatPercent } from '#web/format.ts'

export type IndexChange = NonNullable<PublicFigures['index']['month']>

type ChangeTextProps = {
  /** A fraction. */
  value: number
  /** A fraction below which a change is shown as stable. */
  stableWithin?: number
  /** Whether its basis is thin or its prices old: it then has no colour. */
  isFaint?: boolean
  /** Its size and weight. */
  className?: string
}

/** Shows a change: `↑ +1,8 %`. A rise is red, a fall green, also shown by an arrow and a word. */
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

/** Returns « (± 0,9) » or « (entre +9 et +41 %) », to append to a change; an empty string without a margin. */
export function marginText({ value, margin }: IndexChange): string {
  return margin === null ? '' : ` (${formatInterval(100 * value, percentInterval({ value, margin }))})`
}

/** Returns for example « semaine du 16 nov. 2026 (incomplète) par rapport à celle du 19 oct. 2026 ». */
export function weeksText({ from, to }: IndexChange, { madeAt, index }: PublicFigures): string {
  const compared = `semaine du ${formatDate(to)}${weekMark(to, dayInKinshasa(madeAt))} par rapport à celle du ${formatDate(from)}`
  return [compared, asOfText(index.asOf, formatDateTime)].filter(Boolean).join(', ')
}

/** Returns the reason why a change has no trend, to append to a sentence; an empty string if it has one. */
export function noTrendEnd(change: IndexChange): string {
  const reason = noTrendText(change, change.trend, false)
  return reason ? `\u202f; ${reason}` : ''
}

/** Whether a change has no colour because its basis is thin or its prices are old. */
export function isFaintChange(change: IndexChange, figures: PublicFigures): boolean {
  return change.isThin || isWithoutMargin(change) || isOld(figures)
}

/** Whether the last price is older than 30 days: figures of prices are then grey. */
export function isOld({ lastCollectedAt, madeAt }: PublicFigures): boolean {
  return !lastCollectedAt || dayInKinshasa(lastCollectedAt) < addDays(dayInKinshasa(madeAt), -30)
}

/** Whether the national price of a product is grey: it has fewer than 5 series, or is old. */
export function isFaintPrice({ markets }: Move, figures: PublicFigures): boolean {
  return markets < 5 || isOld(figures)
}
