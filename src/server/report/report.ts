import { once } from 'node:events'
import { createGate } from '#server/http/gate.ts'
import { startThread } from '#server/thread.ts'
import { timeLimits } from '#server/time-limits.ts'
import type { DrawnReport } from '#shared/drawing.ts'

// Each takes some 30 MB and a processor: one at a time, for as long as those who ask wait for an answer.
const turns = createGate({
  slots: 1,
  longestWaitMs: timeLimits.reportTurn,
  burstWaitMs: timeLimits.reportTurn,
})

/**
 * A report as a PDF, drawn in a thread of its own: half a second of drawing would hold up every other answer.
 *
 * @param bundle the build of the views, which draw its charts as they do on screen
 * @throws AppError 503 when too many others are being drawn
 * @throws when it takes longer than `timeLimits.report`
 */
export function drawReport(report: DrawnReport, bundle: string): Promise<Uint8Array> {
  return turns.run(() => drawInThread(report, bundle))
}

async function drawInThread(report: DrawnReport, bundle: string): Promise<Uint8Array> {
  const worker = startThread(new URL('./drawing-thread.ts', import.meta.url), {
    workerData: { report, bundle },
    heapMb: 128,
  })
  try {
    const [bytes] = await once(worker, 'message', { signal: AbortSignal.timeout(timeLimits.report) })
    return bytes as Uint8Array
  } finally {
    await worker.terminate()
  }
}
