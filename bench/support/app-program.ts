// Runs the application in a separate process, on an existing database. Arguments: a JSON of its options. Prints its
// address; answers any message with the processor time (µs) that it has used.

import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fitTask } from '#features/figures/stored-index/fitting.jobs.ts'
import { buildApp } from '#main/app.ts'
import { openDatabase, type PoolOptions } from '#server/db/pool.ts'
import { startJobs } from '#server/jobs/jobs.ts'
import { createLog } from '#server/log.ts'
import { openAdmission } from '../../tests/support/load.ts'
import { noViews } from './no-views.ts'

/** `keepsIndices`: also updates the stored indices, as a server's jobs do. */
export type AppProgramOptions = {
  connection: PoolOptions['connection']
  isOpen: boolean
  keepsIndices?: boolean
}

// Our own caller passes what the type says.
const { connection, isOpen, keepsIndices } = JSON.parse(process.argv[2] ?? '') as AppProgramOptions
const { db } = await openDatabase({ connection })
const dataDir = mkdtempSync(join(tmpdir(), 'ntalo-bench-app-'))
const http = await buildApp({
  db,
  connection,
  dataDir,
  publicUrl: null,
  trustedProxies: 0,
  log: createLog('warn'),
  views: noViews(dataDir),
  ...(isOpen && { admission: openAdmission }),
})
if (keepsIndices)
  startJobs({
    db,
    connection,
    tasks: [fitTask({ db, connection, onFitted: async () => {} })],
    log: createLog('warn'),
  })
console.log(await http.listen({ port: 0, host: '127.0.0.1' }))
process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send?.(user + system)
})
