import { linearScale, niceTicks } from '#shared/linear-scale.ts'
import { dayTicks } from '#web/ui/charts/day-axis.ts'
import { roundToTenth, valueDomain } from '#web/ui/charts/line-layout.ts'
import { type Dot, lineSegments, parseSeries } from '#web/ui/charts/segments.ts'

type FluidLineProps = {
  /** Points in order of days, `yyyy-mm-dd`. */
  points: readonly { date: string; value: number; isProvisional?: boolean }[]
  /** More days than this without a value are a gap in the line. */
  maxGapDays: number
  formatValue: (value: number) => string
  formatTick?: (value: number) => string
  /** Fills the area between the line and zero, and includes zero in the axis. */
  area?: boolean
  /** Classes that set the minimum height, without the labels; inside a column the line fills the remaining height. */
  className: string
}

const steps = 1000

/**
 * A line chart that fits any place without a script: its coordinates are in percent. Hidden from screen readers, so
 * its content must also be given as text beside it.
 */
export function FluidLine(props: FluidLineProps) {
  const { points, maxGapDays, formatValue, formatTick = formatValue, area = false, className } = props
  const line = parseSeries(points)
  const { days, values } = line
  const [first, last] = [days[0] ?? 0, days.at(-1) ?? 1]
  const range = { low: Math.min(...values), high: Math.max(...values) }
  const isCount = values.every(Number.isInteger)
  // For counts, ticks are whole numbers.
  const ticks = niceTicks(valueDomain(range, area), 4).filter((tick) => !isCount || Number.isInteger(tick))
  const x = linearScale([first, last], [0, steps])
  const y = linearScale([ticks[0] ?? 0, ticks.at(-1) ?? 1], [steps, 0])
  const percent = (step: number) => `${roundToTenth(step / 10)}%`
  const at = ({ day, value }: Dot) => `${roundToTenth(x(day))},${roundToTenth(y(value))}`
  // A single dot is a line of almost no length, which its round ends show.
  const path = (stretch: readonly Dot[]) =>
    `M${stretch.map(at).join('L')}${stretch.length === 1 ? 'h0.1' : ''}`
  const under = (stretch: readonly Dot[]) =>
    `${path(stretch)}V${roundToTenth(y(0))}H${roundToTenth(x(stretch[0]?.day ?? first))}Z`
  const segments = lineSegments(line, maxGapDays)
  const end = days.length - 1
  const endY = y(values[end] ?? 0)
  // Places the label of the last value on the side where the line does not pass.
  const isFalling = (values[Math.max(0, end - 3)] ?? 0) > (values[end] ?? 0)
  const isBelow = isFalling ? endY < steps - 120 : endY < 60
  return (
    <svg
      width="100%"
      // Margins: above for the highest label, below for the days.
      className={`mt-8 mb-6.5 block flex-1 overflow-visible ${className}`}
      aria-hidden="true"
      focusable="false"
    >
      {ticks.map((tick) => (
        <g key={tick}>
          <line
            x1="0"
            x2="100%"
            y1={percent(y(tick))}
            y2={percent(y(tick))}
            className={tick === 0 ? 'stroke-line-strong' : 'stroke-line'}
          />
          <text x="0" y={percent(y(tick))} dy="-5" className="fill-ink-soft text-xs">
            {formatTick(tick)}
          </text>
        </g>
      ))}
      <svg
        aria-hidden="true"
        width="100%"
        height="100%"
        viewBox={`0 0 ${steps} ${steps}`}
        preserveAspectRatio="none"
        className="overflow-visible"
      >
        {area && (
          <path
            className="fill-chart-1 opacity-15"
            d={segments.map(({ dots: stretch }) => under(stretch)).join('')}
          />
        )}
        <g
          fill="none"
          className="stroke-chart-1"
          strokeWidth="2.5"
          strokeLinejoin="round"
          strokeLinecap="round"
        >
          {segments.map(({ dots: stretch, isProvisional }) => (
            <path
              key={stretch[0]?.day}
              vectorEffect="non-scaling-stroke"
              strokeDasharray={isProvisional ? '2 5' : undefined}
              d={path(stretch)}
            />
          ))}
        </g>
      </svg>
      <circle cx="100%" cy={percent(endY)} r="5" className="fill-chart-1" />
      <text
        x="100%"
        y={percent(endY)}
        dx="-4"
        dy={isBelow ? 26 : -14}
        textAnchor="end"
        paintOrder="stroke"
        strokeWidth="5"
        className="fill-ink stroke-surface text-sm font-semibold"
      >
        {formatValue(values[end] ?? 0)}
      </text>
      {dayTicks(first, last, { most: 5 }).map(({ day, text }) => (
        <text
          key={day}
          x={percent(x(day))}
          y="100%"
          dy="20"
          textAnchor={x(day) < 60 ? 'start' : x(day) > steps - 60 ? 'end' : 'middle'}
          className="fill-ink-soft text-xs"
        >
          {text}
        </text>
      ))}
    </svg>
  )
}
