import type { PriceSummary } from '#features/figures/summary/summary.contract.ts'
import { dayInFrench, dayInKinshasa } from '#shared/days.ts'
import type { DrawnReport } from '#shared/drawing.ts'
import { moneyText } from '#shared/money.ts'
import { smallCurve } from '#shared/small-curve.ts'

export const mostShares = 500

/** The figures of a series on a shared page; no single prices. */
export type SharedFigures = {
  product: { id: number; name: string; weight: string }
  market: { id: number; name: string; location: string }
  last: { price: number; currency: string; day: string } | null
  /** Changes over 30 days and a year. */
  month: SharedChange
  year: SharedChange
  /** The mean of each day of the last year, in CDF. */
  points: { date: string; value: number }[]
  /** Quotes of the last year. */
  count: number
  /** Prices of other markets in the last 14 days, in CDF. */
  elsewhere: { lowest: number; highest: number; markets: number } | null
  madeAt: string
}
export type SharedChange = { change: PriceSummary['change']; trend: PriceSummary['priceTrend'] }

/** The address of a chart in the application, which opens with the same query. */
export type ChartAddress = {
  path: string
  /** The whole query of the page: `a=b&c=d`. */
  search: string
  /** The query of the public page; absent when it is the same as `search`. */
  publicSearch?: string
}

/** Builds a query string, without absent parameters. */
export function searchOf(given: Record<string, string | number | undefined>): string {
  return new URLSearchParams(
    Object.entries(given).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, String(value)]],
    ),
  ).toString()
}

/** Returns the series of the address of a page; null for other pages. */
export function seriesOfPath(path: string): { productId: number; marketId: number } | null {
  const [, productId, marketId] = /^\/series\/(\d{1,9})\/(\d{1,9})$/.exec(path) ?? []
  return productId && marketId ? { productId: Number(productId), marketId: Number(marketId) } : null
}

const percents = new Intl.NumberFormat('fr-FR', {
  style: 'percent',
  maximumFractionDigits: 1,
  minimumFractionDigits: 1,
  signDisplay: 'exceptZero',
})
const counts = new Intl.NumberFormat('fr-FR')

/** Builds the preview picture of a shared series. Its line is cut where there is no price for 14 days. */
export function pictureOf(
  { product, market, last, month, points, count, madeAt }: SharedFigures,
  isFrozen: boolean,
) {
  const made = dayInFrench(dayInKinshasa(madeAt))
  return {
    title: `${product.name}, ${product.weight} à ${market.name}, ${market.location}`,
    figure: last ? moneyText(last.price, last.currency) : 'Aucun prix',
    note: last ? `relevé le ${dayInFrench(last.day)}` : '',
    change: month.change && {
      text:
        month.trend === 'stable'
          ? 'stable en 30 jours'
          : `${percents.format(month.change.value)} en 30\u00a0jours`,
      tone:
        month.trend === 'up'
          ? ('rise' as const)
          : month.trend === 'down'
            ? ('fall' as const)
            : ('none' as const),
    },
    course: smallCurve(points)?.segments ?? [],
    source: `Ntalo, ${counts.format(count)}\u00a0${count < 2 ? 'relevé' : 'relevés'} en un an. ${isFrozen ? 'Chiffres figés le' : 'Chiffres du'} ${made}.`,
  }
}

/** Builds the preview picture of a page: its first line chart, and the last value of it. */
export function pictureOfPage({ title, sections, madeAt }: DrawnReport, isFrozen: boolean) {
  const drawn = sections.find(({ drawn }) => drawn === 'line' || drawn === 'weeks')
  const [line] = drawn ? (drawn.lines ?? [{ name: '', rows: drawn.rows }]) : []
  const points = (line?.rows ?? []).flatMap(({ name, value }) =>
    value === null ? [] : [{ date: name, value }],
  )
  const last = points.at(-1)
  const map = sections.find(({ drawn }) => drawn === 'picture')
  const highest = map && highestOf(map)
  const value =
    last && drawn?.unit === 'FC'
      ? moneyText(last.value, 'CDF')
      : last && drawn?.unit === '$US'
        ? moneyText(last.value, 'USD')
        : last && drawn
          ? inTenths.format(last.value)
          : (highest?.text ?? '')
  const day = madeAt ? ` le ${dayInFrench(dayInKinshasa(madeAt))}` : ''
  return {
    title,
    figure: value,
    note: last
      ? [line?.name, `${drawn?.drawn === 'weeks' ? 'indice, semaine du' : 'le'} ${dayInFrench(last.date)}`]
          .filter(Boolean)
          .join(', ')
      : highest
        ? `${highest.name}, ${map?.unit === '%' ? 'la plus forte variation' : 'le plus cher'}`
        : '',
    change: null,
    course: smallCurve(points)?.segments ?? [],
    source: isFrozen
      ? `Ntalo. Chiffres figés${day}.`
      : 'Ntalo. Chiffres du jour, avec leur source et leur méthode.',
  }
}

/** Returns the row with the highest value, or the strongest change; a faint one only when all are. */
function highestOf({ rows, unit }: Pick<DrawnReport['sections'][number], 'rows' | 'unit'>) {
  const sizeOf = (value: number) => (unit === '%' ? Math.abs(value) : value)
  const known = rows.flatMap((row) => (row.value === null ? [] : [{ ...row, size: sizeOf(row.value) }]))
  const sound = known.filter(({ isFaint }) => !isFaint)
  return (sound.length > 0 ? sound : known).toSorted((a, b) => b.size - a.size)[0]
}

const inTenths = new Intl.NumberFormat('fr-FR', { maximumFractionDigits: 1 })
