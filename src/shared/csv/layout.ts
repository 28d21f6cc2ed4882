import {
  comparedTitle,
  distinctTitles,
  firstRepeated,
  isAboveTitles,
  joinedTitles,
  oldLineEnds,
  titlesOf,
  trimmedTitles,
} from '#shared/csv/header.ts'
import type { Line } from '#shared/csv/lines.ts'

/**
 * A column that a table may have: its key in our code, and its accepted titles, of which error messages use the first.
 */
export type TableColumn = {
  readonly key: string
  readonly titles: readonly string[]
  /** Whether a table without this column is rejected. */
  readonly isRequired: boolean
}

/** One of the accepted formats of a table. */
export type TableFormat = {
  readonly name: string
  /** Written by a spreadsheet in French: decimal commas, `dd/mm/yyyy`, empty cells at the end of rows. */
  readonly isFrench: boolean
  /** Written by our export, so that texts that look like formulas are prefixed with an apostrophe (`csv/cells.ts`). */
  readonly isGuarded: boolean
  readonly columns: readonly TableColumn[]
}

/**
 * An expected kind of file: its French name (« un fichier de prix »), a short list of its columns, and the accepted
 * formats.
 */
export type TableKind = {
  readonly name: string
  readonly titled: string
  readonly formats: readonly TableFormat[]
  /**
   * The header may be below other lines, its titles may be repeated or blank, and two of them are enough: the user has
   * mapped the columns, or the file is a bank's.
   */
  readonly isDescribed?: true
  /** Number of known titles required to recognise a table; 3 when absent. */
  readonly fewestTitles?: number
}

/** Properties of a table, detected from its header. */
export type Layout = {
  readonly format: TableFormat
  readonly separator: string
  /** Written by a French spreadsheet or by French speakers. */
  readonly isFrench: boolean
  /** Read from a workbook: texts are unescaped, days and instants are typed cells. */
  readonly isWorkbook: boolean
  /** Number of cells of each row. */
  readonly width: number
  /** Normalised title of each column. */
  readonly titles: readonly string[]
  /** Position of each known column in the file; a column missing from the file is absent. */
  readonly columns: ReadonlyMap<string, number>
}

/** The file as a whole cannot be read; the message, in French, says why and what to do. */
export class UnreadableTable extends Error {
  override name = 'UnreadableTable'
}

/** The file may be a table, but its titles are not the expected ones. */
export class UnknownTitles extends UnreadableTable {
  override name = 'UnknownTitles'
}

const separators = [',', ';', '\t']
// One or two matching titles may be a coincidence.
const fewestTitles = 3

/**
 * Recognises a table by its header line, with its columns in any order and unknown columns between them. Returns null
 * for a line that may precede the header.
 *
 * @param above the line before it
 * @throws UnreadableTable when the line is not the header of such a table, or lacks a required column
 */
export function readLayout(line: Line, kind: TableKind, above = ''): Layout | null {
  if ('fault' in line) throw new UnreadableTable(notThis(kind))
  const text = line.text.replace(/\r$/, '')
  if (isAboveTitles(text)) return null
  if (text.includes('\r')) throw new UnreadableTable(oldLineEnds)
  const layout = layoutOf(
    separators.flatMap((separator) =>
      readingsOf(titlesOf(above, separator), titlesOf(text, separator), separator),
    ),
    kind,
  )
  return layout && { ...layout, isFrench: layout.isFrench || layout.separator === ';' }
}

/** Does the same for the first row of a workbook. */
export function readTitles(
  cells: readonly string[],
  kind: TableKind,
  above: readonly string[] = [],
): Layout | null {
  if (cells.every((cell) => cell.trim() === '')) return null
  const layout = layoutOf(readingsOf(trimmedTitles(above), trimmedTitles(cells), ';'), kind)
  return layout && { ...layout, isWorkbook: true }
}

type Reading = { separator: string; names: string[] }

/** Returns the possible headers: the line alone, and its two combinations with the line above (see `joinedTitles`). */
function readingsOf(above: string[], own: string[], separator: string): Reading[] {
  if (above.length === 0) return [{ separator, names: own }]
  const { grouped, completed } = joinedTitles(above, own)
  return [own, grouped, completed].map((names) => ({ separator, names }))
}

/** Returns the error for a file that ends before its header. */
export function titlesMissing({ isDescribed, formats }: TableKind, whenBlank: string): UnreadableTable {
  const titles = isDescribed ? formats[0]?.columns.filter(({ isRequired }) => isRequired) : null
  return titles
    ? new UnknownTitles(`Aucune ligne de ce fichier n’a tous ces titres\u00a0: ${namesOf(titles)}.`)
    : new UnreadableTable(whenBlank)
}

function layoutOf(readings: readonly Reading[], kind: TableKind): Layout | null {
  let best: { format: TableFormat; separator: string; names: string[]; columns: Map<string, number> } | null =
    null
  for (const { separator, names: written } of readings) {
    const names = kind.isDescribed ? distinctTitles(written).map(comparedTitle) : written
    const places = new Map(names.map((name, at) => [name, at]))
    for (const format of kind.formats) {
      const columns = placesIn(places, format)
      if (columns.size > (best?.columns.size ?? 0)) best = { format, separator, names, columns }
    }
  }
  const missing = best?.format.columns.filter(({ key, isRequired }) => isRequired && !best.columns.has(key))
  if (kind.isDescribed && (!missing || missing.length > 0)) return null
  if (!best || !missing || (best.columns.size < (kind.fewestTitles ?? fewestTitles) && !kind.isDescribed))
    throw new UnknownTitles(notThis(kind))
  const { format, separator, names, columns } = best
  const repeated = firstRepeated(names)
  if (repeated) {
    const shown = repeated.length > 40 ? `${repeated.slice(0, 40)}…` : repeated
    throw new UnknownTitles(`La colonne «\u202f${shown}\u202f» figure deux fois dans la première ligne.`)
  }
  if (missing.length > 0) throw new UnknownTitles(absent(missing))
  return {
    format,
    separator,
    isFrench: format.isFrench,
    isWorkbook: false,
    width: names.length,
    titles: names,
    columns,
  }
}

function placesIn(places: ReadonlyMap<string, number>, { columns }: TableFormat): Map<string, number> {
  const found = new Map<string, number>()
  for (const { key, titles } of columns) {
    const title = titles.map(comparedTitle).find((each) => places.has(each))
    if (title !== undefined) found.set(key, places.get(title) ?? 0)
  }
  return found
}

function absent(columns: readonly TableColumn[]): string {
  return `${columns.length > 1 ? 'Colonnes absentes' : 'Colonne absente'}\u00a0: ${namesOf(columns)}.`
}

function namesOf(columns: readonly TableColumn[]): string {
  return columns.map(({ titles }) => titles[0]).join(', ')
}

function notThis({ name, titled }: TableKind): string {
  return `Ce fichier n’est pas ${name}\u00a0: sa première ligne devrait nommer les colonnes (${titled}).`
}
