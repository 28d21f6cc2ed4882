import type { LineLayout } from '#web/ui/charts/line-layout.ts'
import { fills, strokes } from '#web/ui/charts/series-colours.ts'

type LinePlotProps = { layout: LineLayout; unit: string; className?: string }

/**
 * The drawing alone, without hooks or style attributes, so that public pages can render it on the server. Hidden from
 * screen readers: put a text alternative beside it.
 */
export function LinePlot({ layout, unit, className }: LinePlotProps) {
  const { width, height, left, right, bottom } = layout
  return (
    <svg viewBox={`0 0 ${width} ${height}`} className={className} aria-hidden="true" focusable="false">
      <g className="fill-ink-soft text-xs">
        {layout.yTicks.map((tick) => (
          <g key={tick.y}>
            <path className="stroke-line" d={`M${left},${tick.y}H${right}`} />
            <text x={left - 8} y={tick.y + 4} textAnchor="end">
              {tick.text}
            </text>
          </g>
        ))}
        <text x="0" y="11">
          {unit}
        </text>
        {layout.xTicks.map((tick) => (
          <g key={tick.x}>
            <path className="stroke-line-strong" d={`M${tick.x},${bottom}v4`} />
            <text x={Math.min(Math.max(tick.x, left + 12), right - 4)} y={height - 8} textAnchor="middle">
              {tick.text}
            </text>
          </g>
        ))}
        <path className="stroke-line-strong" d={`M${left},${bottom}H${right}`} />
      </g>
      {layout.lines.map((line) => (
        <g
          key={line.key}
          className={strokes[line.colour]}
          fill="none"
          strokeLinecap="round"
          strokeLinejoin="round"
        >
          {line.area && (
            <path className={`stroke-transparent opacity-12 ${fills[line.colour]}`} d={line.area} />
          )}
          {line.solid && <path strokeWidth="2" d={line.solid} />}
          {line.dashed && <path strokeWidth="2" strokeDasharray="2 5" d={line.dashed} />}
          {line.marks && <path strokeWidth="5" d={line.marks} />}
          {line.hollow && <path strokeWidth="7" d={line.hollow} />}
          {line.hollow && <path className="stroke-surface" strokeWidth="4" d={line.hollow} />}
        </g>
      ))}
      {layout.outside.map(({ key, colour, x, y, isAbove, text, space }) => {
        const tip = isAbove ? -5 : 5
        return (
          <g key={key}>
            <path
              className={`stroke-surface ${fills[colour]}`}
              d={`M${x - 5},${y - tip}L${x + 5},${y - tip}L${x},${y + tip}Z`}
            />
            {space && (
              <text
                className="fill-ink text-xs font-semibold"
                x={space.anchor === 'end' ? space.to : space.from}
                y={y + (isAbove ? 4 : -2)}
                textAnchor={space.anchor}
              >
                {text}
              </text>
            )}
          </g>
        )
      })}
      {layout.ends.map((end) => (
        <g key={end.key}>
          {(right - end.x > 8 || Math.abs(end.y - end.labelY) > 8) && (
            <path
              className="stroke-line-strong"
              fill="none"
              strokeDasharray="1 3"
              d={`M${end.x},${end.y}L${right + 7},${end.labelY}`}
            />
          )}
          <circle
            className={`stroke-surface ${fills[end.colour]}`}
            cx={end.x}
            cy={end.y}
            r="4"
            strokeWidth="1.5"
          />
          {end.name && (
            <text className="fill-ink text-xs" x={right + 10} y={end.labelY - 2}>
              {end.name}
            </text>
          )}
          <text
            className="fill-ink text-xs font-semibold"
            x={right + 10}
            y={end.labelY + (end.name ? 12 : 4)}
          >
            {end.value}
          </text>
        </g>
      ))}
    </svg>
  )
}
