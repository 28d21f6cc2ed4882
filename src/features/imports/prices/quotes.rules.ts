import { placesOf, type QuoteOfRow, type RowOptions } from '#features/imports/prices/rows.rules.ts'
import { parseDay, parseSlashed } from '#features/mappings/moments.rules.ts'
import {
  inQuotes,
  type Parsed,
  parseAmount,
  parseCents,
  type ReadAmount,
} from '#features/mappings/values.rules.ts'
import type { Layout } from '#shared/csv/layout.ts'
import { dayIn } from '#shared/days.ts'

type Columns = { day: string; currency: string; price: string; flag: string }
type Flags = ReadonlyMap<string, QuoteOfRow['flag']>

/**
 * Reads what changes from row to row: day, amount, currency, flag.
 *
 * @param flags the values of the flag in the file, in lower case
 * @param takesSlashes whether days may be written `1/15/2006` or `15/1/2006`; the whole file then decides which
 * @param isByHand whether people may have written its amounts; otherwise a point is a decimal mark
 */
export function quoteReader(
  layout: Layout,
  options: RowOptions,
  columns: Columns,
  flags: Flags,
  { takesSlashes = false, isByHand = false } = {},
) {
  const { day: dayKey, currency: currencyKey, price: priceKey, flag: flagKey } = columns
  const [dayAt = -1, currencyAt = -1, priceAt = -1, flagAt = -1] = placesOf(layout, [
    dayKey,
    currencyKey,
    priceKey,
    flagKey,
  ])
  const { isFrench } = layout
  const readDay = memoize((cell) => readDayOf(cell, isFrench, takesSlashes))
  const currencyOf = memoize((cell) => readCurrency(cell, options.currencyMap))
  const flagOf = memoize((cell) => readFlag(cell, flags))
  const todayIn = memoize((timeZone) => dayIn(timeZone, options.now))

  const readPrice = (cell: string, currency: QuoteOfRow['currency']): Parsed<ReadAmount> => {
    // The display format of a workbook's cell.
    const [, inDollars] = /^(.*\d) USD$/.exec(cell) ?? []
    if (inDollars !== undefined) {
      return currency === 'USD' ? readPrice(inDollars, currency) : { reason: notInCurrency(cell, currency) }
    }
    if (isByHand || isFrench) return parseAmount(cell, 'auto')
    const cents = parseCents(cell)
    return cents.reason === undefined
      ? { value: { cents: cents.value, otherCents: null, decimal: null } }
      : cents
  }

  return (cells: readonly string[], timeZone: string): Parsed<QuoteOfRow> => {
    // Checks that do not depend on the date come first: forecasts have future dates.
    const currency = currencyOf(cells[currencyAt] ?? '')
    if (currency.reason !== undefined) return currency
    const flag = flagOf(cells[flagAt] ?? '')
    if (flag.reason !== undefined) return flag
    const day = readDay(cells[dayAt] ?? '')
    if (day.reason !== undefined) return day
    const { day: written, readings } = day.value
    if (!readings && written > todayIn(timeZone))
      return { reason: `La date ${inQuotes(written)} est dans le futur.` }
    const amount = readPrice(cells[priceAt] ?? '', currency.value)
    if (amount.reason !== undefined) return amount
    return {
      value: {
        day: written,
        readings,
        instant: null,
        local: null,
        ...amount.value,
        currency: currency.value,
        flag: flag.value,
      },
    }
  }
}

function readDayOf(
  cell: string,
  isFrench: boolean,
  takesSlashes: boolean,
): Parsed<Pick<QuoteOfRow, 'day' | 'readings'>> {
  const readings = takesSlashes ? parseSlashed(cell) : undefined
  if (readings?.reason !== undefined) return readings
  if (readings) {
    const { dayFirst, monthFirst } = readings.value
    return { value: { day: dayFirst ?? monthFirst ?? '', readings: readings.value } }
  }
  const day = parseDay(cell, isFrench)
  return day.reason === undefined ? { value: { day: day.value, readings: null } } : day
}

/** Parses `XAF=CDF` as given on the command line, several in one argument or in several. */
export function readCurrencyMap(words: readonly string[]): Parsed<RowOptions['currencyMap']> {
  const map = new Map<string, QuoteOfRow['currency']>()
  for (const word of words.flatMap((each) => each.split(','))) {
    const match = /^\s*([A-Z]{3})\s*=\s*(CDF|USD)\s*$/i.exec(word)
    if (!match) {
      return {
        reason: `La correspondance ${inQuotes(word)} est illisible : écrivez par exemple XAF=CDF (vers CDF ou USD).`,
      }
    }
    const [, from = '', to = ''] = match
    map.set(from.toUpperCase(), to.toUpperCase() === 'USD' ? 'USD' : 'CDF')
  }
  return { value: map }
}

/** Returns the currency of a cell, if it is CDF or USD, or `map` translates it. */
export function readCurrency(cell: string, map: RowOptions['currencyMap']): Parsed<QuoteOfRow['currency']> {
  const code = cell.trim().toUpperCase()
  const known = map.get(code) ?? (code === 'CDF' || code === 'USD' ? code : undefined)
  if (known) return { value: known }
  if (code === '') return { reason: 'La devise est absente.' }
  return {
    reason: `La devise ${inQuotes(cell)} n’est ni CDF ni USD.`,
    ...(/^[A-Z]{3}$/.test(code) && { foreignCurrency: code }),
  }
}

/** Returns why an amount that names another currency than its row is rejected. */
export function notInCurrency(cell: string, currency: string): string {
  return `Le prix ${inQuotes(cell)} n’est pas en ${currency}.`
}

function readFlag(cell: string, flags: Flags): Parsed<QuoteOfRow['flag']> {
  const value = flags.get(cell.trim().normalize('NFC').toLowerCase())
  if (!value && cell.trim() === '') return { reason: 'La nature du prix est absente.' }
  if (/\bforecast\b/i.test(cell))
    return { reason: 'Ce prix est une prévision (forecast)\u00a0: les prévisions ne sont pas importées.' }
  return value ? { value } : { reason: `La nature du prix ${inQuotes(cell)} est inconnue.` }
}

const longestMemory = 10_000

/** Memoizes a function of a text, for texts that are repeated in a file. */
export function memoize<T>(read: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>()
  return (text) => {
    const found = known.get(text)
    if (found !== undefined) return found
    const result = read(text)
    if (known.size >= longestMemory) known.clear()
    known.set(text, result)
    return result
  }
}
