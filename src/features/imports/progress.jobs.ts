import type { ImportProgress } from '#features/imports/importer.jobs.ts'
import type { ImportState } from '#features/imports/imports.contract.ts'
import { updateProgress } from '#features/imports/imports.sql.ts'
import type { Db } from '#server/db/pool.ts'

const tellEveryMs = 500

/** The import has been moved on by somebody: nobody wants this work any more. */
export class Superseded extends Error {
  override name = 'Superseded'
}

/**
 * Tells from time to time how far a job has come, and asks whether it is still wanted.
 *
 * @param signal what else ends the work
 */
export function watchProgress(db: Db, id: number, state: ImportState, signal: AbortSignal) {
  const superseded = new AbortController()
  let progress: ImportProgress = { stage: state === 'undoing' ? 'writing' : 'reading', rows: 0, bytes: 0 }
  let telling: Promise<void> | null = null

  async function tell(): Promise<void> {
    try {
      if (!(await updateProgress(db, id, state, progress))) superseded.abort(new Superseded())
    } catch {
      // The work itself meets the same trouble, and knows what to do.
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
      // The state of the import says the end, in the transaction that brings it about.
      if (current.stage !== 'done') progress = current
    },
    /** Resolves after the last report. */
    async stop(): Promise<void> {
      clearInterval(timer)
      await telling
    },
  }
}
