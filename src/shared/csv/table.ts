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
import { type CsvRecord, fits, recordReader } from '#shared/csv/records.ts'

/** A row as wide as its table, or the French sentence that refuses it; numbered by the line that it starts on. */
export type TableRow =
  | { readonly line: number; readonly cells: readonly string[] }
  | { readonly line: number; readonly fault: string; readonly text: string }

/** Some rows of a table, whose first row said `layout`, and the state of the reader so far. */
export type TableBatch = {
  readonly layout: Layout
  readonly rows: readonly TableRow[]
  readonly notes: readonly string[]
}

// The reader may pause after as many, which take a few milliseconds at worst.
const linesPerBatch = 500

/**
 * Reads a CSV table from its bytes: `read` each chunk in turn, then `end`. Rows come a few at a time; null only says that
 * some lines have been read. Rows that are blank are passed over, and so is one of HXL tags below the titles.
 *
 * The first line with an accent tells the encoding: where it is no UTF-8 the file is in Windows-1252, as spreadsheets in
 * French save one. Elsewhere a line that is no UTF-8 is damaged, and so is one that has UTF-8 in it all the same.
 *
 * @throws UnreadableTable from `read` and `end` when the file as a whole is no such table
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
      if (!body) throw titlesMissing(kind, 'Ce fichier est vide.')
      yield batchOf(body.end())
    },
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: what ASCII is
const accented = /[^\u0000-\u007f]/
/**
 * A letter of ours in UTF-8, whole or its first half, read as Windows-1252. What it begins with is a capital of Portuguese as
 * well, which stands among capitals: « MAÇÃ ».
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

/** Spreadsheets save the rows that were emptied as well. */
export function isBlank(cell: string): boolean {
  return cell.trim() === ''
}
