import { publishedFigures } from '#features/inflation/published/published.contract.ts'
import {
  insertPublished,
  publishedRows,
  updatePublished,
} from '#features/inflation/published/published.sql.ts'
import { crudRoutes } from '#server/crud-routes.ts'
import type { Db } from '#server/db/pool.ts'
import { invalidField } from '#server/errors.ts'
import type { Exports } from '#server/exports.ts'
import type { Api } from '#server/http/endpoint.ts'
import { mondayOf } from '#shared/days.ts'

export function publishedFigureRoutes(api: Api, db: Db, exports: Exports, today: () => string): void {
  /** A week that has not begun cannot have published figures. */
  const refuseFuture = (day: string) => {
    if (mondayOf(day) > today())
      throw invalidField('week', 'Cette semaine est à venir\u00a0: rien n’en a encore été publié.')
  }
  crudRoutes(api, db, exports, publishedFigures, {
    ...publishedRows,
    insert: async (tx, input) => {
      refuseFuture(input.week)
      return insertPublished(tx, input)
    },
    update: async (tx, id, changes) => {
      if (changes.week !== undefined) refuseFuture(changes.week)
      await updatePublished(tx, id, changes)
    },
    constraints: {
      published_inflation_once: {
        field: 'week',
        message: 'Ce chiffre de cette semaine est déjà saisi\u00a0: modifiez-le.',
      },
    },
  })
}
