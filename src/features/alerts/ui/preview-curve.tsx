import { dayMs } from '#shared/days.ts'
import { linearScale } from '#shared/linear-scale.ts'

const size = { width: 360, height: 120 }
/** Marks that can be told apart. */
const mostMarks = 9
const maxGapDays = 14

type PreviewCurveProps = {
  points: readonly { date: string; value: number }[]
  rings: readonly { day: string; price: number }[]
  /** The threshold in CDF of an alert on a level; null for other alerts. */
  threshold: number | null
}

/** The past year of a price with the days on which an alert would have rung; the text beside it says the same. */
export function PreviewCurve({ points, rings, threshold }: PreviewCurveProps) {
  const [first, last] = [points[0], points.at(-1)]
  if (!first || !last || points.length < 2) return null
  const values = points.map(({ value }) => value)
  // A slip of a digit must not flatten the rest: it stands at the edge.
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted[sorted.length >> 1] ?? 0
  const near = values.filter((value) => value > middle / 3 && value < 3 * middle)
  const levels = threshold !== null && threshold > middle / 3 && threshold < 3 * middle ? [threshold] : []
  const [low, high] = [Math.min(...near, ...levels), Math.max(...near, ...levels)]
  const x = linearScale([Date.parse(first.date), Date.parse(last.date)], [10, size.width - 10])
  const inside = linearScale([low, high], [size.height - 8, 22])
  const y = (value: number) => Math.max(12, Math.min(size.height - 4, inside(value)))
  const path = points
    .map(({ date, value }, i) => {
      const before = points[i - 1]
      const isApart = !before || Date.parse(date) - Date.parse(before.date) > maxGapDays * dayMs
      return `${isApart ? 'M' : 'L'}${x(Date.parse(date)).toFixed(1)},${y(value).toFixed(1)}`
    })
    .join('')
  return (
    <svg
      viewBox={`0 0 ${size.width} ${size.height}`}
      aria-hidden="true"
      focusable="false"
      className="mt-2 w-full"
    >
      {levels.map((level) => (
        <path
          key={level}
          d={`M10,${y(level).toFixed(1)}H${size.width - 10}`}
          fill="none"
          className="stroke-ochre"
          strokeWidth="1.5"
          strokeDasharray="5 4"
        />
      ))}
      <path
        d={path}
        fill="none"
        className="stroke-chart-1"
        strokeWidth="1.75"
        strokeLinejoin="round"
        strokeLinecap="round"
      />
      {rings.slice(-mostMarks).map(({ day, price }, i) => (
        <g key={day}>
          <circle cx={x(Date.parse(day))} cy={y(price) - 10} r="8" className="fill-ochre-fill" />
          <text
            x={x(Date.parse(day))}
            y={y(price) - 6.5}
            textAnchor="middle"
            className="fill-black text-[0.625rem] font-semibold"
          >
            {i + 1}
          </text>
        </g>
      ))}
    </svg>
  )
}
