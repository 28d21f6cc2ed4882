import { ArrowDownRight, ArrowRight, ArrowUpRight } from 'lucide-react'
import { formatPercent, notAvailable } from '#web/format.ts'

type ChangeProps = {
  /** Change in percent; null when it cannot be computed. */
  percent: number | null | undefined
  /** `cost`: a rise is red and a fall green. `neutral`: no colour, for counts. */
  tone?: 'cost' | 'neutral'
  className?: string
}

/** A change as an arrow, a figure and a word, never as a colour alone. */
export function Change({ percent, tone = 'neutral', className = '' }: ChangeProps) {
  if (typeof percent !== 'number' || !Number.isFinite(percent)) {
    return <span className={`text-ink-soft ${className}`}>{notAvailable}</span>
  }
  const rounded = Math.round(percent * 10) / 10
  const Icon = rounded > 0 ? ArrowUpRight : rounded < 0 ? ArrowDownRight : ArrowRight
  const word = rounded > 0 ? 'hausse' : rounded < 0 ? 'baisse' : 'stable'
  const colour =
    tone === 'neutral' || rounded === 0 ? 'text-ink-soft' : rounded > 0 ? 'text-red' : 'text-green'
  return (
    <span className={`inline-flex items-center gap-1 font-medium whitespace-nowrap ${colour} ${className}`}>
      <Icon className="size-4 shrink-0" aria-hidden />
      {formatPercent(rounded === 0 ? 0 : rounded)}
      <span className="font-normal">{word}</span>
    </span>
  )
}
