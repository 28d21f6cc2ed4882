import { createHash } from 'node:crypto'
import { z } from 'zod'
import { emptyRow, findFileInRow, isReportFileUsed } from '#features/report/kept/kept.sql.ts'
import { reportFiles } from '#features/report/report.contract.ts'
import { lockContent } from '#server/db/lock-content.ts'
import type { Db } from '#server/db/pool.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { type FilePlace, openContents } from '#server/files/place.ts'
import type { Content, Storage } from '#server/files/storage.ts'
import { removeUnused, storeAndReference, sweepUnused } from '#server/files/stored-contents.ts'
import { defineJob, type Task } from '#server/jobs/jobs.ts'
import { dayMs } from '#shared/days.ts'

/** Opens the storage of the files of reports and of their issues: PDF and workbooks. */
export function openReportFiles(place: FilePlace): Storage {
  return openContents(place, reportFiles, '.file')
}

const reportFileStore = (db: Db, storage: Storage) => ({ db, storage, isUsed: isReportFileUsed })

export function contentOfFile(bytes: Uint8Array): Content {
  return { bytes, hash: createHash('sha256').update(bytes).digest('hex') }
}

/** Stores files, then records their names in one transaction. */
export function storeFiles<T>(
  { db, storage }: { db: Db; storage: Storage },
  contents: readonly Content[],
  write: (tx: Db) => Promise<T>,
): Promise<T> {
  return storeAndReference(reportFileStore(db, storage), contents, () =>
    inTransaction(db, async (tx) => {
      for (const hash of contents.map((each) => each.hash).sort()) await lockContent(tx, hash)
      return write(tx)
    }),
  )
}

/** Deletes files after the transaction commits, unless another report refers to them. */
export async function forgetReportFiles(tx: Db, hashes: readonly string[]): Promise<void> {
  if (hashes.length > 0) await forgetJob.add(tx, { hashes: [...hashes] })
}

const forgetJob = defineJob('forget report files', z.object({ hashes: z.array(z.string()) }))

/** Deletes the files that no report refers to, and moves to the storage those still in the database. */
export function reportFileTasks(db: Db, storage: Storage): Task[] {
  return [
    forgetJob.doneBy(async ({ hashes }) => {
      for (const hash of hashes) await removeUnused(reportFileStore(db, storage), hash)
    }),
    {
      name: 'sweep report files',
      everyMs: dayMs,
      async run(_payload, { signal }) {
        for (let file = await findFileInRow(db); file; file = await findFileInRow(db)) {
          signal.throwIfAborted()
          const moved = file
          await storeFiles({ db, storage }, [moved], (tx) => emptyRow(tx, moved))
        }
        await sweepUnused(reportFileStore(db, storage), signal)
      },
    },
  ]
}
