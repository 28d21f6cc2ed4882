import { dayMs } from '#shared/days.ts'
import { linearScale } from '#shared/linear-scale.ts'

const size = { width: 96, height: 28 }
/** Days without a price after which the line has a gap. */
const maxGapDays = 14

/** Draws a price curve of the size of a word; the figures beside it give the same information. */
export function Sparkline({ points }: { points: readonly { date: string; value: number }[] }) {
  const last = points.at(-1)
  const first = points[0]
  if (!first || !last) return null
  const days = points.map(({ date }) => Date.parse(date) / dayMs)
  const values = points.map(({ value }) => value)
  const [start, end] = [days[0] ?? 0, days.at(-1) ?? 1]
  const x = linearScale([start, Math.max(end, start + 1)], [3, size.width - 3])
  const y = linearScale(domainOf(values), [size.height - 4, 4])
  const path = days
    .map((day, i) => {
      const isApart = i === 0 || day - (days[i - 1] ?? day) > maxGapDays
      return `${isApart ? 'M' : 'L'}${x(day).toFixed(1)},${y(values[i] ?? 0).toFixed(1)}`
    })
    .join('')
  return (
    <svg width={size.width} height={size.height} aria-hidden="true" focusable="false" className="block">
      <path d={path} fill="none" className="stroke-chart-1" strokeWidth="1.5" strokeLinejoin="round" />
      <circle cx={x(end)} cy={y(last.value)} r="2.5" className="fill-chart-1" />
    </svg>
  )
}

function domainOf(values: readonly number[]): [number, number] {
  const [low, high] = [Math.min(...values), Math.max(...values)]
  return high > low ? [low, high] : [low * 0.95, high * 1.05]
}
