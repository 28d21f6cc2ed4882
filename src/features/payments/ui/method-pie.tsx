import { type PaymentMethod, paymentMethods } from '#features/payments/payments.contract.ts'
import { formatMoney, formatPercent } from '#web/format.ts'
import { ChartFrame, type ChartFrameProps } from '#web/ui/charts/chart-frame.tsx'
import { fills, grounds } from '#web/ui/charts/series-colours.ts'

type Share = { method: PaymentMethod; count: number; amount: number }

const size = 176
const radius = size / 2
const hole = radius * 0.6

/** What share of the amounts came by each method: three of them, each written beside its name. */
export function MethodPie({ shares, ...frame }: ChartFrameProps & { shares: readonly Share[] }) {
  const total = shares.reduce((sum, { amount }) => sum + amount, 0)
  const slices = shares.map((share, index) => {
    const before = shares.slice(0, index).reduce((sum, { amount }) => sum + amount, 0)
    return { ...share, index, part: share.amount / total, from: before / total }
  })
  return (
    <ChartFrame
      {...frame}
      isEmpty={total === 0}
      placeholder="h-50"
      makeTable={() => ({
        columns: ['Moyen', 'Montant ($US)', 'Paiements', 'Part (%)'],
        rows: slices.map(({ method, amount, count, part }) => [
          paymentMethods[method],
          amount,
          count,
          Math.round(part * 1000) / 10,
        ]),
        texts: (cell, column) => (column === 1 ? formatMoney(Number(cell), 'USD') : String(cell)),
      })}
    >
      <div className="flex flex-wrap items-center gap-x-8 gap-y-4">
        <svg
          viewBox={`0 0 ${size} ${size}`}
          className="mx-auto size-44 shrink-0"
          aria-hidden="true"
          focusable="false"
        >
          {slices.map(({ method, index, from, part }) => (
            <path
              key={method}
              className={`stroke-surface ${fills[index % fills.length]}`}
              strokeWidth="2"
              d={ringPart(from, part)}
            />
          ))}
        </svg>
        <ul data-legend className="min-w-48 flex-1 divide-y divide-line">
          {slices.map(({ method, index, amount, part }) => (
            <li key={method} className="flex items-center gap-2.5 py-1.5">
              <span
                className={`size-2.5 shrink-0 rounded-full ${grounds[index % grounds.length]}`}
                aria-hidden
              />
              <span className="min-w-0 flex-1">{paymentMethods[method]}</span>
              <span className="font-medium">{formatMoney(amount, 'USD')}</span>
              <span className="w-14 text-right text-ink-soft">{formatPercent(part * 100, false)}</span>
            </li>
          ))}
        </ul>
      </div>
    </ChartFrame>
  )
}

// A part of a ring, from the top and clockwise; a whole one stops short of its start, or nothing would be drawn.
function ringPart(from: number, part: number): string {
  const to = from + Math.min(part, 0.9999)
  const large = to - from > 0.5 ? 1 : 0
  const at = (turn: number, r: number) => {
    const angle = 2 * Math.PI * turn - Math.PI / 2
    return `${(radius + r * Math.cos(angle)).toFixed(2)} ${(radius + r * Math.sin(angle)).toFixed(2)}`
  }
  return `M${at(from, radius)}A${radius} ${radius} 0 ${large} 1 ${at(to, radius)}L${at(to, hole)}A${hole} ${hole} 0 ${large} 0 ${at(from, hole)}Z`
}
