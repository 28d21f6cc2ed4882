import { listWork } from '#features/collection/work/work.contract.ts'
import { listFieldWork } from '#features/collection/work/work.sql.ts'
import type { Db } from '#server/db/pool.ts'
import { type Api, signedIn } from '#server/http/endpoint.ts'

export function workRoutes(api: Api, db: Db): void {
  api.on(listWork, async ({ actor, query }) => {
    const { userId, permissions } = signedIn(actor)
    const seesAll = !query.mine && permissions.includes('collection.read')
    return { data: await listFieldWork(db, seesAll ? undefined : userId) }
  })
}
