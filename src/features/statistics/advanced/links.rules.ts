import { productsListed } from '#features/statistics/statistics.rules.ts'

/** Where what the figures of a report rest on is listed. */
export type Links = {
  /** Their prices; of some of them, what chooses these. */
  prices: (more?: Record<string, string | number>) => string
  /** A path of the program. */
  at: (path: string) => string
  chosen: Parameters<typeof productsListed>[0] & {
    marketId?: number | undefined
    endDate?: string | undefined
  }
}

/** Rows with the whole address of their path. */
export function inProgram<Row extends { href: string }>(rows: readonly Row[], links: Links): Row[] {
  return rows.map((row) => ({ ...row, href: links.at(row.href) }))
}

/** Where what is registered is listed, as far as the selection chooses. */
export function hrefsOf({ at, chosen: { productId, categoryId, brandId, marketId } }: Links) {
  const isWhole = productId === undefined && categoryId === undefined && brandId === undefined
  const products = at(productsListed({ productId, categoryId, brandId }))
  return {
    products,
    markets: at(marketId === undefined ? '/markets' : `/markets/${marketId}`),
    users: at('/users'),
    // Those of some products, which say theirs.
    categories: isWhole ? at('/categories') : products,
    brands: isWhole ? at('/brands') : products,
    types: isWhole ? at('/products?tab=types') : products,
  }
}

/** The Sunday of a week, or the last day that figures are about. */
export function lastDayOf(monday: string, { chosen: { endDate } }: Links): string {
  const sunday = new Date(Date.parse(monday) + 6 * 86_400_000).toISOString().slice(0, 10)
  return endDate !== undefined && endDate < sunday ? endDate : sunday
}
