import type { StoredReport } from '#features/imports/imports.contract.ts'

type Told = { reason: string; foreignCurrency?: string }

const mostReasons = 50
const mostCurrencies = 20

/** Counts why rows are rejected, in a bounded memory: reasons beyond the first fifty are not told one by one. */
export function rejectionCounts() {
  const reasons = new Map<string, number>()
  const currencies = new Map<string, number>()
  return {
    take({ reason, foreignCurrency }: Told): void {
      count(reasons, reason, mostReasons)
      if (foreignCurrency) count(currencies, foreignCurrency, mostCurrencies)
    },
    report: (): Pick<StoredReport, 'reasons' | 'currencies'> => ({
      reasons: byCount(reasons).map(([message, count]) => ({ message, count })),
      currencies: byCount(currencies).map(([code, count]) => ({ code, count })),
    }),
  }
}

function count(counts: Map<string, number>, key: string, most: number): void {
  const known = counts.get(key)
  if (known !== undefined || counts.size < most) counts.set(key, (known ?? 0) + 1)
}

function byCount(counts: Map<string, number>): [string, number][] {
  return [...counts].toSorted(([, a], [, b]) => b - a)
}
