// What the thread of `fitTask` does: it reads, fits and stores with a connection of its own.

import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { fitAll, restsPerWork } from '#features/figures/stored-index/fitting.jobs.ts'
import { openDatabase } from '#server/db/pool.ts'

/** Of a hundred thousand series a statement takes some seconds on a busy machine, and so does what is computed between two. */
const patienceMs = 120_000

const database = await openDatabase({
  connection: workerData.connection,
  max: 1,
  statementTimeoutMs: patienceMs,
  idleInTransactionTimeoutMs: patienceMs,
})
try {
  await fitAll(database.db, (tookMs) => sleep(restsPerWork * tookMs))
} finally {
  await database.close()
}
parentPort?.postMessage('fitted')
