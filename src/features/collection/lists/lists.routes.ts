import { marketLists } from '#features/collection/lists/lists.contract.ts'
import { isSameList } from '#features/collection/lists/lists.rules.ts'
import { listUsual, listWanted, replaceList } from '#features/collection/lists/lists.sql.ts'
import { marketRows } from '#features/markets/markets.sql.ts'
import { insertAudit } from '#server/audit.sql.ts'
import { lockRow } from '#server/db/lock-row.ts'
import type { Db } from '#server/db/pool.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { AppError } from '#server/errors.ts'
import type { Api } from '#server/http/endpoint.ts'
import { authorOf, explainConstraints, getRow } from '#server/writes.ts'

const market = {
  noun: { one: 'Marché', many: 'marchés', gender: 'm' } as const,
  find: marketRows.find,
}

const changedSince = 'Quelqu’un d’autre a modifié cette liste entre-temps. Vérifiez-la, puis recommencez.'

export function marketListRoutes(api: Api, db: Db): void {
  async function read(id: number) {
    const [data, usual] = await Promise.all([listWanted(db, id), listUsual(db, id)])
    return { data, usual }
  }

  api.on(marketLists.find, async ({ params: { id } }) => {
    await getRow(db, market, id)
    return read(id)
  })

  api.on(marketLists.replace, async (call) => {
    const { id } = call.params
    const { goods, seen } = call.body
    await explainConstraints(
      { market_list_product_fkey: { field: 'goods', message: 'Un de ces produits n’existe pas.' } },
      () =>
        inTransaction(db, async (tx) => {
          await lockRow(tx, 'market', id)
          const { name } = await getRow(tx, market, id)
          const before = await listWanted(tx, id)
          if (seen && !isSameList(seen, before)) throw new AppError('stale', changedSince)
          await replaceList(tx, id, goods)
          const entry = { action: 'update', entity: 'market-lists', entityId: id }
          const namesOf = (goods: typeof before) => goods.map((good) => `${good.name}, ${good.weight}`)
          await insertAudit(tx, authorOf(call), {
            ...entry,
            before: { name, goods: namesOf(before) },
            after: { name, goods: namesOf(await listWanted(tx, id)) },
          })
        }),
    )
    return { ...(await read(id)), message: 'Liste du marché enregistrée' }
  })
}
