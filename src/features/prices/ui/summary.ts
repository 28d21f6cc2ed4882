import { useMemo } from 'react'
import { summaryAddress } from '#features/figures/summary/summary.addresses.ts'
import type { PriceSummary, summarisePrices } from '#features/figures/summary/summary.contract.ts'
import { averagesOf } from '#features/figures/summary/summary.rules.ts'
import type { QueryOf } from '#shared/contract.ts'
import { useAnswer } from '#web/query.ts'

/** Returns the figures of a selection; the previous ones stay while they load. */
export function useSummary(query: Partial<QueryOf<typeof summarisePrices>>) {
  return useAnswer<typeof summarisePrices>(summaryAddress, { query }, { keepsPrevious: true })
}

/** The average of each day, in francs, as charts draw it. */
export function useAverages(summary: PriceSummary | undefined) {
  const days = summary?.dailyPrices
  return useMemo(() => [{ key: 'average', label: 'Prix moyen', points: averagesOf(days ?? []) }], [days])
}
