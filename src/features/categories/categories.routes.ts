import { categories, categoryFigures, mergeCategories } from '#features/categories/categories.contract.ts'
import {
  countCategories,
  countUsesOfCategory,
  deleteCategory,
  findCategory,
  insertCategory,
  listCategories,
  mergeCategory,
  selectAllCategories,
  updateCategory,
} from '#features/categories/categories.sql.ts'
import { crudRoutes } from '#server/crud-routes.ts'
import type { Db } from '#server/db/pool.ts'
import type { Exports } from '#server/exports.ts'
import type { Api } from '#server/http/endpoint.ts'
import { mergeRows } from '#server/merge-rows.ts'

export function categoryRoutes(api: Api, db: Db, exports: Exports): void {
  api.on(categoryFigures, ({ query }) => countCategories(db, query))

  api.on(mergeCategories, async (call) => {
    const entity = { ...categories, table: 'category', find: findCategory }
    return { ...(await mergeRows(db, entity, call, mergeCategory)), message: 'Catégories fusionnées' }
  })

  crudRoutes(api, db, exports, categories, {
    table: 'category',
    list: listCategories,
    selectAll: selectAllCategories,
    find: findCategory,
    insert: insertCategory,
    update: updateCategory,
    remove: deleteCategory,
    uses: countUsesOfCategory,
    constraints: {
      category_name_key: { field: 'name', message: 'Une catégorie porte déjà ce nom.' },
    },
  })
}
