import { journal } from '#features/journal/journal.contract.ts'
import { listJournal, selectJournal } from '#features/journal/journal.sql.ts'
import type { Db } from '#server/db/pool.ts'
import type { Exports } from '#server/exports.ts'
import type { Api } from '#server/http/endpoint.ts'
import { paginate } from '#shared/contract.ts'

/** Who did what. Nothing here, or anywhere, changes it. */
export function journalRoutes(api: Api, db: Db, exports: Exports): void {
  api.on(journal.list, async ({ query }) => {
    const { rows, total } = await listJournal(db, query)
    return { data: rows, pagination: paginate(query, total) }
  })
  api.on(journal.exportAll, (call) => exports.list(call, journal, selectJournal))
}
