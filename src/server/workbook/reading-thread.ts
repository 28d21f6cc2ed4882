// The thread that unpacks a workbook: what it takes too much memory for ends it, not the server.

import { parentPort, workerData } from 'node:worker_threads'
import { streamXlsxRows } from 'hucre/xlsx'
import { partOf, sheetsOf, tabsOf, textOf } from '#server/workbook/archive.ts'
import { type DollarsOfRow, dollarStyles, dollarsOf } from '#server/workbook/dollar-cells.ts'
import type { SheetRows, ThreadData, WorkbookRow } from '#server/workbook/read-workbook.ts'
import { checkSheet } from '#server/workbook/sheet-check.ts'

// A sheet may claim sixteen thousand columns; nobody's table has as many as this.
const mostCells = 200
/** The first message has one, each of the next twice as many: whom the first rows tell enough need not wait. */
const mostRowsPerMessage = 1_000

const mostMessages = 4
// No spreadsheet holds a longer text in a cell.
const longestText = 32_767

const { bytes, taken }: ThreadData = workerData
let posted = 0

/** Tells some rows. Reading pushes them whether they are wanted or not, so that only stopping the thread makes it wait. */
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
for (const [sheet, { at, path }] of (tabs.length > 0 ? tabs : [{ at: 0, path: '' }]).entries()) {
  let rows: WorkbookRow[] = []
  const inDollars = styles.size > 0 ? follow(dollarsOf(partOf(bytes, path), styles)) : null
  for await (const { index, values } of streamXlsxRows(bytes, { sheet: at })) {
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
// The last word: without it, the thread was stopped.
parentPort?.postMessage('end')

/** The columns in dollars of a row, asked for in the order of rows. */
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

/** What a cell shows; of a formula, its last result. @param isInDollars by its format */
function shown(value: unknown, isInDollars = false): string {
  if (typeof value === 'number' && isInDollars) return `${shown(value)} USD`

  // Spreadsheets compute in binary and show fifteen digits.
  if (typeof value === 'number')
    // A point of a number is a decimal one: with four decimals, no reader takes it for thousands.
    return String(Number(value.toPrecision(15))).replace(/^(-?[1-9]\d{0,2}\.\d{3})$/, '$10')
  // A day, and the time of day if it has one; what NOW() gives has thousandths of a second.
  if (value instanceof Date) return value.toISOString().replace(/(?:T00:00:00\.000|(?:\.000)?)Z$/, '')
  if (typeof value === 'boolean') return value ? 'VRAI' : 'FAUX'
  return typeof value === 'string' ? value.slice(0, longestText) : ''
}
