import type { ImportProgress } from '#features/imports/importer.jobs.ts'
import type { ImportState } from '#features/imports/imports.contract.ts'
import { updateProgress } from '#features/imports/imports.sql.ts'
import type { Db } from '#server/db/pool.ts'

const tellEveryMs = 500

/** Thrown when a request has moved the import to another state, so that this work is no longer wanted. */
export class Superseded extends Error {
  override name = 'Superseded'
}

/**
 * Stores the progress of a job periodically, and aborts it when it is no longer wanted.
 *
 * @param signal also aborts the work
 */
export function watchProgress(db: Db, id: number, state: ImportState, signal: AbortSignal) {
  const superseded = new AbortController()
  let progress: ImportProgress = { stage: state === 'undoing' ? 'writing' : 'reading', rows: 0, bytes: 0 }
  let telling: Promise<void> | null = null

  async function tell(): Promise<void> {
    try {
      if (!(await updateProgress(db, id, state, progress))) superseded.abort(new Superseded())
    } catch {
      // Ignored: the work itself meets the same error and handles it.
    } finally {
      telling = null
    }
  }
  const timer = setInterval(() => {
    telling ??= tell()
  }, tellEveryMs)
  telling = tell()

  return {
    signal: AbortSignal.any([signal, superseded.signal]),
    onProgress(current: ImportProgress): void {
      // The end is recorded by the state of the import, in the transaction of the work.
      if (current.stage !== 'done') progress = current
    },
    /** Resolves after the last report. */
    async stop(): Promise<void> {
      clearInterval(timer)
      await telling
    },
  }
}
