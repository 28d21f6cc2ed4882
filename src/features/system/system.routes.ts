import {
  isAlarming,
  type Measured,
  type MeasureName,
  measureNames,
  measures,
  systemState,
} from '#features/system/system.contract.ts'
import { readStoredMeasures, type StoredMeasures } from '#features/system/system.sql.ts'
import type { Db } from '#server/db/pool.ts'
import type { Api } from '#server/http/endpoint.ts'

/** What only this process knows. */
export type OwnMeasures = Pick<Measured, 'pool_waiting' | 'disk_free_bytes' | 'feed_connected'>

/** Measures the platform; what the database does not say is null. */
export async function measure(db: Db, own: () => Promise<OwnMeasures>): Promise<Measured> {
  const startedAt = performance.now()
  const stored = await readStoredMeasures(db).catch(() => null)
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

/** How the platform is, for those who run it. */
export function systemRoutes(
  api: Api,
  { measured, clock }: { measured: () => Promise<Measured>; clock: () => Date },
): void {
  api.on(systemState, async () => {
    const values = await measured()
    const shown = (name: MeasureName) => {
      const { title, unit, advice } = measures[name]
      const value = values[name]
      return { name, title, unit, value, isAlarming: isAlarming(name, value), advice }
    }
    return { at: clock().toISOString(), measures: measureNames.map(shown) }
  })
}
