import type { ReactNode } from 'react'
import type { BarLayout } from '#web/ui/charts/bar-layout.ts'
import type { RenderLink } from '#web/ui/charts/chart-link.ts'
import { backgrounds, fills } from '#web/ui/charts/series-colours.ts'

type BarPlotProps = {
  /** Accessible name of the drawing. */
  title: string
  layout: BarLayout
  /** Names of the two bars of a pair. */
  labels?: readonly string[]
  renderLink?: RenderLink
  className?: string
}

/** Horizontal bars with their names and values as text; public pages render them on the server. */
export function BarPlot({ title, layout, labels = [], renderLink = plainLink, className }: BarPlotProps) {
  const { width, height, left, thick, bars } = layout
  const hasLinks = bars.some(({ href }) => href)
  return (
    <>
      {labels.length > 1 && (
        <ul data-legend className="mb-2 flex flex-wrap gap-x-4 gap-y-1 text-xs">
          {labels.map((label, index) => (
            <li key={label} className="flex items-center gap-1.5">
              <span className={`size-2.5 rounded-full ${backgrounds[index]}`} aria-hidden />
              {label}
            </li>
          ))}
        </ul>
      )}
      <svg
        viewBox={`0 0 ${width} ${height}`}
        className={className}
        // The role `img` would hide the links from screen readers.
        role={hasLinks ? 'group' : 'img'}
        aria-label={hasLinks ? title : `${title}\u00a0: ${bars.map(sentenceOf).join(', ')}`}
        focusable="false"
      >
        <path className="stroke-line-strong" d={`M${left},0V${height}`} />
        {bars.map((bar) => (
          <g key={bar.key}>
            <title>{sentenceOf(bar)}</title>
            {bar.href ? renderLink(bar.href, <Name bar={bar} left={left} />) : <Name bar={bar} left={left} />}
            {bar.parts.map((part, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a pair has a first and a second, and nothing else
              <g key={index}>
                <rect
                  className={bar.isFaint ? 'fill-line-strong' : fills[index]}
                  x={left}
                  y={part.y}
                  width={part.width}
                  height={thick - 1}
                  rx="2"
                />
                <text
                  className={`text-xs font-semibold ${bar.isFaint ? 'fill-ink-soft' : 'fill-ink'}`}
                  x={left + part.width + 6}
                  y={part.y + thick / 2 + 3.5}
                >
                  {part.text}
                </text>
              </g>
            ))}
          </g>
        ))}
      </svg>
    </>
  )
}

type Bar = BarLayout['bars'][number]

function Name({ bar, left }: { bar: Bar; left: number }) {
  return (
    <text className="fill-ink text-xs" x={left - 8} y={bar.y + 4} textAnchor="end">
      {bar.label}
    </text>
  )
}

function sentenceOf({ name, parts }: Bar): string {
  return `${name} ${parts.map(({ text }) => text).join(' / ')}`
}

function plainLink(href: string, children: ReactNode) {
  return <a href={href}>{children}</a>
}
