import { findLastCheck } from '#features/journal/chain.sql.ts'
import { journal, journalCheck } from '#features/journal/journal.contract.ts'
import { checkJournal } from '#features/journal/journal.jobs.ts'
import { listJournal, selectJournal } from '#features/journal/journal.sql.ts'
import type { Db } from '#server/db/pool.ts'
import type { Exports } from '#server/exports.ts'
import { type Api, signedIn } from '#server/http/endpoint.ts'
import { spend } from '#server/session/rate-limit.sql.ts'
import { paginate } from '#shared/contract.ts'

const checksInTurn = { hits: 10, windowS: 15 * 60 }

/** Registers the routes of the journal, which are read-only. */
export function journalRoutes(api: Api, db: Db, exports: Exports): void {
  api.on(journal.list, async ({ query }) => {
    const { rows, total } = await listJournal(db, query)
    return { data: rows, pagination: paginate(query, total) }
  })
  api.on(journalCheck.last, async () => ({ last: await findLastCheck(db) }))
  api.on(journalCheck.ask, async ({ actor }) => {
    await spend(db, `journal-check:${signedIn(actor).userId}`, checksInTurn)
    await checkJournal.add(db, {})
    return { message: 'Vérification demandée' }
  })
  api.on(journal.exportAll, (call) => exports.list(call, journal, selectJournal))
}
