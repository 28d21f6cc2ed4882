// Worker thread that writes a report as a workbook.

import { parentPort, workerData } from 'node:worker_threads'
import { reportSheet, rowsOfReport } from '#features/reports/issues/workbook.rules.ts'
import { writeXlsx, xlsxCells } from '#server/workbook/xlsx.ts'

const chunks: Uint8Array[] = []
for await (const chunk of writeXlsx(reportSheet, rowsOfReport(workerData, xlsxCells))) chunks.push(chunk)
parentPort?.postMessage(Buffer.concat(chunks))
