import { setImmediate } from 'node:timers/promises'
import { invalidField } from '#server/errors.ts'
import { openFile, readWhole } from '#server/files/opened-file.ts'
import { readWorkbook, UnreadableWorkbook } from '#server/workbook/read-workbook.ts'
import { gzipped, isTagLine, noTable, oldWorkbook, utf16 } from '#shared/csv/header.ts'
import {
  type Layout,
  readTitles,
  type TableKind,
  titlesMissing,
  UnreadableTable,
} from '#shared/csv/layout.ts'
import { isBlank } from '#shared/csv/records.ts'
import { csvTable, type TableBatch, type TableRow } from '#shared/csv/table.ts'

/**
 * Reads the rows of an uploaded table: CSV (`,`, `;` or tabs, UTF-8 or Windows-1252), or the first sheet of an XLSX
 * workbook that is a table, in any layout of its kind. The first row names the columns, in any order, with other
 * columns allowed. Every table gives at least one batch. Reading yields to the event loop every few milliseconds.
 *
 * @param source bytes of the file, in chunks of any size up to a few megabytes
 * @throws AppError 400 with a French message when the file as a whole cannot be read
 * @throws the reason of `signal` once it is aborted
 */
export async function* readTable(
  source: AsyncIterable<Uint8Array>,
  kind: TableKind,
  signal?: AbortSignal,
): AsyncGenerator<TableBatch, void, undefined> {
  const file = await openFile(source)
  try {
    if (file.format === 'zip') yield* workbookRows(await readWhole(file), kind, signal)
    else if (file.format) throw new UnreadableTable(advice[file.format])
    else yield* csvRows(file.bytes, kind, signal)
  } catch (error) {
    if (!(error instanceof UnreadableTable || error instanceof UnreadableWorkbook)) throw error
    const refusal = invalidField('file', error.message)
    refusal.cause = error
    throw refusal
  } finally {
    await file.close()
  }
}

/** How long (ms) reading may block the event loop before it yields. */
const turnMs = 10

const advice = { 'utf-16': utf16, gzip: gzipped, ole: oldWorkbook, document: noTable }

async function* csvRows(
  bytes: AsyncIterable<Uint8Array>,
  kind: TableKind,
  signal: AbortSignal | undefined,
): AsyncGenerator<TableBatch, void, undefined> {
  const table = csvTable(kind)
  let since = performance.now()
  for await (const chunk of bytes) {
    for (const batch of table.read(chunk)) {
      if (batch) yield batch
      if (performance.now() - since < turnMs) continue
      await setImmediate()
      since = performance.now()
      signal?.throwIfAborted()
    }
  }
  for (const batch of table.end()) if (batch) yield batch
}

async function* workbookRows(
  bytes: Uint8Array,
  kind: TableKind,
  signal: AbortSignal | undefined,
): AsyncGenerator<TableBatch, void, undefined> {
  let layout: Layout | null = null
  let above: readonly string[] = []
  let isFirst = true
  let [current, isPassedOver] = [0, false]
  let refusal: UnreadableTable | null = null
  for await (const { sheets, sheet, rows: found } of readWorkbook(bytes, signal)) {
    if (sheet !== current) {
      // Only one table is read; the next sheet may contain another.
      if (layout) return
      current = sheet
      above = []
      isPassedOver = false
    }
    const rows: TableRow[] = []
    for (const { line, cells } of isPassedOver ? [] : found) {
      if (layout === null) {
        try {
          layout = readTitles(cells, kind, above)
        } catch (error) {
          if (!(error instanceof UnreadableTable)) throw error
          refusal ??= error
          isPassedOver = true
          break
        }
        above = cells
      } else if (!cells.every(isBlank)) {
        if (!isFirst || !isTagLine(cells)) rows.push({ line, cells: padRow(cells, layout.width) })
        isFirst = false
      }
    }
    if (layout) yield { layout, rows, notes: otherSheets(sheets, sheet) }
  }
  if (!layout) throw refusal ?? titlesMissing(kind, 'Ce classeur est vide.')
}

const mostNamed = 5

/** Returns a French sentence about the sheets that are not read, if any. */
function otherSheets(sheets: readonly string[], read: number): string[] {
  const quoted = sheets.map((name) => `«\u202f${name.slice(0, 40)}\u202f»`)
  const others = quoted.filter((_, at) => at !== read)
  if (others.length === 0) return []
  const named = others.slice(0, mostNamed).join(', ') + (others.length > mostNamed ? '…' : '')
  return [
    `Seule la feuille ${quoted[read]} est lue. Pour importer aussi ${named}, ${others.length > 1 ? 'enregistrez chacune' : 'enregistrez-la'} dans un classeur à part.`,
  ]
}

/** Returns a row with exactly `width` cells: sheets omit blank cells, and may have notes beside the table. */
function padRow(cells: readonly string[], width: number): readonly string[] {
  return Array.from({ length: width }, (_, at) => cells[at] ?? '')
}
