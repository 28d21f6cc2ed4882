import { invalidField } from '#server/errors.ts'
import { openFile, readWhole } from '#server/files/opened-file.ts'
import { readWorkbook, UnreadableWorkbook } from '#server/workbook/read-workbook.ts'
import { unguardText } from '#shared/csv/cells.ts'
import { faultMessages, wrongWidth } from '#shared/csv/faults.ts'
import {
  comparedTitle,
  firstRepeated,
  gzipped,
  isAboveTitles,
  noTable,
  notUtf8,
  oldLineEnds,
  oldWorkbook,
  titlesOf,
  utf16,
} from '#shared/csv/header.ts'
import { type Line, lineReader } from '#shared/csv/lines.ts'
import { fits, recordReader } from '#shared/csv/records.ts'

/** What a file may hold in a column: the title that people read, and the key that we go by. */
export type TableColumn<Key extends string> = { readonly key: Key; readonly title: string }

/** A row by the keys of its columns, blank where the file has none; or the French sentence that refuses it. */
export type TableRow<Key extends string> = {
  readonly line: number
  /** What it holds, to be shown. */
  readonly text: string
} & ({ readonly cells: Readonly<Record<Key, string>> } | { readonly fault: string })

type Table<Key extends string> = {
  /** « un fichier de produits » */
  name: string
  columns: readonly TableColumn<Key>[]
  /** A file without one of these is none. */
  required: readonly NoInfer<Key>[]
}

/**
 * The rows of a table as people send one: CSV (`;`, `,` or tabs, UTF-8) or the first sheet of an XLSX workbook. Its first
 * row names the columns, in any order and with others between them. Blank rows are passed over.
 *
 * @throws AppError 400 with a French message when the file as a whole cannot be read
 * @throws the reason of `signal` once it is aborted
 */
export async function* readTable<Key extends string>(
  source: AsyncIterable<Uint8Array>,
  table: Table<Key>,
  signal?: AbortSignal,
): AsyncGenerator<TableRow<Key>, void, undefined> {
  const file = await openFile(source)
  if (file.format === 'zip') return yield* workbookRows(await readWhole(file), table, signal)
  if (file.format) throw refuse(advice[file.format])
  yield* csvRows(file.bytes, table)
}

const advice = { 'utf-16': utf16, gzip: gzipped, ole: oldWorkbook, document: noTable }

async function* workbookRows<Key extends string>(
  bytes: Uint8Array,
  table: Table<Key>,
  signal: AbortSignal | undefined,
): AsyncGenerator<TableRow<Key>, void, undefined> {
  let layout: Layout<Key> | undefined
  try {
    for await (const rows of readWorkbook(bytes, signal)) {
      for (const { line, cells } of rows) {
        if (cells.every((cell) => cell.trim() === '')) continue
        if (layout) yield { line, text: cells.join(';'), cells: layout.read(cells) }
        else layout = layoutOf(cells, table)
      }
    }
  } catch (error) {
    if (error instanceof UnreadableWorkbook) throw refuse(error.message, error)
    throw error
  }
  if (!layout) throw refuse('Ce classeur est vide.')
}

async function* csvRows<Key extends string>(
  bytes: AsyncIterable<Uint8Array>,
  table: Table<Key>,
): AsyncGenerator<TableRow<Key>, void, undefined> {
  let body: ReturnType<typeof openBody<Key>> = null
  let read = 0
  let undecodable = 0
  for await (const lines of linesOf(bytes)) {
    for (const line of lines) {
      if (!body) {
        body = openBody(line, table)
        continue
      }
      if ('fault' in line && line.fault === 'encoding') undecodable += 1
      for (const row of body.take(line)) {
        read += 1
        yield row
      }
    }
  }
  if (!body) throw refuse('Ce fichier est vide.')
  yield* body.end()
  if (read > 0 && undecodable === read) throw refuse(notUtf8)
}

async function* linesOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Iterable<Line>> {
  const lines = lineReader()
  for await (const chunk of bytes) yield lines.read(chunk)
  yield lines.end()
}

/** Reads the line that names the columns; null for one that may stand before it. */
function openBody<Key extends string>(line: Line, table: Table<Key>) {
  if ('fault' in line) throw refuse(line.fault === 'encoding' ? notUtf8 : notThis(table))
  const text = line.text.replace(/\r$/, '')
  if (isAboveTitles(text)) return null
  if (text.includes('\r')) throw refuse(oldLineEnds)
  const separator = [';', ',', '\t'].reduce((best, each) =>
    text.split(each).length > text.split(best).length ? each : best,
  )
  const titles = titlesOf(text, separator)
  const layout = layoutOf(titles, table)
  const records = recordReader(separator, titles.length)

  function* rowsOf(found: ReturnType<typeof records.end>): Generator<TableRow<Key>, void, undefined> {
    for (const record of found) {
      const { line } = record
      if ('fault' in record) {
        yield { line, text: record.text, fault: faultMessages[record.fault] }
        continue
      }
      const { cells } = record
      if (cells.every((cell) => cell.trim() === '')) continue
      const text = cells.join(separator)
      if (fits(cells, titles.length)) yield { line, text, cells: layout.read(cells.map(unguardText)) }
      else yield { line, text, fault: wrongWidth(cells.length, titles.length) }
    }
  }
  return {
    take: (next: Line) => rowsOf(records.take(next)),
    end: () => rowsOf(records.end()),
  }
}

type Layout<Key extends string> = { read(cells: readonly string[]): Record<Key, string> }

/** Where each column stands, by the row that names them by their titles or keys. */
function layoutOf<Key extends string>(titles: readonly string[], table: Table<Key>): Layout<Key> {
  const names = titles.map(comparedTitle)
  const places = table.columns.map(({ key, title }) => ({
    key,
    title,
    place: Math.max(names.indexOf(comparedTitle(title)), names.indexOf(key)),
  }))
  const isMissing = (key: Key) => places.some((each) => each.key === key && each.place < 0)
  const missing = table.columns.filter(({ key }) => table.required.includes(key) && isMissing(key))
  if (missing.length === table.required.length) throw refuse(notThis(table))
  if (missing.length > 0) {
    const absent = missing.map(({ title }) => `«\u202f${title}\u202f»`).join(', ')
    throw refuse(`${missing.length > 1 ? 'Colonnes absentes' : 'Colonne absente'}\u00a0: ${absent}.`)
  }
  const repeated = firstRepeated(names)
  if (repeated) throw refuse(`La colonne «\u202f${repeated}\u202f» figure deux fois dans la première ligne.`)
  return {
    // Every column has its place, and so every key its text.
    read: (cells) =>
      Object.fromEntries(places.map(({ key, place }) => [key, cells[place] ?? ''])) as Record<Key, string>,
  }
}

function notThis<Key extends string>({ name, columns }: Table<Key>): string {
  const titles = columns.map(({ title }) => title).join(', ')
  return `Ce fichier n’est pas ${name}\u00a0: sa première ligne devrait nommer les colonnes (${titles}).`
}

function refuse(message: string, cause?: unknown) {
  const refusal = invalidField('file', message)
  refusal.cause = cause
  return refusal
}
