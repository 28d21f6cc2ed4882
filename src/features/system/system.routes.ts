import {
  isAlarming,
  type SystemMeasureName,
  type SystemMeasures,
  systemMeasureNames,
  systemMeasures,
  systemState,
} from '#features/system/system.contract.ts'
import { readStoredMeasures, type StoredMeasures } from '#features/system/system.sql.ts'
import type { Db } from '#server/db/pool.ts'
import type { Api } from '#server/http/endpoint.ts'
import { failuresSeen, mostAttempts } from '#server/jobs/jobs.sql.ts'

/** Measures that only this process has. */
export type OwnMeasures = Pick<
  SystemMeasures,
  'pool_waiting' | 'disk_free_bytes' | 'feed_connected' | 'replica_late_seconds'
>

/** Measures the platform; values that the database cannot provide are null. */
export async function measure(db: Db, own: () => Promise<OwnMeasures>): Promise<SystemMeasures> {
  const startedAt = performance.now()
  const stored = await readStoredMeasures(db, { failuresSeen, mostAttempts }).catch(() => null)
  const seconds = (performance.now() - startedAt) / 1000
  return { ...(stored ?? unknown), database_seconds: stored && seconds, ...(await own()) }
}

const unknown: StoredMeasures = {
  jobs_late_seconds: null,
  jobs_failing: null,
  jobs_given_up: null,
  mail_late_seconds: null,
  index_late_seconds: null,
  payments_waiting: null,
  sign_in_failures: null,
}

/** Registers the route of the platform's state, for operators. */
export function systemRoutes(
  api: Api,
  { measured, clock }: { measured: () => Promise<SystemMeasures>; clock: () => Date },
): void {
  api.on(systemState, async () => {
    const values = await measured()
    const shown = (name: SystemMeasureName) => {
      const { title, unit, advice } = systemMeasures[name]
      const value = values[name]
      return { name, title, unit, value, isAlarming: isAlarming(name, value), advice }
    }
    return { at: clock().toISOString(), measures: systemMeasureNames.map(shown) }
  })
}
