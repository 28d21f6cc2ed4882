import { availability } from '#features/collection/availability/availability.contract.ts'
import { readAvailability } from '#features/collection/availability/availability.sql.ts'
import type { Db } from '#server/db/pool.ts'
import type { Api } from '#server/http/endpoint.ts'

export function availabilityRoutes(api: Api, db: Db): void {
  api.on(availability, ({ query }) => readAvailability(db, query))
}
