import type { NamesOf, PriceFilter } from '#features/figures/filters/filters.contract.ts'

/**
 * A filter of prices in ids, which cells can answer. An absent property does not restrict; an empty list of ids matches
 * nothing.
 */
export type CellFilter = Partial<Pick<PriceFilter, NamesOf<'cells'>>> & {
  productIds?: readonly number[] | undefined
  marketIds?: readonly number[] | undefined
  /**
   * Products to exclude, used only when none are chosen, since the rollups of days and of markets contain all products.
   */
  otherProductIds?: readonly number[] | undefined
}
