import type { Db } from '#server/db/pool.ts'
import type { Api } from '#server/http/endpoint.ts'
import { getInstallation } from '#server/installation.sql.ts'
import { listFailingTasks } from '#server/jobs/jobs.sql.ts'
import { health } from '#shared/health.ts'

/** Answers 200 once the database does. */
export function healthRoute(api: Api, db: Db): void {
  api.on(health, async () => {
    const { has_demonstration_data } = await getInstallation(db)
    const failingJobs = await listFailingTasks(db)
    const status = failingJobs.length > 0 ? ('degraded' as const) : ('ok' as const)
    return { status, failingJobs, demonstration: has_demonstration_data }
  })
}
