import { join } from 'node:path'
import { importTasks } from '#features/imports/imports.jobs.ts'
import { importFiles } from '#main/app.ts'
import { importers } from '#main/importers.ts'
import type { Database, Db, PoolOptions } from '#server/db/pool.ts'
import { type JobRunner, startJobs, type Task } from '#server/jobs/jobs.ts'
import type { Log } from '#server/log.ts'
import { mailTasks } from '#server/mail/mail.ts'
import type { PostOptions } from '#server/mail/post.ts'
import { sweepRateLimits } from '#server/session/rate-limit.sql.ts'
import { sweepSessions } from '#server/session/session.sql.ts'
import type { Views } from '#server/views.ts'

type Options = Pick<Database, 'db' | 'pool'> & {
  connection: PoolOptions['connection']
  /** Where uploads are kept. */
  dataDir: string
  /** The mail server, and who mails come from. */
  mail: Omit<PostOptions, 'directory'>
  views: Pick<Views, 'renderMail'>
  log: Log
}

/** Does the jobs of every feature until it is stopped. */
export function runJobs({ db, pool, connection, dataDir, mail, views, log }: Options): JobRunner {
  const tasks = [
    ...importTasks({ db, pool, files: importFiles(dataDir), importers, log }),
    ...mailTasks({ db, views, post: { ...mail, directory: join(dataDir, 'mail') }, log }),
    sweepExpired(db),
  ]
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
