// The thread of `editionTasks`: writing a row group of Parquet would block the event loop for half a second.

import { parentPort, workerData } from 'node:worker_threads'
import { editionFiles } from '#features/editions/editions.contract.ts'
import { makeFiles } from '#features/editions/making/making.jobs.ts'
import { openSnapshot } from '#server/db/snapshot.ts'
import { openFiles } from '#server/files/place.ts'

/** Time limit (ms) between two batches, when a row group is written. */
const patienceMs = 120_000

const { connection, place, lastDay, stem } = workerData
const snapshot = await openSnapshot(connection, {
  limitMs: patienceMs,
  signal: new AbortController().signal,
})
try {
  parentPort?.postMessage(await makeFiles(snapshot, openFiles(place, editionFiles), { lastDay, stem }))
} finally {
  await snapshot.close()
}
