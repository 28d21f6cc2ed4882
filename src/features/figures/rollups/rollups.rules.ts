import type { NamesOf, PriceFilter } from '#features/figures/filters/filters.contract.ts'

/** A filter of prices in ids, as cells answer it. What is absent does not restrict; an empty list of ids means no price at all. */
export type CellFilter = Partial<Pick<PriceFilter, NamesOf<'cells'>>> & {
  productIds?: readonly number[] | undefined
  marketIds?: readonly number[] | undefined
  /** Products that are not meant, where none are chosen: rollups of days and of markets hold them too. */
  otherProductIds?: readonly number[] | undefined
}
