import { ArrowDown, ArrowRight, ArrowUp } from 'lucide-react'
import { formatPercent } from '#web/format.ts'

type ChangeTextProps = {
  /** A fraction. */
  value: number
  /** Within which a change counts as none, a fraction. */
  stableWithin?: number
  className?: string
}

/** `↑ +1,8 %`: a rise is red, a fall green, and an arrow and a word say it too. */
export function ChangeText({ value, stableWithin = 0.005, className = '' }: ChangeTextProps) {
  const isStable = Math.abs(value) < stableWithin
  const [Icon, tone, word] = isStable
    ? ([ArrowRight, 'text-grey', 'stable'] as const)
    : value > 0
      ? ([ArrowUp, 'text-red', 'hausse'] as const)
      : ([ArrowDown, 'text-green', 'baisse'] as const)
  return (
    <span className={`inline-flex items-center gap-1 font-medium whitespace-nowrap ${tone} ${className}`}>
      <Icon className="size-[1em] shrink-0" aria-hidden />
      {formatPercent(100 * value)}
      <span className="sr-only">({word})</span>
    </span>
  )
}
