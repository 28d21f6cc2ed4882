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

/** A column that a table may have: the key that we go by, and what may stand over it, the first being how we name it. */
export type TableColumn = {
  readonly key: string
  readonly titles: readonly string[]
  /** A table without it is none. */
  readonly isRequired: boolean
}

/** One of the forms in which a table may come. */
export type TableFormat = {
  readonly name: string
  /** A spreadsheet in French writes it: decimal commas, `dd/mm/yyyy`, empty cells behind the last. */
  readonly isFrench: boolean
  /** Our export wrote it, so that texts which look like formulas are led by an apostrophe (`csv/cells.ts`). */
  readonly isGuarded: boolean
  readonly columns: readonly TableColumn[]
}

/** What a file should be: « un fichier de prix », its columns in a few words, and the forms in which it may come. */
export type TableKind = {
  readonly name: string
  readonly titled: string
  readonly formats: readonly TableFormat[]
  /**
   * Somebody has said which columns these are: lines may stand above the titles, which may be repeated or blank, and two
   * of them are enough.
   */
  readonly isDescribed?: true
  /** How many of its titles a table must have to be taken for one; 3 without it. */
  readonly fewestTitles?: number
}

/** What the first row of a table says of the others. */
export type Layout = {
  readonly format: TableFormat
  readonly separator: string
  /** A spreadsheet in French wrote it, or people who speak it. */
  readonly isFrench: boolean
  /** Texts are as they were, days and instants as a workbook knows them. */
  readonly isWorkbook: boolean
  /** Cells in every row. */
  readonly width: number
  /** What stands over each, as titles are compared. */
  readonly titles: readonly string[]
  /** Where each column of ours stands; a column that the file does not have is absent. */
  readonly columns: ReadonlyMap<string, number>
}

/** The file as a whole cannot be read; the message, in French, says why and what to do. */
export class UnreadableTable extends Error {
  override name = 'UnreadableTable'
}

/** It may well be a table, but not with these titles. */
export class UnknownTitles extends UnreadableTable {
  override name = 'UnknownTitles'
}

const separators = [',', ';', '\t']
// Two titles may be anybody's.
const fewestTitles = 3

/**
 * Recognises a table by the line that names its columns, in any order and with others between them; null for one that
 * may stand before it.
 *
 * @param above the line before it
 * @throws UnreadableTable when it is no such table or lacks a column
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

/** The same of a workbook’s first row. */
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

/** A line as titles, and the two ways in which it is with the one above it. */
function readingsOf(above: string[], own: string[], separator: string): Reading[] {
  if (above.length === 0) return [{ separator, names: own }]
  const { grouped, completed } = joinedTitles(above, own)
  return [own, grouped, completed].map((names) => ({ separator, names }))
}

/** The refusal of a file that ends before its titles. */
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
