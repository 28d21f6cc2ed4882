import { trendOf } from '#features/figures/price-index/price-index.rules.ts'
import { changeOfLogs } from '#features/figures/summary/summary.rules.ts'
import { type Follow, follows, movers } from '#features/follows/follows.contract.ts'
import { largestMoves, monthWindows, mostFollows, movementOfQuotes } from '#features/follows/follows.rules.ts'
import { countFollows, insertFollow, listFollows, listMoving } from '#features/follows/follows.sql.ts'
import type { Db } from '#server/db/pool.ts'
import { AppError } from '#server/errors.ts'
import { type Api, signedIn } from '#server/http/endpoint.ts'
import { createRow, deleteUnlessUsed } from '#server/writes.ts'
import type { Noun } from '#shared/resource.ts'

const noun: Noun = { one: 'Suivi', many: 'suivis', gender: 'm' }
/** Most rises, and most falls. */
const mostMoves = 3

export function followRoutes(api: Api, db: Db, today: () => string): void {
  const list = async (from: Db, userId: number, id?: number): Promise<Follow[]> => {
    const day = today()
    const rows = await listFollows(from, { userId, today: day, ...(id !== undefined && { id }) })
    return rows.map(({ quotes, ...row }) => ({ ...row, ...movementOfQuotes(quotes, day) }))
  }
  // Only the user's own: other users' follows are reported as not found.
  const entityOf = (userId: number) => ({
    name: 'follows',
    noun,
    table: 'follow',
    versioned: 'createdAt',
    find: async (from: Db, id: number) => (await list(from, userId, id))[0],
    constraints: {
      follow_once: { field: 'productId', message: 'Vous suivez déjà ce prix.' },
      follow_product_fkey: { field: 'productId', message: 'Ce produit n’existe pas.' },
      follow_market_fkey: { field: 'marketId', message: 'Ce marché n’existe pas.' },
    },
  })

  api.on(follows.list, async ({ actor }) => ({ data: await list(db, signedIn(actor).userId) }))

  api.on(follows.create, async (call) => {
    const { userId } = signedIn(call.actor)
    const made = await createRow(db, entityOf(userId), call, async (tx) => {
      if ((await countFollows(tx, userId)) >= mostFollows) {
        throw new AppError(
          'conflict',
          `Vous suivez déjà ${mostFollows} prix\u00a0: cessez d’en suivre un pour en suivre un autre.`,
        )
      }
      return insertFollow(tx, userId, call.body)
    })
    return { ...made, message: 'Ajouté à «\u202fMes prix\u202f»' }
  })

  api.on(follows.remove, async (call) => {
    await deleteUnlessUsed(db, entityOf(signedIn(call.actor).userId), call)
    return { message: 'Retiré de «\u202fMes prix\u202f»' }
  })

  api.on(movers, async () => {
    const windows = monthWindows(today())
    const rows = (await listMoving(db, today())).flatMap(({ before, after, ...row }) => {
      const change = changeOfLogs(before, after, windows)
      return change ? [{ ...row, change, trend: trendOf(change) }] : []
    })
    return { data: largestMoves(rows, mostMoves) }
  })
}
