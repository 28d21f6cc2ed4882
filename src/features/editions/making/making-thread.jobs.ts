// What the thread of `editionTasks` does: a row group of Parquet would hold up every other answer for half a second.

import { parentPort, workerData } from 'node:worker_threads'
import { makeFiles } from '#features/editions/making/making.jobs.ts'
import { openSnapshot } from '#server/db/snapshot.ts'
import { openKeptFiles } from '#server/files/kept-files.ts'

/** Between two batches a row group is written. */
const patienceMs = 120_000

const { connection, folder, lastDay, stem } = workerData
const snapshot = await openSnapshot(connection, {
  limitMs: patienceMs,
  signal: new AbortController().signal,
})
try {
  parentPort?.postMessage(await makeFiles(snapshot, openKeptFiles(folder), { lastDay, stem }))
} finally {
  await snapshot.close()
}
