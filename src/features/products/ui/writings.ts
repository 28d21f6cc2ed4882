import { productWritings } from '#features/products/products.contract.ts'
import { useAnswer } from '#web/query.ts'

/** The origins and formats that products already have, so that one thing is not written in two ways. */
export function useWritings(): { origins: readonly string[]; formats: readonly string[] } {
  return useAnswer(productWritings, {}).data ?? { origins: [], formats: [] }
}
