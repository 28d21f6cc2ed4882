import { unguardText } from '#shared/csv/cells.ts'
import { faultMessages, wrongWidth } from '#shared/csv/faults.ts'
import { isTagLine, notUtf8, readAsLegacy } from '#shared/csv/header.ts'
import {
  type Layout,
  readLayout,
  type TableKind,
  titlesMissing,
  UnreadableTable,
} from '#shared/csv/layout.ts'
import { type Line, legacyLetters, lineReader } from '#shared/csv/lines.ts'
import { type CsvRecord, fits, isBlank, recordReader } from '#shared/csv/records.ts'

/** A row with as many cells as its table, or the French message that rejects it; numbered by its first line. */
export type TableRow =
  | { readonly line: number; readonly cells: readonly string[] }
  | { readonly line: number; readonly fault: string; readonly text: string }

/** Some rows of a table, with its layout and the notes of the reader so far. */
export type TableBatch = {
  readonly layout: Layout
  readonly rows: readonly TableRow[]
  readonly notes: readonly string[]
}

// Lines per batch, after which the caller may pause; a batch takes a few milliseconds at most.
const linesPerBatch = 500
const blank = 'Ce fichier est vide.'

/**
 * Parses a CSV table from its bytes: call `read` with each chunk in turn, then `end`. Rows are returned in small
 * batches; null means that lines were read but the header was not found yet. Blank rows and a row of HXL tags below the
 * header are skipped.
 *
 * The first line with a non-ASCII character decides the encoding: when it is not UTF-8, the file is read as
 * Windows-1252, the encoding of French spreadsheets. In a UTF-8 file, a line that is not UTF-8 is a fault; in a
 * Windows-1252 file, so is a line that contains UTF-8 sequences.
 *
 * @throws UnreadableTable from `read` and `end` when the file as a whole is not such a table
 */
export function csvTable(kind: TableKind) {
  const lines = lineReader()
  let body: ReturnType<typeof openBody> | null = null
  let above = ''
  // Null until a line decides.
  let isLegacy: boolean | null = null

  function decoded(line: Line): Line {
    if (!('fault' in line)) {
      if (accented.test(line.text)) isLegacy ??= false
      return line
    }
    if (line.fault !== 'encoding' || mangled.test(line.text)) return line
    isLegacy ??= true
    return isLegacy ? { line: line.line, text: line.text } : line
  }

  function take(found: Line, rows: TableRow[]): void {
    const line = decoded(found)
    if (body) {
      body.take(line, rows)
      return
    }
    const layout = readLayout(line, kind, above)
    if (layout) body = openBody(layout)
    else above = line.text
  }

  function* batchesOf(some: Iterable<Line>): Generator<TableBatch | null, void, undefined> {
    let rows: TableRow[] = []
    let count = 0
    for (const line of some) {
      take(line, rows)
      count += 1
      if (count % linesPerBatch !== 0) continue
      yield batchOf(rows)
      rows = []
    }
    if (rows.length > 0) yield batchOf(rows)
  }

  function batchOf(rows: readonly TableRow[]): TableBatch | null {
    return body && { layout: body.layout, rows, notes: isLegacy ? [readAsLegacy] : [] }
  }

  return {
    read: (chunk: Uint8Array) => batchesOf(lines.read(chunk)),
    *end(): Generator<TableBatch | null, void, undefined> {
      yield* batchesOf(lines.end())
      if (!body) throw above ? titlesMissing(kind, blank) : new UnreadableTable(blank)
      yield batchOf(body.end())
    },
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: what ASCII is
const accented = /[^\u0000-\u007f]/
/**
 * An accented letter in UTF-8, or its first byte, decoded as Windows-1252. The first byte gives « Ã », which is also a
 * Portuguese capital: next to other capitals, as in « MAÇÃ », it is not counted.
 */
const mangled = new RegExp(`\u00c3[${legacyLetters.slice(0x80, 0xc0)}]|\\p{Ll}\u00c3|\u00c3\\p{Ll}`, 'u')

function openBody(layout: Layout) {
  const { separator, width, isFrench, format } = layout
  const records = recordReader(separator, width)
  const isWhole = (cells: readonly string[]) => (isFrench ? fits(cells, width) : cells.length === width)
  const isGuarded = (cells: readonly string[]) =>
    format.isGuarded && cells.some((cell) => cell.startsWith("'"))
  let isFirst = true
  let read = 0
  let undecodable = 0

  function rowOf(record: CsvRecord): TableRow | null {
    if ('fault' in record) {
      if (record.fault === 'encoding') undecodable += 1
      return { line: record.line, fault: faultMessages[record.fault], text: record.text }
    }
    const { line, cells } = record
    if (cells.every(isBlank)) return null
    const isTags = isFirst && isTagLine(cells)
    isFirst = false
    if (isTags) return null
    if (!isWhole(cells)) {
      return { line, fault: wrongWidth(cells.length, width), text: cells.join(separator) }
    }
    return isGuarded(cells) ? { line, cells: cells.map(unguardText) } : record
  }

  function add(found: Iterable<CsvRecord>, rows: TableRow[]): void {
    for (const record of found) {
      const row = rowOf(record)
      if (!row) continue
      read += 1
      rows.push(row)
    }
  }

  return {
    layout,
    take: (line: Line, rows: TableRow[]) => add(records.take(line), rows),
    end(): readonly TableRow[] {
      const rows: TableRow[] = []
      add(records.end(), rows)
      if (read > 0 && undecodable === read) throw new UnreadableTable(notUtf8)
      return rows
    },
  }
}
