import { marketLists } from '#features/collection/lists/lists.contract.ts'
import { listUsual, listWanted, replaceList } from '#features/collection/lists/lists.sql.ts'
import { marketRows } from '#features/markets/markets.sql.ts'
import { insertAudit } from '#server/audit.sql.ts'
import { lockRow } from '#server/db/lock-row.ts'
import type { Db } from '#server/db/pool.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { Api } from '#server/http/endpoint.ts'
import { authorOf, explainConstraints, getRow } from '#server/writes.ts'

const market = {
  noun: { one: 'Marché', many: 'marchés', gender: 'm' } as const,
  find: marketRows.find,
}

export function marketListRoutes(api: Api, db: Db): void {
  api.on(marketLists.find, async ({ params: { id } }) => {
    await getRow(db, market, id)
    const [data, usual] = await Promise.all([listWanted(db, id), listUsual(db, id)])
    return { data, usual }
  })

  api.on(marketLists.replace, async (call) => {
    const { id } = call.params
    await explainConstraints(
      { market_list_product_fkey: { field: 'goods', message: 'Un de ces produits n’existe pas.' } },
      () =>
        inTransaction(db, async (tx) => {
          await lockRow(tx, 'market', id)
          const { name } = await getRow(tx, market, id)
          const before = await listWanted(tx, id)
          await replaceList(tx, id, call.body.goods)
          const entry = { action: 'update', entity: 'market-lists', entityId: id }
          const namesOf = (goods: typeof before) => goods.map((good) => `${good.name}, ${good.weight}`)
          await insertAudit(tx, authorOf(call), {
            ...entry,
            before: { name, goods: namesOf(before) },
            after: { name, goods: namesOf(await listWanted(tx, id)) },
          })
        }),
    )
    return { message: 'Liste du marché enregistrée' }
  })
}
