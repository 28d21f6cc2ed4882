import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

/** What a report says: lines under its title, then sections, each drawn as figures, lying bars or a line over days. */
export type DrawnReport = {
  title: string
  lines: readonly string[]
  sections: readonly {
    title: string
    definition: string
    unit: string
    drawn: 'figures' | 'bars' | 'line'
    /** `value` is null where nothing is known; of a line, `name` is a day, `yyyy-mm-dd`. `text` says a value better than its figure. */
    rows: readonly { name: string; value: number | null; text?: string }[]
  }[]
}

const longestMs = 20_000

/**
 * A report as a PDF, drawn in a thread of its own: half a second of drawing would hold up every other answer.
 *
 * @throws when it takes more than 20 s
 */
export async function drawReport(report: DrawnReport): Promise<Uint8Array> {
  const worker = new Worker(new URL('./drawing-thread.ts', import.meta.url), { workerData: report, env: {} })
  try {
    const [bytes] = await once(worker, 'message', { signal: AbortSignal.timeout(longestMs) })
    return bytes as Uint8Array
  } finally {
    await worker.terminate()
  }
}
