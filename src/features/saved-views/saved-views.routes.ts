import { savedViews } from '#features/saved-views/saved-views.contract.ts'
import { mostViews } from '#features/saved-views/saved-views.rules.ts'
import {
  countViews,
  findView,
  insertView,
  listViews,
  renameView,
} from '#features/saved-views/saved-views.sql.ts'
import type { Db } from '#server/db/pool.ts'
import { AppError } from '#server/errors.ts'
import { type Api, signedIn } from '#server/http/endpoint.ts'
import { changeRow, createRow, deleteUnlessUsed } from '#server/writes.ts'
import { type Noun, succeeded } from '#shared/resource.ts'

const noun: Noun = { one: 'Vue', many: 'vues', gender: 'f' }

export function savedViewRoutes(api: Api, db: Db): void {
  // Only the user's own: other users' views are reported as not found.
  const entityOf = (userId: number) => ({
    name: 'views',
    noun,
    table: 'saved_view',
    versioned: 'updatedAt',
    find: (from: Db, id: number) => findView(from, userId, id),
    constraints: {
      saved_view_name_key: { field: 'name', message: 'Une de vos vues porte déjà ce nom.' },
    },
  })

  api.on(savedViews.list, async ({ actor }) => ({ data: await listViews(db, signedIn(actor).userId) }))

  api.on(savedViews.create, async (call) => {
    const { userId } = signedIn(call.actor)
    const view = await createRow(db, entityOf(userId), call, async (tx) => {
      if ((await countViews(tx, userId)) >= mostViews) {
        throw new AppError(
          'conflict',
          `Vous avez déjà ${mostViews} vues\u00a0: supprimez-en une pour en enregistrer une autre.`,
        )
      }
      return insertView(tx, userId, call.body)
    })
    return { ...view, message: 'Vue enregistrée' }
  })

  api.on(savedViews.rename, async (call) => {
    const entity = entityOf(signedIn(call.actor).userId)
    const { after } = await changeRow(db, entity, call, (tx) =>
      renameView(tx, call.params.id, call.body.name),
    )
    return { ...after, message: succeeded(noun, 'mis à jour') }
  })

  api.on(savedViews.remove, async (call) => {
    await deleteUnlessUsed(db, entityOf(signedIn(call.actor).userId), call)
    return { message: succeeded(noun, 'supprimé') }
  })
}
