import { importTasks } from '#features/imports/imports.jobs.ts'
import { importFiles } from '#main/app.ts'
import type { Database, Db, PoolOptions } from '#server/db/pool.ts'
import { type JobRunner, startJobs, type Task } from '#server/jobs/jobs.ts'
import type { Log } from '#server/log.ts'
import { sweepRateLimits } from '#server/session/rate-limit.sql.ts'
import { sweepSessions } from '#server/session/session.sql.ts'

type Options = Pick<Database, 'db' | 'pool'> & {
  connection: PoolOptions['connection']
  /** Where uploads are kept. */
  dataDir: string
  log: Log
}

/** Does the jobs of every feature until it is stopped. */
export function runJobs({ db, pool, connection, dataDir, log }: Options): JobRunner {
  const tasks = [...importTasks({ db, pool, files: importFiles(dataDir), log }), sweepExpired(db)]
  return startJobs({ db, connection, tasks, log })
}

// What has expired proves nothing any more: without this, these tables would only grow.
function sweepExpired(db: Db): Task {
  return {
    name: 'sweep sessions',
    everyMs: 3_600_000,
    async run() {
      await sweepSessions(db)
      await sweepRateLimits(db)
    },
  }
}
