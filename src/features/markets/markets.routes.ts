import { marketLocations, markets } from '#features/markets/markets.contract.ts'
import {
  countMarkets,
  countUsesOfMarket,
  insertMarket,
  marketRows,
  updateMarket,
} from '#features/markets/markets.sql.ts'
import { crudRoutes } from '#server/crud-routes.ts'
import type { Db } from '#server/db/pool.ts'
import { listTexts } from '#server/db/texts.ts'
import type { Exports } from '#server/exports.ts'
import type { Api } from '#server/http/endpoint.ts'

export function marketRoutes(api: Api, db: Db, exports: Exports): void {
  api.on(marketLocations, async ({ query }) => ({
    data: await listTexts(db, 'market', 'location', query.search),
  }))

  crudRoutes(api, db, exports, markets, {
    ...marketRows,
    count: countMarkets,
    insert: insertMarket,
    update: updateMarket,
    uses: countUsesOfMarket,
    constraints: {
      market_name_key: { field: 'name', message: 'Un marché porte déjà ce nom à cet endroit.' },
      market_coordinates_paired: {
        field: 'longitude',
        message: 'La latitude et la longitude vont ensemble\u00a0: donnez les deux ou aucune.',
      },
    },
  })
}
