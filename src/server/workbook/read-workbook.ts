import { on } from 'node:events'
import { Worker } from 'node:worker_threads'
import { checkArchive, RefusedArchive } from '#server/workbook/archive.ts'

/** A row of a sheet, its cells as texts; numbered from 1 as spreadsheets do. */
export type WorkbookRow = { readonly line: number; readonly cells: readonly string[] }

/** The workbook cannot be read; the message, in French, says why. */
export class UnreadableWorkbook extends Error {
  override name = 'UnreadableWorkbook'
}

const heap = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 }
/** How long a workbook of 50 MB may take, on a slow machine. */
const longestReadingMs = 60_000

/**
 * The rows of the first sheet of an XLSX workbook, some at a time, unpacked in a thread of their own that may use
 * 256 MB.
 *
 * @throws UnreadableWorkbook when it is no workbook, hostile or damaged
 * @throws the reason of `signal` once it is aborted
 */
export async function* readWorkbook(
  bytes: Uint8Array,
  signal?: AbortSignal,
): AsyncGenerator<readonly WorkbookRow[], void, undefined> {
  try {
    checkArchive(bytes)
  } catch (error) {
    if (error instanceof RefusedArchive) throw new UnreadableWorkbook(error.message)
    throw error
  }
  const worker = new Worker(new URL('./reading-thread.ts', import.meta.url), {
    workerData: bytes,
    resourceLimits: heap,
    env: {},
  })
  const timeout = AbortSignal.timeout(longestReadingMs)
  const stop = signal ? AbortSignal.any([signal, timeout]) : timeout
  try {
    for await (const [posted] of on(worker, 'message', { signal: stop, close: ['exit'] })) {
      const message: readonly WorkbookRow[] | 'end' = posted
      if (message === 'end') return
      yield message
    }
    throw new Error('the thread that reads workbooks ended before its time')
  } catch (error) {
    signal?.throwIfAborted()
    throw new UnreadableWorkbook(unreadable, { cause: error })
  } finally {
    await worker.terminate()
  }
}

const unreadable =
  'Ce classeur ne peut pas être lu\u00a0: il est abîmé ou démesuré. Ouvrez-le dans un tableur et enregistrez-le de nouveau en XLSX.'
