import type { Db } from '#server/db/pool.ts'
import type { Api } from '#server/http/endpoint.ts'
import { getInstallation } from '#server/installation.sql.ts'
import { health } from '#shared/health.ts'

/** Answers 200 once the database does. */
export function healthRoute(api: Api, db: Db): void {
  api.on(health, async () => {
    const { has_demonstration_data } = await getInstallation(db)
    return { status: 'ok' as const, demonstration: has_demonstration_data }
  })
}
