import { currencyNamed, isDayTitle, needsYear } from '#features/mappings/free-values.rules.ts'
import { mappedFields } from '#features/mappings/mapped-fields.contract.ts'
import type { Mapping } from '#features/mappings/mappings.contract.ts'
import { inQuotes } from '#features/mappings/values.rules.ts'
import type { Layout, TableKind } from '#shared/csv/layout.ts'

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
