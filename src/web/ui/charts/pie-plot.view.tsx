import type { ReactNode } from 'react'
import { formatNumber, formatPercent } from '#web/format.ts'
import type { RenderLink } from '#web/ui/charts/chart-link.ts'
import { others, type PieSlice } from '#web/ui/charts/pie-slices.ts'
import { backgrounds, fills } from '#web/ui/charts/series-colours.ts'

type PiePlotProps = {
  /** Accessible name of the ring. */
  title: string
  slices: readonly PieSlice[]
  formatValue?: (value: number) => string
  renderLink?: RenderLink
  /** Renders the name of the « Autres » slice, whose items have no list of their own. */
  renderOthers?: (name: ReactNode) => ReactNode
}

const size = 176
const radius = size / 2
const hole = radius * 0.6

/**
 * A ring and its legend with the name, value and share of each slice, so that no information is given by colour alone.
 */
export function PiePlot(props: PiePlotProps) {
  const { title, slices, formatValue = formatNumber, renderLink = plainLink, renderOthers } = props
  return (
    <div className="flex flex-wrap items-center gap-x-8 gap-y-4">
      <svg
        viewBox={`0 0 ${size} ${size}`}
        className="mx-auto size-44 shrink-0"
        role="img"
        aria-label={`${title}\u00a0: ${slices.map(({ name, part }) => `${name} ${share(part)}`).join(', ')}`}
        focusable="false"
      >
        {slices.map(({ key, name, from, part, colour }) => (
          <path
            key={key}
            className={`stroke-surface ${fills[colour]}`}
            strokeWidth="2"
            d={ringPart(from, part)}
          >
            <title>{`${name}\u00a0: ${share(part)}`}</title>
          </path>
        ))}
      </svg>
      <ul data-legend className="min-w-48 flex-1 divide-y divide-line">
        {slices.map(({ key, name, label, href, value, part, colour }) => (
          <li key={key} className="flex flex-wrap items-center gap-x-2 py-1.5">
            <span className={`size-2.5 shrink-0 rounded-full ${backgrounds[colour]}`} aria-hidden />
            <span className="min-w-24 flex-1" title={label === name ? undefined : name}>
              {key === others && renderOthers ? renderOthers(label) : href ? renderLink(href, label) : label}
            </span>
            <span className="font-medium whitespace-nowrap">{formatValue(value)}</span>
            <span className="ml-auto min-w-12 text-right whitespace-nowrap text-ink-soft">{share(part)}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}

function plainLink(href: string, children: ReactNode) {
  return (
    <a href={href} className="hover:underline">
      {children}
    </a>
  )
}

function share(part: number): string {
  return formatPercent(part * 100, false)
}

// Returns the path of a part of a ring, clockwise from the top; a whole ring has no seam.
function ringPart(from: number, part: number): string {
  if (part > 0.9999) return `${circle(radius, 1)}${circle(hole, 0)}`
  const to = from + part
  const large = to - from > 0.5 ? 1 : 0
  const at = (turn: number, r: number) => {
    const angle = 2 * Math.PI * turn - Math.PI / 2
    return `${(radius + r * Math.cos(angle)).toFixed(2)} ${(radius + r * Math.sin(angle)).toFixed(2)}`
  }
  return `M${at(from, radius)}A${radius} ${radius} 0 ${large} 1 ${at(to, radius)}L${at(to, hole)}A${hole} ${hole} 0 ${large} 0 ${at(from, hole)}Z`
}

/**
 * Returns the path of a circle.
 *
 * @param sweep direction: a circle inside another one in the opposite direction is a hole in it
 */
function circle(r: number, sweep: 0 | 1): string {
  const half = (y: number) => `A${r} ${r} 0 1 ${sweep} ${radius} ${y.toFixed(2)}`
  return `M${radius} ${(radius - r).toFixed(2)}${half(radius + r)}${half(radius - r)}Z`
}
