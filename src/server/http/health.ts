import { randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf } from '#server/db/errors.ts'
import type { Db } from '#server/db/pool.ts'
import { AppError } from '#server/errors.ts'
import type { Api } from '#server/http/endpoint.ts'
import { findReadiness, getInstallation } from '#server/installation.sql.ts'
import { listFailingTasks } from '#server/jobs/jobs.sql.ts'
import { apiVersions, latestVersion } from '#shared/api-versions.ts'
import { apiRoot, health, ready } from '#shared/health.ts'

/**
 * Serves the API's versions, time and documentation link.
 *
 * @param publicUrl public address; the link is relative when null
 */
export function apiRootRoute(api: Api, publicUrl: string | null, clock: () => Date): void {
  api.on(apiRoot, async () => ({
    name: 'Ntalo',
    version: latestVersion,
    versions: [...apiVersions],
    time: clock().toISOString(),
    documentation: `${publicUrl ?? ''}/api/openapi.json`,
  }))
}

/** Answers 200 when the database answers; the status is `degraded` while jobs keep failing. */
export function healthRoute(api: Api, db: Db): void {
  api.on(health, async () => {
    const { has_demonstration_data } = await getInstallation(db)
    const failingJobs = await listFailingTasks(db)
    const status = failingJobs.length > 0 ? ('degraded' as const) : ('ok' as const)
    return { status, failingJobs, demonstration: has_demonstration_data }
  })
}

/**
 * Answers 200 while this process can serve: its database accepts writes and has the migration `migration` or a later
 * one, and files can be written in `dataDir`.
 */
export function readyRoute(api: Api, db: Db, needs: { dataDir: string; migration: number }): void {
  api.on(ready, async () => {
    const { is_writable, migration } = await findReadiness(db)
    if (!is_writable) throw notReady('la base de données n’accepte pas d’écriture')
    if (migration < needs.migration) throw notReady('des migrations manquent')
    await writeProbe(needs.dataDir)
    return { status: 'ready' as const }
  })
}

async function writeProbe(dataDir: string): Promise<void> {
  const probe = join(dataDir, `probe-${randomUUID()}.unfinished`)
  try {
    await writeFile(probe, 'ready')
    await rm(probe, { force: true })
  } catch (error) {
    throw notReady(`les fichiers ne s’écrivent pas (${codeOf(error) ?? 'cause inconnue'})`)
  }
}

function notReady(why: string): AppError {
  return new AppError('unavailable', `Pas prêt : ${why}.`, { retryAfterS: 2 })
}
