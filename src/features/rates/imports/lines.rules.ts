import { exchangeRates } from '#features/rates/rates.contract.ts'
import type { Layout, TableKind } from '#shared/csv/layout.ts'

/** A file of rates: our own export, or any table with a day and a rate. */
export const rateTable: TableKind = {
  name: 'un fichier de taux',
  titled: 'Jour, Taux, Source',
  formats: [
    {
      name: 'ours',
      isFrench: true,
      isGuarded: true,
      columns: [
        { key: 'day', titles: ['Jour', 'Date', 'day'], isRequired: true },
        {
          key: 'cdfPerUsd',
          titles: [
            'Taux',
            'Francs pour un dollar',
            'Taux CDF/USD',
            'cdfPerUsd',
            'cdf_per_usd',
            'rate',
            'CDF',
          ],
          isRequired: true,
        },
        { key: 'source', titles: ['Source'], isRequired: false },
      ],
    },
  ],
  fewestTitles: 2,
}

type RateLine = { day: string; cdf_per_usd: number; source: string | null }

const frenchDay = /^(\d{2})\/(\d{2})\/(\d{4})$/

/** The rate of a line, by the rules of the form, or the French sentence that refuses it. */
export function readRateLine(
  layout: Layout,
  cells: readonly string[],
): { value: RateLine } | { reason: string } {
  const cell = (key: string) => (cells[layout.columns.get(key) ?? -1] ?? '').trim()
  const parsed = exchangeRates.input.safeParse({
    day: cell('day').replace(frenchDay, '$3-$2-$1'),
    cdfPerUsd: cell('cdfPerUsd'),
    source: cell('source'),
  })
  if (parsed.success) {
    const { day, cdfPerUsd, source } = parsed.data
    return { value: { day, cdf_per_usd: cdfPerUsd, source: source ?? null } }
  }
  const [issue] = parsed.error.issues
  const title = { day: 'Jour', cdfPerUsd: 'Taux', source: 'Source' }[String(issue?.path[0])] ?? ''
  return { reason: `${title}\u00a0: ${issue?.message ?? ''}.` }
}
