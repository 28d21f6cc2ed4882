import { exchangeRates } from '#features/rates/rates.contract.ts'
import { insertRate, rateRows, updateRate } from '#features/rates/rates.sql.ts'
import { crudRoutes } from '#server/crud-routes.ts'
import type { Db } from '#server/db/pool.ts'
import type { Exports } from '#server/exports.ts'
import type { Api } from '#server/http/endpoint.ts'

export function rateRoutes(api: Api, db: Db, exports: Exports): void {
  crudRoutes(api, db, exports, exchangeRates, {
    ...rateRows,
    insert: insertRate,
    update: updateRate,
    constraints: {
      exchange_rate_pkey: { field: 'day', message: 'Ce jour a déjà un taux\u00a0: modifiez-le.' },
    },
  })
}
