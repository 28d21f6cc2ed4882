import { once } from 'node:events'
import { startThread } from '#server/thread.ts'
import type { DrawnReport } from '#shared/drawing.ts'

const longestMs = 20_000

/**
 * A report as a PDF, drawn in a thread of its own: half a second of drawing would hold up every other answer.
 *
 * @param bundle the build of the views, which draw its charts as they do on screen
 * @throws when it takes more than 20 s
 */
export async function drawReport(report: DrawnReport, bundle: string): Promise<Uint8Array> {
  const worker = startThread(new URL('./drawing-thread.ts', import.meta.url), {
    workerData: { report, bundle },
    heapMb: 128,
  })
  try {
    const [bytes] = await once(worker, 'message', { signal: AbortSignal.timeout(longestMs) })
    return bytes as Uint8Array
  } finally {
    await worker.terminate()
  }
}
