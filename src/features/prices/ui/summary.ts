import { useMemo } from 'react'
import { priceAddresses } from '#features/prices/prices.addresses.ts'
import type { PriceSummary, summarisePrices } from '#features/prices/summary/summary.contract.ts'
import type { QueryOf } from '#shared/contract.ts'
import { useAnswer } from '#web/query.ts'

/** The figures of a selection; those of the one before stay while they come. */
export function useSummary(query: Partial<QueryOf<typeof summarisePrices>>) {
  return useAnswer<typeof summarisePrices>(priceAddresses.summary, { query }, { keepsPrevious: true })
}

/** The average of each day, in francs, as charts draw it; hollow where it rests on fewer prices than a third of the usual. */
export function useAverages(summary: PriceSummary | undefined) {
  const days = summary?.dailyPrices
  const usual = useMemo(() => medianOf((days ?? []).map(({ count }) => count)), [days])
  return useMemo(
    () => [
      {
        key: 'average',
        label: 'Prix moyen',
        points: (days ?? []).map(({ date, averagePrice, count }) => ({
          date,
          value: averagePrice,
          count,
          thin: count < usual / 3,
        })),
      },
    ],
    [days, usual],
  )
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0
}
