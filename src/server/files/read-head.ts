import { invalidField } from '#server/errors.ts'
import { openFile, readWhole } from '#server/files/opened-file.ts'
import { BusyForWorkbook, readWorkbook, UnreadableWorkbook } from '#server/workbook/read-workbook.ts'
import { distinctTitles, isAboveTitles, isTagLine, joinedTitles, storedStart } from '#shared/csv/header.ts'
import { lineReader } from '#shared/csv/lines.ts'
import { recordReader } from '#shared/csv/records.ts'

/** The titles of a table, made distinct, and its first rows, with as many cells as titles. */
export type TableHead = { readonly titles: string[]; readonly rows: string[][] }

const separators = [',', ';', '\t']
/** Maximum number of rows above the titles, and of rows below them that are read. */
const mostAbove = 30
const mostRows = 200
// A row with at least this many distinct dates is a row of titles: each date is the title of a column.
const fewestDays = 3
// At least a date, an item and a figure.
const fewestTitles = 3
const mostTitles = 200
// Limits the bytes read from a file with very long lines.
const mostBytes = 2_000_000

/**
 * Reads the titles and first rows of an uploaded table of unknown layout; the titles may be below a heading. The titles
 * are the first row that has at least 60 % as many cells as the fullest row, and no figures.
 *
 * @returns null for a file that is not a table
 * @throws the reason of `signal` once it is aborted
 */
export async function readHead(
  source: AsyncIterable<Uint8Array>,
  signal?: AbortSignal,
): Promise<TableHead | null> {
  const file = await openFile(source)
  try {
    if (file.format === 'zip') return await workbookHead(await readWhole(file), signal)
    if (file.format) return null
    return textHead(await firstLines(file.bytes))
  } catch (error) {
    // A busy reader does not prove that the file is not a table.
    if (error instanceof BusyForWorkbook) throw invalidField('file', error.message)
    if (error instanceof UnreadableWorkbook) return null
    throw error
  } finally {
    await file.close()
  }
}

/** Returns the head of a text, read with the separator that gives the most titles. */
function textHead(lines: readonly string[]): TableHead | null {
  const heads = separators.map((separator) => headOf(rowsOf(lines, separator)))
  return heads.reduce(
    (best, head) => ((head?.titles.length ?? 0) > (best?.titles.length ?? 0) ? head : best),
    null,
  )
}

/** Returns the head of the first sheet that has one. */
async function workbookHead(bytes: Uint8Array, signal: AbortSignal | undefined): Promise<TableHead | null> {
  let rows: string[][] = []
  let current = 0
  for await (const { sheet, rows: found } of readWorkbook(bytes, signal)) {
    const isNext = sheet !== current
    const hasEnough = rows.length >= mostAbove + mostRows
    const head = isNext || hasEnough ? headOf(rows) : null
    if (head) return head
    if (isNext) rows = []
    current = sheet
    if (isNext || !hasEnough) for (const { cells } of found) rows.push([...cells])
  }
  return headOf(rows)
}

async function firstLines(bytes: AsyncIterable<Uint8Array>): Promise<string[]> {
  const reader = lineReader()
  const lines: string[] = []
  let read = 0
  for await (const chunk of bytes) {
    for (const line of reader.read(chunk)) lines.push(line.text)
    read += chunk.length
    if (lines.length >= mostAbove + mostRows || read > mostBytes) return lines
  }
  for (const line of reader.end()) lines.push(line.text)
  return lines
}

/** Reads titles line by line, as the import does, and the rows below them as records. */
function rowsOf(lines: readonly string[], separator: string): string[][] {
  const above = lines.slice(0, mostAbove).map((line) => cellsOf(line, separator))
  const at = titlesIn(above)
  if (at < 0) return []
  const width = above[at]?.length ?? 0
  const records = recordReader(separator, width)
  const rows: string[][] = [above[at] ?? []]
  if (at > 0 && isCompletedBy(above[at] ?? [], above[at - 1] ?? [])) rows.unshift(above[at - 1] ?? [])
  const take = (found: ReturnType<typeof records.take>) => {
    for (const record of found) if ('cells' in record) rows.push([...record.cells])
  }
  for (const [index, text] of lines.slice(at + 1).entries()) take(records.take({ line: index + 1, text }))
  take(records.end())
  return rows
}

function cellsOf(line: string, separator: string): string[] {
  const text = line.replace(/\r$/, '')
  if (isAboveTitles(text)) return []
  const [record] = recordReader(separator, Number.POSITIVE_INFINITY).take({ line: 1, text })
  return record && 'cells' in record ? [...record.cells] : text.split(separator)
}

function headOf(rows: readonly string[][]): TableHead | null {
  const { written, end } = headingIn(rows)
  if (!written) return null
  const titles = distinctTitles(written.slice(0, Math.min(mostTitles, lastFilled(written))))
  const body = rows
    .slice(end)
    .filter((cells, index) => cells.some(isFilled) && !(index === 0 && isTagLine(cells)))
    .slice(0, mostRows)
    .map((cells) => titles.map((_, column) => storedStart(cells[column] ?? '', 500)))
  return { titles, rows: body }
}

/** Finds the titles, on one row or on two, and the index of the first row below them. */
function headingIn(rows: readonly string[][]): { written: readonly string[] | undefined; end: number } {
  const at = titlesIn(rows.slice(0, mostAbove))
  const [own, above = [], below = []] = [rows[at], rows[at - 1], rows[at + 1]]
  if (own && fillsBlanks(below, own)) return { written: joinedTitles(own, below).grouped, end: at + 2 }
  if (own && isCompletedBy(own, above)) return { written: joinedTitles(above, own).completed, end: at + 1 }
  return { written: own, end: at + 1 }
}

/** Whether the row above the titles is a row of titles too, which fills their blank cells. */
function isCompletedBy(titles: readonly string[], above: readonly string[]): boolean {
  return above.filter(isFilled).length >= fewestTitles && fillsBlanks(above, titles)
}

/** Whether a row has no figures, and has text where titles are blank. */
function fillsBlanks(row: readonly string[], titles: readonly string[]): boolean {
  return !row.some(isFigure) && row.some((cell, at) => isFilled(cell) && !isFilled(titles[at] ?? ''))
}

function lastFilled(cells: readonly string[]): number {
  return cells.findLastIndex(isFilled) + 1
}

/** Returns the index of the row of titles; -1 when there is none. */
function titlesIn(rows: readonly (readonly string[])[]): number {
  const filled = rows.map((cells) => cells.filter(isFilled).length)
  const fullest = Math.max(0, ...filled)
  return rows.findIndex((cells, at) => {
    const days = new Set(cells.filter(isDay))
    const mayBeDays = days.size >= fewestDays
    return (
      (filled[at] ?? 0) >= fewestTitles &&
      (filled[at] ?? 0) >= fullest * 0.6 &&
      !cells.some((cell) => isFigure(cell) && !(mayBeDays && isDay(cell)))
    )
  })
}

const isDay = (cell: string) =>
  /^\s*(?:\d{4}[-/.](?:0?[1-9]|1[0-2])(?:[-/.]\d{1,2})?|(?:\d{1,2}[-/.])?\d{1,2}[-/.](?:19|20)\d\d)\s*$/.test(
    cell,
  )
const isFilled = (cell: string) => cell.trim() !== ''
// A year or a month may be a title; an amount, a date or a percentage may not.
const isFigure = (cell: string) =>
  /^\s*-?[\d\s.,/:%-]*\d[\d\s.,/:%-]*$/.test(cell) && !/^\s*\d{4}\s*$/.test(cell)
