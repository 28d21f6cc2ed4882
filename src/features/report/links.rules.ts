import { productsListed, shelvesListed } from '#features/statistics/statistics.rules.ts'
import { addDays } from '#shared/days.ts'

/** Where what the figures of a report rest on is listed. */
export type Links = {
  /** Their prices; of some of them, what chooses these. */
  prices: (more?: Record<string, string | number>) => string
  /** A path of the program. */
  at: (path: string) => string
  /** Where accounts are listed; null for users who may not see them. */
  users: string | null
  chosen: Parameters<typeof productsListed>[0] & {
    marketId?: number | undefined
    endDate?: string | undefined
  }
}

/** Rows with the whole address of their path. */
export function inProgram<Row extends { href: string | null }>(rows: readonly Row[], links: Links): Row[] {
  return rows.map((row) => ({ ...row, href: row.href && links.at(row.href) }))
}

/** Where what is registered is listed, as far as the selection chooses. */
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

/** The Sunday of a week, or the last day that figures are about. */
export function lastDayOf(monday: string, { chosen: { endDate } }: Links): string {
  const sunday = addDays(monday, 6)
  return endDate !== undefined && endDate < sunday ? endDate : sunday
}
