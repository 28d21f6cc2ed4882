import type { Db } from '#server/db/pool.ts'
import type { Api } from '#server/http/endpoint.ts'
import { getInstallation } from '#server/installation.sql.ts'
import { listFailingTasks } from '#server/jobs/jobs.sql.ts'
import { apiVersions, latestVersion } from '#shared/api-versions.ts'
import { apiRoot, health } from '#shared/health.ts'

/** Says where programs find what they need. @param publicUrl where they reach the server; relative when null */
export function apiRootRoute(api: Api, publicUrl: string | null, clock: () => Date): void {
  api.on(apiRoot, async () => ({
    name: 'Ntalo',
    version: latestVersion,
    versions: [...apiVersions],
    time: clock().toISOString(),
    documentation: `${publicUrl ?? ''}/api/openapi.json`,
  }))
}

/** Answers 200 once the database does. */
export function healthRoute(api: Api, db: Db): void {
  api.on(health, async () => {
    const { has_demonstration_data } = await getInstallation(db)
    const failingJobs = await listFailingTasks(db)
    const status = failingJobs.length > 0 ? ('degraded' as const) : ('ok' as const)
    return { status, failingJobs, demonstration: has_demonstration_data }
  })
}
