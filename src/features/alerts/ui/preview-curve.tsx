import { linearScale } from '#shared/linear-scale.ts'
import { smallCurve } from '#shared/small-curve.ts'

const size = { width: 360, height: 120 }
/** Maximum number of marks that stay distinguishable: the last ones, numbered from 1. */
export const mostMarks = 9

type PreviewCurveProps = {
  points: readonly { date: string; value: number }[]
  rings: readonly { day: string; price: number }[]
  /** Threshold in CDF for an alert on a level; null for other alerts. */
  threshold: number | null
}

/**
 * The past year of a price, with the last days on which an alert would have rung; the numbered list beside it gives the
 * same days.
 */
export function PreviewCurve({ points, rings, threshold }: PreviewCurveProps) {
  const curve = smallCurve(points, threshold)
  if (!curve) return null
  const x = linearScale([0, 1], [10, size.width - 10])
  const y = linearScale([0, 1], [size.height - 4, 12])
  const path = curve.segments
    .map(
      (stretch) =>
        `M${stretch.map(([along, up]) => `${x(along).toFixed(1)},${y(up).toFixed(1)}`).join('L')}` +
        // A quote alone is a line of almost no length, which its round ends show.
        (stretch.length === 1 ? 'h.01' : ''),
    )
    .join('')
  return (
    <svg
      viewBox={`0 0 ${size.width} ${size.height}`}
      aria-hidden="true"
      focusable="false"
      className="mt-2 w-full"
    >
      {curve.level !== null && (
        <path
          d={`M10,${y(curve.level).toFixed(1)}H${size.width - 10}`}
          fill="none"
          className="stroke-ochre"
          strokeWidth="1.5"
          strokeDasharray="5 4"
        />
      )}
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
          <circle cx={x(curve.x(day))} cy={y(curve.y(price)) - 10} r="8" className="fill-ochre-fill" />
          <text
            x={x(curve.x(day))}
            y={y(curve.y(price)) - 6.5}
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
