import type { PriceSummary } from '#features/figures/summary/summary.contract.ts'
import { type PeriodName, periodDays } from '#features/statistics/statistics.contract.ts'
import { addDays, lengthInDays } from '#shared/days.ts'

export type Days = { startDate?: string | undefined; endDate?: string | undefined }
/** As the API shows it. */
export type ComparedDays = {
  startDate: string
  endDate: string
  previous: { startDate: string; endDate: string }
}

/**
 * A query with the days that it means: those it says, else those of the period it names, up to today.
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

/** A period and the one just before, as long as what has passed of it; null where it has no first day. */
export function comparedDaysOf({ startDate, endDate }: Days, today: string): ComparedDays | null {
  if (startDate === undefined) return null
  const end = endDate ?? (startDate > today ? startDate : today)
  const passed = startDate <= today && today < end ? today : end
  const length = lengthInDays({ start: startDate, end: passed })
  const previous = { startDate: addDays(startDate, -length), endDate: addDays(startDate, -1) }
  return { startDate, endDate: end, previous }
}

/** How far a count is from the one before, `before` being null where there is none to compare with. */
export function countChange(now: number, before: number | null) {
  return { change: percentChange(now, before), difference: before === null ? null : now - before }
}

/** How far a count is from the one before, in percent; null where that was zero, or is missing. */
export function percentChange(now: number, before: number | null): number | null {
  if (before === null || before === 0) return null
  const change = (100 * (now - before)) / before
  return Number.isFinite(change) ? change : null
}

/** In which currencies prices were collected: those in dollars that no rate converts are some of them. */
export function collectedByCurrency({
  currencyDistribution,
  excluded,
}: Pick<PriceSummary, 'currencyDistribution' | 'excluded'>): PriceSummary['currencyDistribution'] {
  const counts = new Map(currencyDistribution.map(({ currency, count }) => [currency, count]))
  if (excluded > 0) counts.set('USD', (counts.get('USD') ?? 0) + excluded)
  return [...counts].map(([currency, count]) => ({ currency, count }))
}

/** Rows with names of their own: of several that are called the same, what tells them apart stands before the name. */
export function namedApart<Row extends { name: string }>(
  rows: readonly Row[],
  detailOf: (row: Row) => string,
): Row[] {
  const called = Map.groupBy(rows, ({ name }) => name)
  return rows.map((row) =>
    called.get(row.name)?.length === 1 ? row : { ...row, name: `${detailOf(row)}, ${row.name}` },
  )
}

type Catalogue = Partial<Record<'productId' | 'categoryId' | 'brandId', number | undefined>>

/** Where the products of the catalogue that filters choose are listed. */
export function productsListed({ productId, ...filters }: Catalogue & { branded?: 'false' }): string {
  if (productId !== undefined) return `/products/detail/${productId}`
  const chosen = Object.entries(filters).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  )
  return chosen.length === 0 ? '/products' : `/products?${new URLSearchParams(chosen)}`
}

/** Where the categories, brands and types that are counted are listed: those of some products alone are nowhere. */
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
/** `href` is null where no list has just those. */
type Listed = { key: string; name: string; count: number; href: string | null }

/** Categories with where their products are listed, as far as product, category and brand choose. */
export function categoriesListed(
  categories: readonly Counted[],
  { productId, brandId }: Catalogue,
): Listed[] {
  return categories.map(({ id, name, count }) => ({
    ...{ key: String(id), name, count },
    href: productsListed({ productId, brandId, categoryId: id }),
  }))
}

/** Brands likewise, with those beyond the first, and with the products that have none. */
export function brandsListed(
  { data, others, unbranded }: { data: readonly Counted[]; others: number; unbranded: number },
  { productId, categoryId }: Catalogue,
): Listed[] {
  const chosen = { productId, categoryId }
  return [
    ...data.map(({ id, name, count }) => ({
      ...{ key: String(id), name, count },
      href: productsListed({ ...chosen, brandId: id }),
    })),
    { key: 'beyond', name: 'Marques suivantes', count: others, href: null },
    {
      ...{ key: 'none', name: 'Sans marque', count: unbranded },
      href: productsListed({ ...chosen, branded: 'false' }),
    },
  ].filter(({ count }) => count > 0)
}
