import { once } from 'node:events'
import { startThread } from '#server/thread.ts'
import { timeLimits } from '#server/time-limits.ts'
import type { DrawnReport } from '#shared/drawing.ts'

/**
 * Returns a report as a workbook, written in a thread of its own, so that no response waits for it.
 * @throws when it takes longer than `timeLimits.report`
 */
export async function writeReportWorkbook(report: DrawnReport): Promise<Uint8Array> {
  const thread = startThread(new URL('./workbook-thread.jobs.ts', import.meta.url), {
    workerData: report,
    heapMb: 128,
  })
  try {
    const [bytes] = await once(thread, 'message', { signal: AbortSignal.timeout(timeLimits.report) })
    return bytes as Uint8Array
  } finally {
    await thread.terminate()
  }
}
