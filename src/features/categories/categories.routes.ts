import { categories } from '#features/categories/categories.contract.ts'
import {
  categoryRows,
  countCategories,
  countUsesOfCategory,
  insertCategory,
  mergeCategory,
  updateCategory,
} from '#features/categories/categories.sql.ts'
import { crudRoutes } from '#server/crud-routes.ts'
import type { Db } from '#server/db/pool.ts'
import type { Exports } from '#server/exports.ts'
import type { Api } from '#server/http/endpoint.ts'

export function categoryRoutes(api: Api, db: Db, exports: Exports): void {
  crudRoutes(api, db, exports, categories, {
    ...categoryRows,
    count: countCategories,
    insert: insertCategory,
    update: updateCategory,
    uses: countUsesOfCategory,
    merge: mergeCategory,
    constraints: {
      category_name_key: { field: 'name', message: 'Une catégorie porte déjà ce nom.' },
    },
  })
}
