import { once } from 'node:events'
import { createGate } from '#server/http/gate.ts'
import { startThread } from '#server/thread.ts'
import { timeLimits } from '#server/time-limits.ts'
import type { DrawnReport } from '#shared/drawing.ts'

// A drawing takes about 30 MB and one processor, so one runs at a time; callers wait up to `reportTurn`.
const turns = createGate({
  slots: 1,
  longestWaitMs: timeLimits.reportTurn,
  burstWaitMs: timeLimits.reportTurn,
})

/**
 * Draws a report as a PDF in a separate thread: half a second of drawing would block all other responses.
 *
 * @param bundle module of the built views, which draw the charts as on screen
 * @throws AppError 503 when too many others are waiting
 * @throws when drawing takes longer than `timeLimits.report`
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
