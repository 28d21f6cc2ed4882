import { linearScale } from '#web/ui/charts/linear-scale.ts'
import { fills } from '#web/ui/charts/series-colours.ts'

type Bar = { key: string | number; label: string; name: string; value: number; text: string }
type BarPlotProps = { bars: readonly Bar[]; width: number; title: string; unit?: string; className?: string }

const ROW = 34
const CHARACTER = 7.1

/** The bars alone, without a hook or a style attribute: public pages render them on the server. */
export function BarPlot({ bars, width, title, unit, className = 'block w-full' }: BarPlotProps) {
  const longest = (texts: string[]) => Math.max(0, ...texts.map((text) => text.length)) * CHARACTER
  const left = Math.min(longest(bars.map(({ label }) => label)) + 12, width * 0.4)
  const right = width - Math.min(longest(bars.map(({ text }) => text)) + 12, width * 0.35)
  const x = linearScale([0, Math.max(1e-9, ...bars.map(({ value }) => value))], [left, right])
  const top = unit ? 18 : 0
  const height = top + bars.length * ROW
  return (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      className={className}
      role="img"
      aria-label={summary(title, bars)}
    >
      {unit && (
        <text className="fill-ink-soft text-xs" x={left} y="11">
          {unit}
        </text>
      )}
      {bars.map((bar, index) => (
        <g key={bar.key}>
          <title>{`${bar.name} : ${bar.text}`}</title>
          <text className="fill-ink text-xs" x={left - 10} y={top + index * ROW + 21} textAnchor="end">
            {bar.label}
          </text>
          <rect
            className={fills[0]}
            x={left}
            y={top + index * ROW + 6}
            width={Math.max(1, x(Math.max(0, bar.value)) - left)}
            height={ROW - 12}
          />
          <text
            className="fill-ink text-xs font-semibold"
            x={x(Math.max(0, bar.value)) + 8}
            y={top + index * ROW + 21}
          >
            {bar.text}
          </text>
        </g>
      ))}
      <path className="stroke-line-strong" d={`M${left},${top}V${height}`} />
    </svg>
  )
}

function summary(title: string, bars: readonly Bar[]): string {
  return `${title} : ${bars.map(({ name, text }) => `${name}, ${text}`).join(' ; ')}`
}
