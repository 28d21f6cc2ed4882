import { typeWeights } from '#features/inflation/weights/weights.contract.ts'
import { insertWeight, updateWeight, weightRows } from '#features/inflation/weights/weights.sql.ts'
import { crudRoutes } from '#server/crud-routes.ts'
import type { Db } from '#server/db/pool.ts'
import type { Exports } from '#server/exports.ts'
import type { Api } from '#server/http/endpoint.ts'

export function typeWeightRoutes(api: Api, db: Db, exports: Exports): void {
  crudRoutes(api, db, exports, typeWeights, {
    ...weightRows,
    insert: insertWeight,
    update: updateWeight,
    constraints: {
      product_type_weight_of_day: {
        field: 'day',
        message: 'Ce type a déjà un poids à partir de ce jour\u00a0: modifiez-le.',
      },
      product_type_weight_type_fkey: { field: 'typeId', message: 'Ce type de produit n’existe plus.' },
    },
  })
}
