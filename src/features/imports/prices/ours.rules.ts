import { memoize, quoteReader } from '#features/imports/prices/quotes.rules.ts'
import {
  allOf,
  cellAt,
  placesOf,
  productCode,
  type QuoteOfRow,
  type RowOptions,
  type RowReader,
  readOptionalText,
  readText,
} from '#features/imports/prices/rows.rules.ts'
import { kindNamed } from '#features/mappings/concordance.rules.ts'
import { unspecifiedFeminine } from '#features/mappings/mapped-fields.contract.ts'
import { latestIn, parseCollected, parseSlashed } from '#features/mappings/moments.rules.ts'
import { inQuotes, type Parsed, parsePlace } from '#features/mappings/values.rules.ts'
import { market as marketShape } from '#features/markets/markets.contract.ts'
import { flagTitles, type PriceFileColumn } from '#features/prices/exports/columns.contract.ts'
import type { Layout } from '#shared/csv/layout.ts'

const columns = { day: 'observed_on', currency: 'currency', price: 'price', flag: 'flag' } satisfies Record<
  string,
  PriceFileColumn
>
const flags = new Map<string, QuoteOfRow['flag']>([
  ['actual', 'actual'],
  ['aggregate', 'aggregate'],
  [flagTitles.actual, 'actual'],
  [flagTitles.aggregate, 'aggregate'],
])

// A blank flag may come from a truncated file, so it is only accepted if the file has no flag column.
const noFlags = new Map<string, QuoteOfRow['flag']>([['', 'actual']])

const marketColumns: readonly PriceFileColumn[] = [
  'market',
  'location',
  'province',
  'latitude',
  'longitude',
  'time_zone',
]
const productColumns: readonly PriceFileColumn[] = [
  'product_code',
  'product',
  'category',
  'type',
  'brand',
  'brand_country',
  'weight',
  'format',
  'origin',
]
const originColumns: readonly PriceFileColumn[] = ['collector', 'source']
const isoDay = /^\d{4}-\d\d-\d\d$/

/** Reads the rows of our own export, in both variants. */
export function ourRows(layout: Layout, options: RowOptions): RowReader {
  const cell = (cells: readonly string[], key: PriceFileColumn) => cellAt(layout, cells, key)
  // Files with French titles are kept by people, who write the day first.
  const takesSlashes = !layout.isFrench
  const latest = memoize((timeZone) => latestIn(timeZone, options.now))
  const readQuote = quoteReader(layout, options, columns, layout.columns.has('flag') ? flags : noFlags, {
    takesSlashes,
    isByHand: true,
  })

  // In a workbook, midnight stands for a day without a time.
  const instantOf = (text: string) => (layout.isWorkbook && isoDay.test(text) ? `${text}T00:00` : text)

  return {
    readings: (cells) => (takesSlashes && parseSlashed(cell(cells, 'observed_on'))?.value) || null,
    market: {
      columns: placesOf(layout, marketColumns),
      read(cells) {
        const parts = allOf({
          name: readText('Le marché', cell(cells, 'market'), 200),
          location: readText('Le lieu', cell(cells, 'location'), 200),
          province: readOptionalText('La province', cell(cells, 'province'), 100),
          place: parsePlace(cell(cells, 'latitude'), cell(cells, 'longitude'), layout.isFrench),
          zone: readZone(cell(cells, 'time_zone')),
        })
        if (parts.reason !== undefined) return parts
        const { place, zone, ...names } = parts.value
        return {
          value: {
            ...names,
            latitude: place?.latitude ?? null,
            longitude: place?.longitude ?? null,
            wfp_id: null,
            time_zone: zone ?? options.timeZoneOf(names.province, place ? Number(place.longitude) : null),
          },
        }
      },
    },
    product: {
      columns: placesOf(layout, productColumns),
      read(cells) {
        const parts = allOf({
          code: readOptionalText('Le code du produit', cell(cells, 'product_code'), 100),
          name: readText('Le produit', cell(cells, 'product'), 200),
          weight: readText('Le poids', cell(cells, 'weight'), 100),
          format: readText('Le format', cell(cells, 'format'), 200),
          category: readText('La catégorie', cell(cells, 'category'), 200),
          type: readText('Le type', cell(cells, 'type'), 200),
          brand: readOptionalText('La marque', cell(cells, 'brand'), 200),
          country: readOptionalText('Le pays de la marque', cell(cells, 'brand_country'), 200),
          origin: readOptionalText('L’origine', cell(cells, 'origin'), 200),
        })
        if (parts.reason !== undefined) return parts
        const { country, ...values } = parts.value
        return {
          value: {
            ...values,
            new_code: values.code ?? productCode(values.name, values.weight, values.format),
            brand_country: country,
            wfp_id: null,
            kind: kindNamed(values.type),
            origin: values.origin ?? unspecifiedFeminine,
          },
        }
      },
    },
    origin: {
      columns: placesOf(layout, originColumns),
      read: (cells) =>
        allOf({
          collector: readText('Le collecteur', cell(cells, 'collector'), 200),
          source: readOptionalText('La source', cell(cells, 'source'), 500),
        }),
    },
    quote(cells, timeZone) {
      const quote = readQuote(cells, timeZone)
      if (quote.reason !== undefined) return quote
      // People who use a single column write the time after the day.
      const { day, readings } = quote.value
      const text =
        instantOf(cell(cells, 'collected_at').trim()) || (readings ? '' : cell(cells, 'observed_on'))
      const collected = parseCollected(text, { isFrench: layout.isFrench, latest: latest(timeZone) })
      if (collected.reason !== undefined) return collected
      if (collected.value === null) return quote
      const { localDay, ...moment } = collected.value
      const days = readings ? [readings.dayFirst, readings.monthFirst] : [day]
      if (!days.includes(localDay)) {
        return { reason: `L’instant de collecte ${inQuotes(text)} n’est pas du ${day}.` }
      }
      return { value: { ...quote.value, ...moment, day: localDay, readings: null } }
    },
  }
}

function readZone(cell: string): Parsed<string | null> {
  if (cell.trim() === '') return { value: null }
  const parsed = marketShape.shape.timeZone.safeParse(cell.trim())
  return parsed.success
    ? { value: parsed.data }
    : { reason: `Le fuseau horaire ${inQuotes(cell)} est inconnu.` }
}
