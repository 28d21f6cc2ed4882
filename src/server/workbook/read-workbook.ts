import { on } from 'node:events'
import { startThread } from '#server/thread.ts'
import { timeLimits } from '#server/time-limits.ts'
import { checkArchive, RefusedArchive } from '#server/workbook/archive.ts'

/** A row of a sheet, its cells as texts; `line` counts from 1, as in spreadsheets. */
export type WorkbookRow = { readonly line: number; readonly cells: readonly string[] }

/** Some rows of a sheet, with its index among the names of all visible sheets. */
export type SheetRows = {
  readonly sheets: readonly string[]
  readonly sheet: number
  readonly rows: readonly WorkbookRow[]
}

/** The workbook cannot be read; the message, in French, gives the reason. */
export class UnreadableWorkbook extends Error {
  override name = 'UnreadableWorkbook'
}

/** The workbook could not be read because the server was busy. */
export class BusyForWorkbook extends UnreadableWorkbook {
  override name = 'BusyForWorkbook'
}

const heapMb = 80
/** Limit of processor time (ms) for a workbook of 50 MB; ordinary ones take three seconds at most. */
const mostWorkMs = 5_000
const lookEveryMs = 250

/**
 * Yields the rows of an XLSX workbook in batches, sheet by sheet. A separate thread with at most 92 MB of heap unpacks
 * them, and waits while the rows are not consumed.
 *
 * @param bytes transferred to the thread, so the caller can no longer use them
 * @throws UnreadableWorkbook when it is not a workbook, is hostile or damaged, or when the server is too busy
 * @throws the reason of `signal` once it is aborted
 */
export async function* readWorkbook(
  bytes: Uint8Array,
  signal?: AbortSignal,
  limits = { workMs: mostWorkMs, waitMs: timeLimits.workbook },
): AsyncGenerator<SheetRows, void, undefined> {
  try {
    checkArchive(bytes)
  } catch (error) {
    if (error instanceof RefusedArchive) throw new UnreadableWorkbook(error.message)
    throw error
  }
  // Transferred instead of copied, unless the buffer is shared with other data.
  const { buffer } = bytes
  const isAlone = buffer instanceof ArrayBuffer && buffer.byteLength === bytes.byteLength
  const own = isAlone ? new Uint8Array(buffer) : new Uint8Array(bytes)
  const taken = new Int32Array(new SharedArrayBuffer(4))
  const worker = startThread(new URL('./reading-thread.ts', import.meta.url), {
    workerData: { bytes: own, taken } satisfies ThreadData,
    transferList: [own.buffer],
    heapMb,
  })
  const late = new AbortController()
  const stop = signal ? AbortSignal.any([signal, late.signal]) : late.signal
  let waitedMs = 0
  /** Start (ms) of the current wait for the thread; null while the consumer processes rows. */
  let since: number | null = performance.now()
  const watch = setInterval(async () => {
    if (since !== null && waitedMs + performance.now() - since > limits.waitMs) late.abort(tooBusy)
    // A thread that has just ended reports no usage.
    const { user, system } = await worker.cpuUsage().catch(() => ({ user: 0, system: 0 }))
    if ((user + system) / 1000 > limits.workMs) late.abort(unreadable)
  }, lookEveryMs)
  try {
    for await (const [posted] of on(worker, 'message', { signal: stop, close: ['exit'] })) {
      const message: SheetRows | 'end' | 'wide' = posted
      if (message === 'end') return
      if (message === 'wide') throw new UnreadableWorkbook(tooWide)
      waitedMs += performance.now() - since
      since = null
      yield message
      since = performance.now()
      Atomics.add(taken, 0, 1)
      Atomics.notify(taken, 0)
    }
    throw new Error('the thread that reads workbooks ended before its time')
  } catch (error) {
    signal?.throwIfAborted()
    if (error instanceof UnreadableWorkbook) throw error
    if (late.signal.reason === tooBusy) throw new BusyForWorkbook(tooBusy, { cause: error })
    throw new UnreadableWorkbook(unreadable, { cause: error })
  } finally {
    clearInterval(watch)
    await worker.terminate()
  }
}

/** Data of the thread: the workbook, and the counter of consumed messages. */
export type ThreadData = {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly taken: Int32Array<SharedArrayBuffer>
}

const tooBusy =
  'Le serveur est trop occupé pour lire ce classeur maintenant. Réessayez dans quelques minutes, ou enregistrez-le en «\u202fCSV UTF-8\u202f».'
const tooWide =
  'Ce classeur a plus de 200\u00a0colonnes remplies\u00a0: découpez-le, ou enregistrez-le en «\u202fCSV UTF-8\u202f».'
const unreadable =
  'Ce classeur ne peut pas être lu\u00a0: il est abîmé ou démesuré. Ouvrez-le dans un tableur et enregistrez-le de nouveau en XLSX.'
