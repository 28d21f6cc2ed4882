import { type PaymentMethod, paymentMethods } from '#features/payments/payments.contract.ts'
import { formatMoney } from '#web/format.ts'
import { ChartFrame, type ChartFrameProps } from '#web/ui/charts/chart-frame.tsx'
import { PiePlot } from '#web/ui/charts/pie-plot.view.tsx'
import { pieSlices } from '#web/ui/charts/pie-slices.ts'

type Share = { method: PaymentMethod; count: number; amount: number }

const inDollars = (amount: number) => formatMoney(amount, 'USD')

/** The share of the amounts by payment method, each slice with its name. */
export function MethodPie({ shares, ...frame }: ChartFrameProps & { shares: readonly Share[] }) {
  const slices = pieSlices(
    shares.map(({ method, amount }) => ({ key: method, name: paymentMethods[method], value: amount })),
  )
  const total = shares.reduce((sum, { amount }) => sum + amount, 0)
  return (
    <ChartFrame
      {...frame}
      source={{ count: shares.reduce((sum, { count }) => sum + count, 0) }}
      isEmpty={slices.length === 0}
      placeholder="h-50"
      makeTable={() => ({
        columns: ['Moyen', 'Montant ($US)', 'Paiements', 'Part (%)'],
        rows: shares.map(({ method, amount, count }) => [
          paymentMethods[method],
          amount,
          count,
          Math.round((amount / total) * 1000) / 10,
        ]),
        texts: (cell, column) => (column === 1 ? inDollars(Number(cell)) : String(cell)),
      })}
    >
      <PiePlot title={frame.title} slices={slices} formatValue={inDollars} />
    </ChartFrame>
  )
}
