// The thread that unpacks a workbook: what it takes too much memory for ends it, not the server.

import { parentPort, workerData } from 'node:worker_threads'
import { streamXlsxRows } from 'hucre/xlsx'
import type { WorkbookRow } from '#server/workbook/read-workbook.ts'

// A sheet may claim sixteen thousand columns; nobody's table has as many as this.
const mostCells = 200
const rowsPerMessage = 1_000

let rows: WorkbookRow[] = []
for await (const { index, values } of streamXlsxRows(workerData)) {
  rows.push({ line: index + 1, cells: values.slice(0, mostCells).map(textOf) })
  if (rows.length === rowsPerMessage) {
    parentPort?.postMessage(rows)
    rows = []
  }
}
parentPort?.postMessage(rows)
// The last word: without it, the thread was stopped.
parentPort?.postMessage('end')

/** What a cell shows; of a formula, its last result. */
function textOf(value: unknown): string {
  // Spreadsheets compute in binary and show fifteen digits.
  if (typeof value === 'number') return String(Number(value.toPrecision(15)))
  // A day, and the time of day if it has one.
  if (value instanceof Date) return value.toISOString().replace(/(?:T00:00:00\.000|(?:\.000)?)Z$/, '')
  if (typeof value === 'boolean') return value ? 'VRAI' : 'FAUX'
  return typeof value === 'string' ? value : ''
}
