import { ArrowDown, ArrowRight, ArrowUp } from 'lucide-react'
import { formatPercent } from '#web/format.ts'

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
