import { kindNamed, typeOfWfp } from '#features/imports/prices/concordance.rules.ts'
import { readCurrency, remembered } from '#features/imports/prices/quotes.rules.ts'
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
import {
  currencyNamed,
  isDayTitle,
  needsYear,
  parseDayOf,
  parseFreeAmount,
} from '#features/mappings/free-values.rules.ts'
import { type MappedFieldKey, mappedFields } from '#features/mappings/mapped-fields.contract.ts'
import type { Mapping } from '#features/mappings/mappings.contract.ts'
import { instantWithOffset, latestIn, parseCollected } from '#features/mappings/moments.rules.ts'
import { inQuotes, type Parsed } from '#features/mappings/values.rules.ts'
import type { Layout, TableKind } from '#shared/csv/layout.ts'
import { dayIn } from '#shared/days.ts'

const unknownOrigin = 'Non précisée'

/** A table whose columns somebody has named. */
export function mappedTable({ fields }: Mapping): TableKind {
  const columns = mappedFields.flatMap((each) => {
    const { key } = each
    const field = key === 'price' && isAcross({ fields }) ? undefined : fields[key]
    const isRequired = 'isRequired' in each
    return field && 'column' in field ? [{ key, titles: [field.column], isRequired }] : []
  })
  return {
    name: 'le tableau que la correspondance décrit',
    titled: columns.map(({ titles }) => titles[0]).join(', '),
    formats: [{ name: 'mapped', isFrench: true, isGuarded: false, columns }],
    isDescribed: true,
  }
}

/** The columns that a mapping names and that a table is read without, in a sentence; null where it has them all. */
export function lackingColumns({ format, columns }: Layout): string | null {
  const lacking = format.columns.filter(({ key }) => !columns.has(key) && key !== 'price')
  if (lacking.length === 0) return null
  const labels = new Map<string, string>(mappedFields.map(({ key, label }) => [key, label]))
  const named = lacking
    .map(({ key, titles }) => `${inQuotes(titles[0] ?? '')} (${labels.get(key)})`)
    .join(', ')
  return `Lu sans ${lacking.length > 1 ? 'les colonnes' : 'la colonne'} ${named}, que ce fichier n’a pas.`
}

/** Whether days stand in the titles of a table, and prices below them. */
export function isAcross({ fields: { day } }: Pick<Mapping, 'fields'>): boolean {
  return day !== undefined && 'inTitles' in day
}

/**
 * Where days stand in the titles, a row for each cell that is filled under one: its title and what it holds come behind
 * the others. Elsewhere the rows as they are.
 *
 * @returns the layout of such rows, and what makes them of a line
 */
export function rowsAcross(
  layout: Layout,
  mapping: Mapping | null,
): { layout: Layout; spread: (cells: readonly string[]) => (readonly string[])[] } {
  if (!mapping || !isAcross(mapping)) return { layout, spread: (cells) => [cells] }
  const { width, titles } = layout
  const told = new Set(layout.columns.values())
  const days = titles.flatMap((title, at) => (isDayTitle(title) && !told.has(at) ? [{ title, at }] : []))
  return {
    layout: {
      ...layout,
      width: width + 2,
      columns: new Map([...layout.columns, ['day', width], ['price', width + 1]]),
    },
    spread: (cells) =>
      days.flatMap(({ title, at }) => {
        const cell = cells[at] ?? ''
        return cell.trim() === '' ? [] : [[...cells, title, cell]]
      }),
  }
}

/** The titles of a table that the next one of its kind will have as well: its months will be others. */
export function lastingTitles({ titles, fields }: Mapping): string[] {
  return isAcross({ fields }) ? titles.filter((title) => !isDayTitle(title)) : titles
}

// As titles that stand twice are told apart.
const repeated = /^(.*) \(\d+\)$/

function faultOfDayTitles(titles: readonly string[]): string | null {
  if (!titles.some(isDayTitle)) return 'Aucun titre n’est une date ou un mois.'
  const twice = titles.map((title) => repeated.exec(title)?.[1] ?? '').find(isDayTitle)
  return twice === undefined
    ? null
    : `Le titre ${inQuotes(twice)} figure plusieurs fois\u00a0: écrivez l’année dans chacun (jan-25).`
}

