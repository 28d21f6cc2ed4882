import { brandCountries, brands } from '#features/brands/brands.contract.ts'
import {
  brandRows,
  countUsesOfBrand,
  insertBrand,
  mergeBrand,
  updateBrand,
} from '#features/brands/brands.sql.ts'
import { crudRoutes } from '#server/crud-routes.ts'
import type { Db } from '#server/db/pool.ts'
import { listTexts } from '#server/db/texts.ts'
import type { Exports } from '#server/exports.ts'
import type { Api } from '#server/http/endpoint.ts'

export function brandRoutes(api: Api, db: Db, exports: Exports): void {
  api.on(brandCountries, async ({ query }) => ({
    data: await listTexts(db, 'brand', 'country', query.search),
  }))

  crudRoutes(api, db, exports, brands, {
    ...brandRows,
    insert: insertBrand,
    update: updateBrand,
    uses: countUsesOfBrand,
    merge: mergeBrand,
    constraints: {
      brand_name_key: { field: 'name', message: 'Une marque porte déjà ce nom.' },
    },
  })
}
