// The thread of `fitTask`: reads, fits and stores on its own connection.

import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { fitAll, restsPerWork } from '#features/figures/stored-index/fitting.jobs.ts'
import { openDatabase } from '#server/db/pool.ts'

/**
 * Time limit (ms) of a statement, and of the idle time between two: with a hundred thousand series each takes several
 * seconds on a busy machine.
 */
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
