import { memoize, notInCurrency, readCurrency } from '#features/imports/prices/quotes.rules.ts'
import {
  allOf,
  productCode,
  type QuoteOfRow,
  type RowOptions,
  type RowReader,
  readOptionalText,
  readText,
} from '#features/imports/prices/rows.rules.ts'
import { priceFormats } from '#features/imports/prices/wfp.rules.ts'
import { kindNamed, typeOfWfp } from '#features/mappings/concordance.rules.ts'
import { currencyNamed, parseDayOf, parseFreeAmount } from '#features/mappings/free-values.rules.ts'
import {
  type MappedFieldKey,
  unspecified,
  unspecifiedFeminine,
} from '#features/mappings/mapped-fields.contract.ts'
import type { Mapping } from '#features/mappings/mappings.contract.ts'
import { instantWithOffset, latestIn, parseCollected } from '#features/mappings/moments.rules.ts'
import { inQuotes, type Parsed } from '#features/mappings/values.rules.ts'
import type { Layout } from '#shared/csv/layout.ts'
import { dayIn } from '#shared/days.ts'

/** Reads the rows of a table with a mapping; what a row lacks is null until names are matched. */
export function mappedRows(layout: Layout, options: RowOptions, mapping: Mapping): RowReader {
  const { fields, decimal, dateOrder } = mapping
  const textOf = (cells: readonly string[], key: MappedFieldKey): string => {
    const field = fields[key]
    return field && 'value' in field ? field.value : (cells[layout.columns.get(key) ?? -1] ?? '')
  }
  const columnsOf = (...keys: MappedFieldKey[]) => keys.map((key) => layout.columns.get(key) ?? -1)
  const daysOf = memoize((year) => memoize((cell) => parseDayOf(cell, year)))
  const todayIn = memoize((timeZone) => dayIn(timeZone, options.now))
  const latest = memoize((timeZone) => latestIn(timeZone, options.now))

  function readDay(
    cell: string,
    year: string,
    timeZone: string,
  ): Parsed<Pick<QuoteOfRow, 'day' | 'readings' | 'instant' | 'local'>> {
    if (instantWithOffset.test(cell.trim())) {
      const collected = parseCollected(cell, { isFrench: false, latest: latest(timeZone) })
      if (collected.reason !== undefined) return collected
      if (collected.value) {
        const { localDay, instant, local } = collected.value
        return { value: { day: localDay, readings: null, instant, local } }
      }
    }
    const parsed = daysOf(year)(cell)
    if (parsed.reason !== undefined) return parsed
    const { readings } = parsed.value
    const settled =
      dateOrder === 'day' ? readings?.dayFirst : dateOrder === 'month' ? readings?.monthFirst : undefined
    if (settled === null) return { reason: `La date ${inQuotes(cell)} n’existe pas.` }
    const isOpen = readings !== null && settled === undefined
    const day = settled ?? parsed.value.day ?? readings?.dayFirst ?? readings?.monthFirst ?? ''
    const today = todayIn(timeZone)
    if (!isOpen && day > today) {
      const hasBegun = parsed.value.isMonth && day.slice(0, 7) === today.slice(0, 7)
      return { reason: hasBegun ? halfOfMonth(cell) : `La date ${inQuotes(cell)} est dans le futur.` }
    }
    return { value: { day, readings: isOpen ? readings : null, instant: null, local: null } }
  }

  return {
    market: {
      columns: columnsOf('market', 'location', 'province'),
      read(cells) {
        const parts = allOf({
          name: readText('Le marché', textOf(cells, 'market'), 200),
          location: readOptionalText('La ville', textOf(cells, 'location'), 200),
          province: readOptionalText('La province', textOf(cells, 'province'), 100),
        })
        if (parts.reason !== undefined) return parts
        const time_zone = options.timeZoneOf(parts.value.province ?? parts.value.location, null)
        return { value: { ...parts.value, latitude: null, longitude: null, time_zone, wfp_id: null } }
      },
    },
    product: {
      columns: columnsOf('product', 'unit', 'category', 'format'),
      read(cells) {
        const parts = allOf({
          name: readText('Le produit', textOf(cells, 'product'), 200),
          weight: readOptionalText('L’unité', textOf(cells, 'unit'), 100),
          format: readOptionalText('Le type de prix', textOf(cells, 'format'), 200),
          category: readOptionalText('La catégorie', textOf(cells, 'category'), 200),
        })
        if (parts.reason !== undefined) return parts
        const { name, weight, category } = parts.value
        const format = priceFormats.get(parts.value.format?.toLowerCase() ?? '') ?? parts.value.format
        return {
          value: {
            name,
            weight,
            format,
            category,
            code: null,
            new_code: productCode(name, weight ?? '', format ?? ''),
            type: typeOfWfp(name),
            brand: null,
            brand_country: null,
            wfp_id: null,
            kind: kindNamed(name),
            origin: unspecifiedFeminine,
          },
        }
      },
    },
    origin: {
      columns: columnsOf('collector', 'source'),
      read(cells) {
        const parts = allOf({
          collector: readOptionalText('Le collecteur', textOf(cells, 'collector'), 200),
          source: readOptionalText('La source', textOf(cells, 'source'), 500),
        })
        if (parts.reason !== undefined) return parts
        return { value: { ...parts.value, collector: parts.value.collector ?? unspecified } }
      },
    },
    readings(cells) {
      return dateOrder !== 'auto'
        ? null
        : (daysOf(textOf(cells, 'year'))(textOf(cells, 'day')).value?.readings ?? null)
    },
    quote(cells, timeZone) {
      const text = textOf(cells, 'currency')
      const currency = readCurrency(currencyNamed(text) ?? text, options.currencyMap)
      if (currency.reason !== undefined) return currency
      const day = readDay(textOf(cells, 'day'), textOf(cells, 'year'), timeZone)
      if (day.reason !== undefined) return day
      const amount = parseFreeAmount(textOf(cells, 'price'), decimal)
      if (amount.reason !== undefined) return amount
      if (amount.value.currency && amount.value.currency !== currency.value) {
        return { reason: notInCurrency(textOf(cells, 'price'), currency.value) }
      }
      return { value: { ...day.value, ...amount.value, currency: currency.value, flag: 'actual' } }
    },
  }
}

const halfOfMonth = (cell: string) =>
  `Le mois ${inQuotes(cell)} n’est pas à sa moitié\u00a0: ses prix se datent du 15. Donnez leur jour, ou importez-les après.`
