import type { PriceSummary } from '#features/figures/summary/summary.contract.ts'
import { type PeriodName, periodDays } from '#features/statistics/statistics.contract.ts'
import { addDays, lengthInDays } from '#shared/days.ts'
import { groupBy } from '#shared/group-by.ts'

export type Days = { startDate?: string | undefined; endDate?: string | undefined }
/** In the format of the API. */
export type ComparedDays = {
  startDate: string
  endDate: string
  previous: { startDate: string; endDate: string }
}

/**
 * Resolves the days of a query: its own days, else those of its named period, up to today.
 *
 * @param today `yyyy-mm-dd`
 */
export function withDays<Query extends Days & { period?: PeriodName | undefined }>(
  { period, ...query }: Query,
  today: string,
): Omit<Query, 'period'> {
  if (query.startDate !== undefined || query.endDate !== undefined || period === undefined) return query
  return { ...query, startDate: addDays(today, 1 - periodDays[period]), endDate: today }
}

/**
 * Returns the elapsed part of a period and the period of the same length just before; null where it has no first day.
 */
export function comparedDaysOf({ startDate, endDate }: Days, today: string): ComparedDays | null {
  if (startDate === undefined) return null
  const end = endDate ?? (startDate > today ? startDate : today)
  const passed = startDate <= today && today < end ? today : end
  const length = lengthInDays({ start: startDate, end: passed })
  const previous = { startDate: addDays(startDate, -length), endDate: addDays(startDate, -1) }
  return { startDate, endDate: end, previous }
}

/** Compares a count with the previous one; `before` is null where there is none. */
export function countChange(now: number, before: number | null) {
  return { change: percentChange(now, before), difference: before === null ? null : now - before }
}

/** Returns the change of a count in percent; null where the previous count is zero or missing. */
function percentChange(now: number, before: number | null): number | null {
  if (before === null || before === 0) return null
  const change = (100 * (now - before)) / before
  return Number.isFinite(change) ? change : null
}

/** Returns the counts of prices by currency of collection, including the prices in dollars without a rate. */
export function collectedByCurrency({
  currencyDistribution,
  excluded,
}: Pick<PriceSummary, 'currencyDistribution' | 'excluded'>): PriceSummary['currencyDistribution'] {
  const counts = new Map(currencyDistribution.map(({ currency, count }) => [currency, count]))
  if (excluded > 0) counts.set('USD', (counts.get('USD') ?? 0) + excluded)
  return [...counts].map(([currency, count]) => ({ currency, count }))
}

/** Makes the names of rows unique: rows with the same name get a distinguishing detail before it. */
export function namedApart<Row extends { name: string }>(
  rows: readonly Row[],
  detailOf: (row: Row) => string,
): Row[] {
  const called = groupBy(rows, ({ name }) => name)
  return rows.map((row) =>
    called.get(row.name)?.length === 1 ? row : { ...row, name: `${detailOf(row)}, ${row.name}` },
  )
}

type Catalogue = Partial<Record<'productId' | 'categoryId' | 'brandId', number | undefined>>

/** Returns the address of the list of products that match the filters on products. */
export function productsListed({ productId, ...filters }: Catalogue & { branded?: 'false' }): string {
  if (productId !== undefined) return `/products/detail/${productId}`
  const chosen = Object.entries(filters).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  )
  return chosen.length === 0 ? '/products' : `/products?${new URLSearchParams(chosen)}`
}

/**
 * Returns the addresses of the lists of categories, brands and types; null where only those of some products are
 * counted, which no list shows.
 */
export function shelvesListed({ productId, categoryId, brandId }: Catalogue) {
  const isWhole = productId === undefined && categoryId === undefined && brandId === undefined
  const whole = (path: string) => (isWhole ? path : null)
  return {
    categories: whole('/categories'),
    brands: whole('/brands'),
    productTypes: whole('/products?tab=types'),
  }
}

type Counted = { id: number; name: string; count: number }
/** `href` is null where no list shows exactly these rows. */
type Listed = { key: string; name: string; count: number; href: string | null }

/** Returns categories with the address of the list of their products that match the filters. */
export function categoriesListed(
  categories: readonly Counted[],
  { productId, brandId }: Catalogue,
): Listed[] {
  return categories.map(({ id, name, count }) => ({
    key: String(id),
    name,
    count,
    href: productsListed({ productId, brandId, categoryId: id }),
  }))
}

/** Does the same for brands, with a row for the remaining brands and one for products without a brand. */
export function brandsListed(
  { data, others, unbranded }: { data: readonly Counted[]; others: number; unbranded: number },
  { productId, categoryId }: Catalogue,
): Listed[] {
  const chosen = { productId, categoryId }
  return [
    ...data.map(({ id, name, count }) => ({
      key: String(id),
      name,
      count,
      href: productsListed({ ...chosen, brandId: id }),
    })),
    { key: 'beyond', name: 'Marques suivantes', count: others, href: null },
    {
      key: 'none',
      name: 'Sans marque',
      count: unbranded,
      href: productsListed({ ...chosen, branded: 'false' }),
    },
  ].filter(({ count }) => count > 0)
}
