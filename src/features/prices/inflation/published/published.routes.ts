import { publishedFigures } from '#features/prices/inflation/published/published.contract.ts'
import {
  findPublished,
  insertPublished,
  listPublished,
  selectAllPublished,
  updatePublished,
} from '#features/prices/inflation/published/published.sql.ts'
import { crudRoutes } from '#server/crud-routes.ts'
import type { Db } from '#server/db/pool.ts'
import type { Exports } from '#server/exports.ts'
import type { Api } from '#server/http/endpoint.ts'

export function publishedFigureRoutes(api: Api, db: Db, exports: Exports): void {
  crudRoutes(api, db, exports, publishedFigures, {
    table: 'published_inflation',
    list: listPublished,
    selectAll: selectAllPublished,
    find: findPublished,
    insert: insertPublished,
    update: updatePublished,
    constraints: {
      published_inflation_once: {
        field: 'week',
        message: 'Ce chiffre de cette semaine est déjà saisi\u00a0: modifiez-le.',
      },
    },
  })
}
