import { productsListed, shelvesListed } from '#features/statistics/statistics.rules.ts'
import { addDays } from '#shared/days.ts'

/** Addresses of the lists of rows behind the figures of a report. */
export type Links = {
  /** Returns the address of the list of its prices, with additional filters if given. */
  prices: (more?: Record<string, string | number>) => string
  /** Returns the full address of a path of the application. */
  at: (path: string) => string
  /** The address of the list of accounts; null for users who may not see them. */
  users: string | null
  chosen: Parameters<typeof productsListed>[0] & {
    marketId?: number | undefined
    endDate?: string | undefined
  }
}

/** Completes the paths of rows to full addresses. */
export function inProgram<Row extends { href: string | null }>(rows: readonly Row[], links: Links): Row[] {
  return rows.map((row) => ({ ...row, href: row.href && links.at(row.href) }))
}

/** Returns the addresses of the lists of products, markets, categories, brands and types that match the selection. */
export function hrefsOf({ at, users, chosen: { productId, categoryId, brandId, marketId } }: Links) {
  const products = { productId, categoryId, brandId }
  const { categories, brands, productTypes } = shelvesListed(products)
  return {
    products: at(productsListed(products)),
    markets: at(marketId === undefined ? '/markets' : `/markets/${marketId}`),
    users,
    categories: categories && at(categories),
    brands: brands && at(brands),
    productTypes: productTypes && at(productTypes),
  }
}

/** Returns the Sunday of a week, or the last day of the figures if that is earlier. */
export function lastDayOf(monday: string, { chosen: { endDate } }: Links): string {
  const sunday = addDays(monday, 6)
  return endDate !== undefined && endDate < sunday ? endDate : sunday
}
