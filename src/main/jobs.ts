import { importTasks } from '#features/imports/imports.jobs.ts'
import { importFiles } from '#main/app.ts'
import type { Database, PoolOptions } from '#server/db/pool.ts'
import { type JobRunner, startJobs } from '#server/jobs.ts'
import type { Log } from '#server/log.ts'

type Options = Pick<Database, 'db' | 'pool'> & {
  connection: PoolOptions['connection']
  /** Where uploads are kept. */
  dataDir: string
  log: Log
}

/** Does the jobs of every feature until it is stopped. */
export function runJobs({ db, pool, connection, dataDir, log }: Options): JobRunner {
  const tasks = importTasks({ db, pool, files: importFiles(dataDir), log })
  return startJobs({ db, connection, tasks, log })
}
