import { plainAmount } from '#features/payments/deposits/deposits.rules.ts'
import { mostRows, type StatementSource } from '#features/reconciliation/reconciliation.contract.ts'
import { statements } from '#features/reconciliation/statements.rules.ts'
import { ambiguityOf, decimalOf, settledAmount } from '#shared/amounts.ts'
import type { TableBatch, TableRow } from '#shared/csv/table.ts'
import { dayInKinshasa, dayMs } from '#shared/days.ts'
import { type Currency, dayInput } from '#shared/fields.ts'
import { readPhone } from '#shared/phone.ts'

/** A row of a statement that reports a received or failed payment. */
export type StatementLine = {
  number: number
  day: string
  /** The interval that the row covers: an instant, or a whole day in Kinshasa when it has no time. */
  from: string
  to: string
  /** A decimal text without needless zeros. */
  amount: string
  currency: Currency | null
  /** Our id; '' for a bank. */
  id: string
  /**
   * The provider's or bank's reference. For a bank without references it is derived from the day and the text, so that
   * it stays the same.
   */
  reference: string
  /** What its source always identifies this row by, whichever columns a file has; '' when it does not. */
  key: string
  /** Digits of the payer's number, with those of the country; null when it is not said. */
  phone: string | null
  label: string
  outcome: 'paid' | 'failed' | 'open'
}

export type ReadStatement = {
  lines: StatementLine[]
  /** Number of bank rows for outgoing money. */
  leaving: number
  faults: { number: number; reason: string }[]
}

export const tooManyRows = `Ce relevé a plus de ${mostRows.toLocaleString('fr-FR')}\u00a0lignes. Coupez-le par mois, puis recommencez.`

type Row = Extract<TableRow, { cells: readonly string[] }>

/** Reads the rows of a statement; each unreadable row is reported with its reason. */
export function readStatement(batches: readonly TableBatch[], source: StatementSource): ReadStatement {
  const read: ReadStatement = { lines: [], leaving: 0, faults: [] }
  const layout = batches[0]?.layout
  if (!layout) return read
  // PostgreSQL stores no NUL.
  const cellOf = (row: Row, key: string) =>
    (row.cells[layout.columns.get(key) ?? -1] ?? '').replaceAll('\0', ' ').trim()
  const amountCell = (row: Row, key: string) => cellOf(row, key).replaceAll(unit, '').trim()
  const rows = batches.flatMap((batch) => batch.rows)
  const cells = rows.flatMap((row) => ('cells' in row ? amountCell(row, 'amount') : []))
  const decimal = decimalOf(cells)
  const made = new Map<string, number>()
  for (const row of rows) {
    const taken = 'fault' in row ? { reason: row.fault } : take(row)
    if (taken === 'leaving') read.leaving += 1
    else if ('reason' in taken) read.faults.push({ number: row.line, reason: taken.reason })
    else read.lines.push(taken)
  }
  return read

  /** Returns a reference for a row of a bank that gives none; rows that are equal otherwise are numbered. */
  function madeReference(day: string, label: string, amount: string): string {
    const reference = cut(`${day} ${label}`, 100)
    const times = (made.get(`${reference} ${amount}`) ?? 0) + 1
    made.set(`${reference} ${amount}`, times)
    return times === 1 ? reference : `${cut(reference, 95)}-${times}`
  }

  function take(row: Row): StatementLine | 'leaving' | { reason: string } {
    const { offset, outcomes } = statements[source]
    const written = amountCell(row, 'amount')
    const isLeaving =
      source === 'bank' &&
      (written.startsWith('-') ||
        /^d/i.test(cellOf(row, 'direction')) ||
        (/^[0.,]*$/.test(written) && /[1-9]/.test(cellOf(row, 'debit'))))
    if (isLeaving) return 'leaving'
    const ambiguity = decimal === null && ambiguityOf(written)
    if (ambiguity) return { reason: `Montant «\u202f${cut(written, 40)}\u202f». ${ambiguity}.` }
    const amount = plainAmount(settledAmount(written, decimal).replace(/^\+/, ''))
    if (!amount || amount === '0')
      return { reason: `Montant illisible\u00a0: «\u202f${cut(written, 40)}\u202f».` }
    const at = cellOf(row, 'at')
    const when = readTime(at, offset)
    if (!when) return { reason: `Date illisible\u00a0: «\u202f${cut(at, 40)}\u202f». Écrivez aaaa-mm-jj.` }
    const currency = currencies[cellOf(row, 'currency').toUpperCase()]
    if (!currency && layout?.columns.has('currency'))
      return { reason: `Devise inconnue\u00a0: «\u202f${cut(cellOf(row, 'currency'), 40)}\u202f».` }
    const label = cut(cellOf(row, 'label'), 200)
    return {
      number: row.line,
      ...when,
      amount,
      currency: currency ?? null,
      label,
      id: cellOf(row, 'id'),
      key: cut((source !== 'pawapay' && cellOf(row, 'reference')) || cellOf(row, 'id'), 200).toLowerCase(),
      phone: readPhone(cellOf(row, 'phone')) ?? null,
      reference:
        cut(cellOf(row, 'reference'), 100) ||
        (source === 'bank' ? madeReference(when.day, label, amount) : ''),
      outcome: source === 'bank' ? 'paid' : (outcomes[cellOf(row, 'state').toLowerCase()] ?? 'open'),
    }
  }
}

const unit = /USD|CDF|FC|\$US|US\$|\$/gi
const currencies: Partial<Record<string, Currency>> = {
  USD: 'USD',
  $: 'USD',
  $US: 'USD',
  US$: 'USD',
  DOLLAR: 'USD',
  CDF: 'CDF',
  FC: 'CDF',
  'FRANC CONGOLAIS': 'CDF',
}

const cut = (text: string, most: number) => Array.from(text.replaceAll(/\s+/g, ' ')).slice(0, most).join('')

const dated =
  /^(?:(\d{4})-(\d\d)-(\d\d)|(\d{1,2})[/.-](\d{1,2})[/.-](\d{4}))(?:[T ]+(\d{1,2}):(\d\d)(?::(\d\d)(?:[.,]\d+)?)? ?(Z|UTC|[+-]\d\d:?\d\d)?)?$/

/**
 * Reads the day in Kinshasa and the interval covered; dates with slashes, dots or hyphens begin with the day, then the
 * month.
 */
function readTime(text: string, offset: string): Pick<StatementLine, 'day' | 'from' | 'to'> | null {
  const [found, y, m, d, day = '', month = '', year, hour, minute, second = '00', zone] =
    dated.exec(text) ?? []
  if (!found) return null
  const date = y ? `${y}-${m}-${d}` : `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  if (!dayInput.safeParse(date).success) return null
  if (hour === undefined) {
    const start = Date.parse(`${date}T00:00:00+01:00`)
    return { day: date, from: new Date(start).toISOString(), to: new Date(start + dayMs - 1).toISOString() }
  }
  const written = !zone
    ? offset
    : /^(Z|UTC)$/.test(zone)
      ? '+00:00'
      : zone.replace(/(\d\d):?(\d\d)$/, '$1:$2')
  const instant = Date.parse(`${date}T${hour.padStart(2, '0')}:${minute}:${second}${written}`)
  if (Number.isNaN(instant)) return null
  const iso = new Date(instant).toISOString()
  return { day: dayInKinshasa(iso), from: iso, to: iso }
}
