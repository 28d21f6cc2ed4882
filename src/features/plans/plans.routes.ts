import { plans } from '#features/plans/plans.contract.ts'
import { countUsesOfPlan, insertPlan, planRows, updatePlan } from '#features/plans/plans.sql.ts'
import { crudRoutes } from '#server/crud-routes.ts'
import type { Db } from '#server/db/pool.ts'
import type { Exports } from '#server/exports.ts'
import type { Api } from '#server/http/endpoint.ts'

export function planRoutes(api: Api, db: Db, exports: Exports): void {
  crudRoutes(api, db, exports, plans, {
    ...planRows,
    insert: insertPlan,
    update: updatePlan,
    uses: countUsesOfPlan,
    constraints: {
      plan_name_key: { field: 'name', message: 'Un plan porte déjà ce nom.' },
    },
  })
}
