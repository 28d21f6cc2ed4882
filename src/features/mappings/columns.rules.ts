import { currencyNamed, isDayTitle, needsYear } from '#features/mappings/free-values.rules.ts'
import { type MappedFieldKey, mappedFields } from '#features/mappings/mapped-fields.contract.ts'
import type { FieldDescription, Mapping } from '#features/mappings/mappings.contract.ts'
import { namedInTitle } from '#features/mappings/titles.rules.ts'
import { inQuotes } from '#features/mappings/values.rules.ts'
import { comparedTitle } from '#shared/csv/header.ts'
import type { Layout, TableKind } from '#shared/csv/layout.ts'

/** Describes a table read with a mapping. */
export function mappedTable({ fields }: Mapping): TableKind {
  const columns = mappedFields.flatMap((each) => {
    const { key } = each
    const field = key === 'price' && wideColumnsOf({ fields }) ? undefined : fields[key]
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

/** Returns a sentence on the columns that a mapping names and a table lacks; null where it has them all. */
export function lackingColumns({ format, columns, titles }: Layout, { fields }: Mapping): string | null {
  const present = new Set(titles.map(comparedTitle))
  const lacking = [
    ...format.columns.filter(({ key }) => !columns.has(key) && key !== 'price'),
    ...mappedFields.flatMap(({ key }) => {
      const source = fields[key]
      const chosen = source && 'inTitles' in source && source.inTitles !== true ? source.inTitles : []
      return chosen
        .filter((title) => !present.has(comparedTitle(title)))
        .map((title) => ({ key, titles: [title] }))
    }),
  ]
  if (lacking.length === 0) return null
  const labels = new Map<string, string>(mappedFields.map(({ key, label }) => [key, label]))
  const named = lacking
    .map(({ key, titles }) => `${inQuotes(titles[0] ?? '')} (${labels.get(key)})`)
    .join(', ')
  return `Lu sans ${lacking.length > 1 ? 'les colonnes' : 'la colonne'} ${named}, que ce fichier n’a pas.`
}

/** The field whose values are column titles above prices, and the titles that are such values. */
export type WideColumns = { readonly key: MappedFieldKey; has(title: string): boolean }

/** Returns null where a row holds one price. */
export function wideColumnsOf({ fields }: Pick<Mapping, 'fields'>): WideColumns | null {
  for (const { key } of mappedFields) {
    const source = fields[key]
    if (!source || !('inTitles' in source)) continue
    if (source.inTitles === true) return { key, has: isDayTitle }
    const chosen = new Set(source.inTitles.map(comparedTitle))
    return { key, has: (title) => chosen.has(comparedTitle(title)) }
  }
  return null
}

/**
 * Where days, products or markets are column titles, turns a line into one row per filled cell under such a title, with
 * the title and the cell appended as the last columns. Otherwise rows are unchanged.
 *
 * @returns the layout of such rows, and the function that makes them from a line
 */
export function unpivotRows(
  layout: Layout,
  mapping: Mapping | null,
): { layout: Layout; spread: (cells: readonly string[]) => (readonly string[])[] } {
  const wide = mapping && wideColumnsOf(mapping)
  if (!wide) return { layout, spread: (cells) => [cells] }
  const { width, titles } = layout
  const used = new Set(layout.columns.values())
  const found = titles.flatMap((title, at) => {
    if (!wide.has(title) || used.has(at)) return []
    const { name, unit } = wide.key === 'day' ? { name: title, unit: null } : namedInTitle(title)
    return [{ at, name: name || title, unit }]
  })
  const hasUnits = wide.key === 'product' && !mapping.fields.unit && found.some(({ unit }) => unit !== null)
  return {
    layout: {
      ...layout,
      width: width + (hasUnits ? 3 : 2),
      columns: new Map([
        ...layout.columns,
        [wide.key, width],
        ['price', width + 1],
        ...(hasUnits ? ([['unit', width + 2]] as const) : []),
      ]),
    },
    spread: (cells) =>
      found.flatMap(({ at, name, unit }) => {
        const cell = cells[at] ?? ''
        return cell.trim() === '' ? [] : [[...cells, name, cell, ...(hasUnits ? [unit ?? ''] : [])]]
      }),
  }
}

/** Returns the titles that later tables of the same format will have too: titles that are days or months change. */
export function lastingTitles({ titles, fields }: Mapping): string[] {
  return wideColumnsOf({ fields })?.key === 'day' ? titles.filter((title) => !isDayTitle(title)) : titles
}

// The suffix that makes repeated titles unique.
const repeated = /^(.*) \(\d+\)$/

function faultOfDayTitles(titles: readonly string[]): string | null {
  if (!titles.some(isDayTitle)) return 'Aucun titre n’est une date ou un mois.'
  const twice = titles.map((title) => repeated.exec(title)?.[1] ?? '').find(isDayTitle)
  return twice === undefined
    ? null
    : `Le titre ${inQuotes(twice)} figure plusieurs fois\u00a0: écrivez l’année dans chacun (jan-25).`
}

function faultOfTitles(
  { key, label, ...field }: FieldDescription,
  inTitles: true | readonly string[],
  { titles, isOther }: { titles: readonly string[]; isOther: boolean },
): string | null {
  if (!field.inTitles || (inTitles === true) !== (key === 'day'))
    return `Choisissez une colonne\u00a0: ${label}.`
  if (isOther) return 'Les titres ne disent qu’une chose\u00a0: la date, le produit ou le marché.'
  if (inTitles === true) return faultOfDayTitles(titles)
  const present = new Set(titles.map(comparedTitle))
  return inTitles.some((title) => present.has(comparedTitle(title)))
    ? null
    : 'Aucune des colonnes choisies n’est dans ce fichier.'
}

/** Returns the errors of a mapping for its table, by field. */
export function mappingFaults({ titles, fields }: Mapping): { field: string; message: string }[] {
  const available = new Set(titles)
  const wide = wideColumnsOf({ fields })
  return mappedFields.flatMap((field) => {
    const { key, label } = field
    const source = fields[key]
    if (key === 'price' && wide) return []
    if (!source) {
      if ('isRequired' in field) return [{ field: key, message: `Dites où se trouve\u00a0: ${label}.` }]
      const lacksYear = key === 'year' && wide?.key === 'day' && titles.some(needsYear)
      return lacksYear
        ? [{ field: key, message: 'Dites l’année\u00a0: les titres disent le mois seul.' }]
        : []
    }
    if ('inTitles' in source) {
      const message = faultOfTitles(field, source.inTitles, { titles, isOther: wide?.key !== key })
      return message ? [{ field: key, message }] : []
    }
    if ('column' in source) {
      return available.has(source.column) || !('isRequired' in field)
        ? []
        : [{ field: key, message: `La colonne ${inQuotes(source.column)} n’est pas dans ce fichier.` }]
    }
    if ('isOfRow' in field) return [{ field: key, message: `Choisissez une colonne\u00a0: ${label}.` }]
    if (key === 'currency' && !currencyNamed(source.value)) {
      return [{ field: key, message: 'La devise est CDF ou USD.' }]
    }
    return []
  })
}
