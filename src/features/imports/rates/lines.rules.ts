import { lowerFirst } from '#features/imports/created.rules.ts'
import { exchangeRates } from '#features/rates/rates.contract.ts'
import { decimalOf, readAmount, settledAmount } from '#shared/amounts.ts'
import type { Layout, TableKind } from '#shared/csv/layout.ts'
import type { TableRow } from '#shared/csv/table.ts'

/** The format of a file of rates: our own export, or any table with a day and a rate. */
export const rateTable: TableKind = {
  name: 'un fichier de taux',
  titled: 'Jour, Taux, Source',
  formats: [
    {
      name: 'ours',
      isFrench: true,
      isGuarded: true,
      columns: [
        {
          key: 'day',
          titles: ['Jour', 'Date', 'day', 'Période', 'period', 'Date du taux'],
          isRequired: true,
        },
        {
          key: 'cdfPerUsd',
          titles: [
            'Taux',
            'Francs pour un dollar',
            'Taux CDF/USD',
            'Taux de change',
            'Taux du jour',
            'Taux indicatif',
            'Taux parallèle',
            'Cours',
            'Cours indicatif',
            'Cours moyen',
            'Cours CDF/USD',
            'Cours indicatif CDF/USD',
            'CDF/USD',
            'USD/CDF',
            'cdfPerUsd',
            'cdf_per_usd',
            'exchange_rate',
            'rate',
            'CDF',
            'USD',
          ],
          isRequired: true,
        },
        { key: 'source', titles: ['Source'], isRequired: false },
      ],
    },
  ],
  fewestTitles: 2,
}

type RateBatch = { layout: Layout; rows: readonly TableRow[] }

type RateLine = { day: string; cdf_per_usd: number; source: string | null }

const frenchDay = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})$/

/** Returns the rate cells of a file. */
function rateCells(batches: readonly RateBatch[]): string[] {
  return batches.flatMap(({ layout, rows }) => {
    const at = layout.columns.get('cdfPerUsd') ?? -1
    return rows.flatMap((row) => ('cells' in row ? (row.cells[at] ?? '') : []))
  })
}

/**
 * Returns the decimal mark of the ambiguous rates of a file (`2,844`): the one that its other rates show, else the one
 * that brings them near an unambiguous rate of the file, or near the last stored rate; null if undecided.
 */
export function decimalOfRates(batches: readonly RateBatch[], last: number | null): ',' | '.' | null {
  const cells = rateCells(batches)
  const shown = decimalOf(cells)
  if (shown) return shown
  const readings = cells.flatMap((cell) => readAmount(cell) ?? [])
  const near = readings.flatMap(({ plain }) => (plain === null ? [] : Number(plain)))[0] ?? last
  const votes = { ',': 0, '.': 0 }
  for (const reading of readings) {
    if (reading.plain !== null || !near) continue
    const distance = (plain: string) => Math.abs(Math.log(Number(plain) / near))
    const [comma, point] = [distance(reading.withComma), distance(reading.withPoint)]
    if (Math.min(comma, point) < Math.log(10)) votes[comma < point ? ',' : '.'] += 1
  }
  if (votes[','] > 0 === votes['.'] > 0) return null
  return votes[','] > 0 ? ',' : '.'
}

const contradictoryDates =
  'Jour\u00a0: les dates du fichier se contredisent, le jour vient tantôt d’abord, tantôt après le mois. Écrivez-les sous la forme aaaa-mm-jj.'

// A computed rate is truncated to six decimals.
const millionths = /(\.\d{6})\d+$/

type ReadLine = { value: RateLine } | { reason: string }

const slashed = /^(\d{1,2})\/(\d{1,2})\/\d{4}$/

/** The order of slashed dates, if all unambiguous ones agree; day first if there is none. */
export type RateDateOrder = 'day' | 'month' | 'contradictory'

/** Returns the order of the dates of a file, and the note for the report; a number above 12 is not a month. */
export function orderOfDates(batches: Iterable<RateBatch>): {
  order: RateDateOrder
  notes: string[]
} {
  const seen = { day: false, month: false, any: false }
  for (const { layout, rows } of batches) {
    const at = layout.columns.get('day') ?? -1
    for (const row of rows) {
      const [, first, second] = ('cells' in row && slashed.exec(row.cells[at]?.trim() ?? '')) || []
      seen.any ||= first !== undefined
      seen.day ||= Number(first) > 12
      seen.month ||= Number(second) > 12
    }
  }
  if (!seen.any) return { order: 'day', notes: [] }
  if (seen.day && seen.month) return { order: 'contradictory', notes: [] }
  if (seen.month)
    return { order: 'month', notes: ['Dates lues comme mm/jj/aaaa\u00a0: toute la colonne va dans ce sens.'] }
  return {
    order: 'day',
    notes: [
      seen.day
        ? 'Dates lues comme jj/mm/aaaa\u00a0: toute la colonne va dans ce sens.'
        : 'Dates lues comme jj/mm/aaaa\u00a0: vérifiez-le, aucune ne dit si le jour ou le mois vient d’abord.',
    ],
  }
}

/** Reads the lines of one file in order. If a day has two rates the first one counts, and the other is rejected. */
export function rateReader(
  order: RateDateOrder,
  decimal: ',' | '.' | null,
): (layout: Layout, row: { line: number; cells: readonly string[] }) => ReadLine {
  const rates = new Map<string, { rate: number; line: number }>()
  return (layout, { line, cells }) => {
    const read = readLine(layout, cells, order, decimal)
    if ('reason' in read) return read
    const { day, cdf_per_usd: rate } = read.value
    const before = rates.get(day)
    if (!before) rates.set(day, { rate, line })
    return !before || before.rate === rate ? read : { reason: contradiction(before) }
  }
}

function contradiction({ rate, line }: { rate: number; line: number }): string {
  const first = `${String(rate).replace('.', ',')}\u00a0FC, ligne ${line}`
  return `Taux\u00a0: le fichier en donne déjà un autre pour ce jour («\u202f${first}\u202f»), qui seul compte. Gardez l’un des deux.`
}

/** Returns the rate of a line, with the validation of the form, or the French sentence that rejects it. */
function readLine(
  layout: Layout,
  cells: readonly string[],
  order: RateDateOrder,
  decimal: ',' | '.' | null,
): ReadLine {
  const cell = (key: string) => (cells[layout.columns.get(key) ?? -1] ?? '').trim()
  // NOW() in a workbook includes a time.
  const day = cell('day').replace(/[T ]\d{1,2}:\d{2}.*$/, '')
  if (order === 'contradictory' && slashed.test(day)) return { reason: contradictoryDates }
  const swapped =
    order === 'month' ? day.replace(slashed, (date) => date.replace(/^(\d+)\/(\d+)/, '$2/$1')) : day
  const parsed = exchangeRates.input.safeParse({
    day: swapped.replace(
      frenchDay,
      (_, first, month, year) => `${year}-${month.padStart(2, '0')}-${first.padStart(2, '0')}`,
    ),
    cdfPerUsd: settledAmount(cell('cdfPerUsd'), decimal).replace(millionths, '$1'),
    source: cell('source'),
  })
  if (parsed.success) {
    const { cdfPerUsd, source } = parsed.data
    return { value: { day: parsed.data.day, cdf_per_usd: cdfPerUsd, source: source ?? null } }
  }
  const [issue] = parsed.error.issues
  const title = { day: 'Jour', cdfPerUsd: 'Taux', source: 'Source' }[String(issue?.path[0])] ?? ''
  return { reason: `${title}\u00a0: ${lowerFirst(issue?.message ?? '')}.` }
}
