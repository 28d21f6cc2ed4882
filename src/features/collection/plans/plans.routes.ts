import { plannedVisits } from '#features/collection/plans/plans.contract.ts'
import {
  findPlannedVisit,
  insertPlannedVisit,
  listPlannedVisits,
  updatePlannedVisit,
} from '#features/collection/plans/plans.sql.ts'
import { deleteRow } from '#server/db/delete-row.ts'
import type { Db } from '#server/db/pool.ts'
import { type Api, signedIn } from '#server/http/endpoint.ts'
import { changeRow, createRow, deleteUnlessUsed } from '#server/writes.ts'

const entity = {
  name: 'planned-visits',
  noun: { one: 'Visite prévue', many: 'visites prévues', gender: 'f' } as const,
  table: 'planned_visit',
  versioned: 'updatedAt',
  find: findPlannedVisit,
  constraints: {
    planned_visit_user_fkey: { field: 'agentId', message: 'Cet agent n’existe pas.' },
    planned_visit_market_fkey: { field: 'marketId', message: 'Ce marché n’existe pas.' },
    planned_visit_once: { field: 'day', message: 'Cette visite est déjà prévue.' },
  },
}

export function planRoutesOfVisits(api: Api, db: Db): void {
  api.on(plannedVisits.list, async ({ actor, query }) => {
    const { userId, permissions } = signedIn(actor)
    const seesAll = !query.mine && permissions.includes('collection.read')
    return { data: await listPlannedVisits(db, seesAll ? query.agentId : userId) }
  })

  api.on(plannedVisits.create, async (call) => {
    const created = await createRow(db, entity, call, (tx) => insertPlannedVisit(tx, call.body))
    return { ...created, message: 'Visite prévue' }
  })

  api.on(plannedVisits.update, async (call) => {
    const { after } = await changeRow(db, entity, call, (tx) =>
      updatePlannedVisit(tx, call.params.id, call.body),
    )
    return { ...after, message: 'Visite changée' }
  })

  api.on(plannedVisits.remove, async (call) => {
    await deleteUnlessUsed(db, entity, call, {
      uses: async () => [],
      remove: (tx, id) => deleteRow(tx, 'planned_visit', id),
    })
    return { message: 'Cette visite n’est plus prévue' }
  })
}
