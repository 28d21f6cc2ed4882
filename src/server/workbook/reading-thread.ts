// Thread that unpacks a workbook; a workbook that needs too much memory ends the thread, not the server.

import { parentPort, workerData } from 'node:worker_threads'
import { streamXlsxRows } from 'hucre/xlsx'
import { partOf, sheetsOf, tabsOf, textOf } from '#server/workbook/archive.ts'
import { type DollarsOfRow, dollarStyles, dollarsOf } from '#server/workbook/dollar-cells.ts'
import type { SheetRows, ThreadData, WorkbookRow } from '#server/workbook/read-workbook.ts'
import { checkSheet } from '#server/workbook/sheet-check.ts'

// A sheet may have sixteen thousand columns; real tables never fill this many.
const mostCells = 200
/** The first message has one row and each next one twice as many, so a caller that needs few rows gets them early. */
const mostRowsPerMessage = 1_000

const mostMessages = 4
// Longest text of a cell in spreadsheets.
const longestText = 32_767

const { bytes, taken }: ThreadData = workerData
let posted = 0

/** Sends rows to the server. The reader cannot be paused, so the thread blocks until enough messages are consumed. */
function post(some: SheetRows): void {
  for (let now = Atomics.load(taken, 0); posted - now >= mostMessages; now = Atomics.load(taken, 0)) {
    Atomics.wait(taken, 0, now)
  }
  parentPort?.postMessage(some)
  posted += 1
}

for (const sheet of sheetsOf(bytes)) await checkSheet(sheet)

const tabs = await tabsOf(bytes)
const sheets = tabs.map(({ name }) => name)
const styles = dollarStyles(await textOf(bytes, 'xl/styles.xml'))
let wanted = 1
reading: for (const [sheet, { at, path }] of (tabs.length > 0 ? tabs : [{ at: 0, path: '' }]).entries()) {
  let rows: WorkbookRow[] = []
  const inDollars = styles.size > 0 ? follow(dollarsOf(partOf(bytes, path), styles)) : null
  for await (const { index, values } of streamXlsxRows(bytes, { sheet: at })) {
    if (isTooWide(values)) {
      // First what precedes it, so that a reader who has found the table on an earlier sheet stops before it.
      post({ sheets, sheet, rows })
      parentPort?.postMessage('wide')
      break reading
    }
    const columns = await inDollars?.(index + 1)
    const cells = values.slice(0, mostCells).map((value, column) => shown(value, columns?.has(column)))
    rows.push({ line: index + 1, cells })
    if (rows.length === wanted) {
      post({ sheets, sheet, rows })
      rows = []
      wanted = Math.min(2 * wanted, mostRowsPerMessage)
    }
  }
  post({ sheets, sheet, rows })
}
// Marks the complete end; without it, the thread was stopped.
parentPort?.postMessage('end')

/** Returns a function that gives the columns in dollars of a row; must be called in the order of rows. */
function follow(
  rows: AsyncGenerator<DollarsOfRow>,
): (row: number) => Promise<ReadonlySet<number> | undefined> {
  let next = rows.next()
  return async (row) => {
    let found = await next
    while (!found.done && found.value.row < row) {
      next = rows.next()
      found = await next
    }
    return found.done || found.value.row !== row ? undefined : found.value.columns
  }
}

/** Whether a cell beyond the last one that is read is filled. A loop, since a row may claim sixteen thousand blank ones. */
function isTooWide(values: readonly unknown[]): boolean {
  for (let column = mostCells; column < values.length; column++) {
    const value = values[column]
    if (value !== null && value !== undefined && shown(value).trim() !== '') return true
  }
  return false
}

/** Returns the displayed text of a cell, of a formula its last result. @param isInDollars whether its format is dollars */
function shown(value: unknown, isInDollars = false): string {
  if (typeof value === 'number' && isInDollars) return `${shown(value)} USD`

  // Spreadsheets compute in binary and display fifteen digits.
  if (typeof value === 'number')
    // The point is a decimal point: a fourth decimal prevents parsing it as a thousands separator.
    return String(Number(value.toPrecision(15))).replace(/^(-?[1-9]\d{0,2}\.\d{3})$/, '$10')
  // A day, with its time if there is one; values of NOW() have milliseconds.
  if (value instanceof Date) return value.toISOString().replace(/(?:T00:00:00\.000|(?:\.000)?)Z$/, '')
  if (typeof value === 'boolean') return value ? 'VRAI' : 'FAUX'
  return typeof value === 'string' ? value.slice(0, longestText) : ''
}
