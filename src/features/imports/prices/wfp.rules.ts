import { quoteReader } from '#features/imports/prices/quotes.rules.ts'
import {
  allOf,
  cellAt,
  placesOf,
  productCode,
  type QuoteOfRow,
  type RowOptions,
  type RowReader,
  readText,
} from '#features/imports/prices/rows.rules.ts'
import { categoryOfWfp, kindNamed, typeOfWfp, unitOfWfp } from '#features/mappings/concordance.rules.ts'
import { unspecified, unspecifiedFeminine } from '#features/mappings/mapped-fields.contract.ts'
import { parseSlashed } from '#features/mappings/moments.rules.ts'
import { inQuotes, parsePlace } from '#features/mappings/values.rules.ts'
import type { Layout } from '#shared/csv/layout.ts'

const collector = 'WFP'
/** The source of the prices of these files, as recorded with them. */
export const wfpSource = 'WFP (HDX)'
// WFP's text for an unknown place.
const noPlace = 'administrative unit not available'

const columns = { day: 'date', currency: 'currency', price: 'price', flag: 'priceflag' }

/** Our names for the stages of trade. */
export const priceFormats = new Map([
  ['retail', 'Détail'],
  ['wholesale', 'Gros'],
  ['producer', 'Producteur'],
  ['farm gate', 'Producteur'],
])

// A mean that includes other means is recorded as an aggregate.
const flags = new Map<string, QuoteOfRow['flag']>([
  ['actual', 'actual'],
  ['aggregate', 'aggregate'],
  ['actual,aggregate', 'aggregate'],
])
// Older files have 13 columns, without a flag, and only actual prices.
const noFlags = new Map<string, QuoteOfRow['flag']>([['', 'actual']])

/** Reads the rows of a WFP file on HDX: a series is a commodity, a unit and a price type at a market. */
export function wfpRows(layout: Layout, options: RowOptions): RowReader {
  const cell = (cells: readonly string[], key: string) => cellAt(layout, cells, key)

  return {
    market: {
      columns: placesOf(layout, ['admin1', 'admin2', 'market', 'market_id', 'latitude', 'longitude']),
      read(cells) {
        const province = placeName(cell(cells, 'admin1'))
        const parts = allOf({
          name: readText('Le marché (market)', cell(cells, 'market'), 200),
          location: readText(
            'Le lieu (admin2)',
            placeName(cell(cells, 'admin2')) || province || unspecified,
            200,
          ),
          province: province ? readText('La province (admin1)', province, 100) : { value: null },
          place: parsePlace(cell(cells, 'latitude'), cell(cells, 'longitude'), layout.isFrench),
        })
        if (parts.reason !== undefined) return parts
        const { place, ...names } = parts.value
        const zone = options.timeZoneOf(names.province, place ? Number(place.longitude) : null)
        return {
          value: {
            ...names,
            latitude: place?.latitude ?? null,
            longitude: place?.longitude ?? null,
            time_zone: zone,
            wfp_id: idOf(cell(cells, 'market_id')),
          },
        }
      },
    },
    product: {
      columns: placesOf(layout, ['category', 'commodity', 'commodity_id', 'unit', 'pricetype']),
      read(cells) {
        const format = priceFormats.get(cell(cells, 'pricetype').trim().toLowerCase())
        if (!format) return { reason: `Le type de prix ${inQuotes(cell(cells, 'pricetype'))} est inconnu.` }
        const parts = allOf({
          name: readText('Le produit (commodity)', cell(cells, 'commodity'), 200),
          weight: readText('L’unité (unit)', cell(cells, 'unit'), 100),
          category: readText('La catégorie (category)', cell(cells, 'category'), 200),
        })
        if (parts.reason !== undefined) return parts
        const { name, weight, category } = parts.value
        return {
          value: {
            name,
            weight: unitOfWfp(weight),
            category: categoryOfWfp(category),
            code: null,
            new_code: productCode(collector, name, weight, format),
            format,
            type: typeOfWfp(name),
            kind: kindNamed(name),
            wfp_id: idOf(cell(cells, 'commodity_id')),
            brand: null,
            brand_country: null,
            origin: originOf(name),
          },
        }
      },
    },
    origin: { columns: [], read: () => ({ value: { collector, source: wfpSource } }) },
    readings: (cells) => parseSlashed(cell(cells, 'date'))?.value ?? null,
    quote: quoteReader(layout, options, columns, layout.columns.has('priceflag') ? flags : noFlags, {
      takesSlashes: true,
    }),
  }
}

/** Returns WFP's number of a thing; null for anything else. */
function idOf(cell: string): string | null {
  return /^\s*\d{1,15}\s*$/.test(cell) ? cell.trim() : null
}

function placeName(cell: string): string {
  const name = cell.trim()
  return name.toLowerCase() === noPlace ? '' : name
}

function originOf(commodity: string): string {
  if (/\(.*\bimported\b.*\)/i.test(commodity)) return 'Importé'
  return /\(.*\blocal\b.*\)/i.test(commodity) ? 'Local' : unspecifiedFeminine
}