/** What stands in the way of reading a table with a mapping, under the key of each field. */
export function mappingFaults({ titles, fields }: Mapping): { field: string; message: string }[] {
  const known = new Set(titles)
  return mappedFields.flatMap((field) => {
    const { key, label } = field
    const told = fields[key]
    if (key === 'price' && isAcross({ fields })) return []
    if (!told) {
      if ('isRequired' in field) return [{ field: key, message: `Dites où se trouve\u00a0: ${label}.` }]
      const lacksYear = key === 'year' && isAcross({ fields }) && titles.some(needsYear)
      return lacksYear
        ? [{ field: key, message: 'Dites l’année\u00a0: les titres disent le mois seul.' }]
        : []
    }
    if ('inTitles' in told) {
      if (!('inTitles' in field)) return [{ field: key, message: `Choisissez une colonne\u00a0: ${label}.` }]
      const message = faultOfDayTitles(titles)
      return message ? [{ field: key, message }] : []
    }
    if ('column' in told) {
      return known.has(told.column) || !('isRequired' in field)
        ? []
        : [{ field: key, message: `La colonne ${inQuotes(told.column)} n’est pas dans ce fichier.` }]
    }
    if ('isOfRow' in field) return [{ field: key, message: `Choisissez une colonne\u00a0: ${label}.` }]
    if (key === 'currency' && !currencyNamed(told.value)) {
      return [{ field: key, message: 'La devise est CDF ou USD.' }]
    }
    return []
  })
}

/** Reads the rows of a table whose columns somebody has named; what a row does not tell is null where names are matched. */
export function mappedRows(layout: Layout, options: RowOptions, mapping: Mapping): RowReader {
  const { fields, decimal, dateOrder } = mapping
  const textOf = (cells: readonly string[], key: MappedFieldKey): string => {
    const field = fields[key]
    return field && 'value' in field ? field.value : (cells[layout.columns.get(key) ?? -1] ?? '')
  }
  const columnsOf = (...keys: MappedFieldKey[]) => keys.map((key) => layout.columns.get(key) ?? -1)
  const daysOf = remembered((year) => remembered((cell) => parseDayOf(cell, year)))
  const todayIn = remembered((timeZone) => dayIn(timeZone, options.now))
  const latest = remembered((timeZone) => latestIn(timeZone, options.now))

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
    const told = daysOf(year)(cell)
    if (told.reason !== undefined) return told
    const { readings } = told.value
    const settled =
      dateOrder === 'day' ? readings?.dayFirst : dateOrder === 'month' ? readings?.monthFirst : undefined
    if (settled === null) return { reason: `La date ${inQuotes(cell)} n’existe pas.` }
    const isOpen = readings !== null && settled === undefined
    const day = settled ?? told.value.day ?? readings?.dayFirst ?? readings?.monthFirst ?? ''
    if (!isOpen && day > todayIn(timeZone)) return { reason: `La date ${inQuotes(cell)} est dans le futur.` }
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
            ...{ name, weight, format, category },
            code: null,
            new_code: productCode(name, weight ?? '', format ?? ''),
            type: typeOfWfp(name),
            brand: null,
            brand_country: null,
            wfp_id: null,
            kind: kindNamed(name),
            origin: unknownOrigin,
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
        return { value: { ...parts.value, collector: parts.value.collector ?? unknownCollector } }
      },
    },
    readings(cells) {
      return dateOrder !== 'auto'
        ? null
        : (daysOf(textOf(cells, 'year'))(textOf(cells, 'day')).value?.readings ?? null)
    },
    quote(cells, timeZone) {
      const told = textOf(cells, 'currency')
      const currency = readCurrency(currencyNamed(told) ?? told, options.currencyMap)
      if (currency.reason !== undefined) return currency
      const day = readDay(textOf(cells, 'day'), textOf(cells, 'year'), timeZone)
      if (day.reason !== undefined) return day
      const amount = parseFreeAmount(textOf(cells, 'price'), decimal, layout.isWorkbook)
      if (amount.reason !== undefined) return amount
      if (amount.value.currency && amount.value.currency !== currency.value) {
        return { reason: `Le prix ${inQuotes(textOf(cells, 'price'))} n’est pas en ${currency.value}.` }
      }
      const { cents } = amount.value
      return { value: { ...day.value, cents, currency: currency.value, flag: 'actual' } }
    },
  }
}

const unknownCollector = 'Non précisé'
