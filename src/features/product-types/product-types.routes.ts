import { productTypes } from '#features/product-types/product-types.contract.ts'
import {
  countUsesOfProductType,
  insertProductType,
  mergeProductType,
  productTypeRows,
  updateProductType,
} from '#features/product-types/product-types.sql.ts'
import { crudRoutes } from '#server/crud-routes.ts'
import type { Db } from '#server/db/pool.ts'
import type { Exports } from '#server/exports.ts'
import type { Api } from '#server/http/endpoint.ts'

export function productTypeRoutes(api: Api, db: Db, exports: Exports): void {
  crudRoutes(api, db, exports, productTypes, {
    ...productTypeRows,
    insert: insertProductType,
    update: updateProductType,
    uses: countUsesOfProductType,
    merge: mergeProductType,
    constraints: {
      product_type_name_key: { field: 'name', message: 'Un type porte déjà ce nom dans cette catégorie.' },
      product_type_category_fkey: { field: 'categoryId', message: 'Cette catégorie n’existe pas.' },
    },
  })
}
