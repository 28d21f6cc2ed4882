import { insertAudit } from '#server/audit.sql.ts'
import { lockRow } from '#server/db/lock-row.ts'
import type { Db } from '#server/db/pool.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { invalidField } from '#server/errors.ts'
import type { Call } from '#server/http/endpoint.ts'
import { authorOf, type Entity, getRow } from '#server/writes.ts'
import type { Endpoint } from '#shared/contract.ts'

type Merging = Pick<Call<Endpoint>, 'actor' | 'request'> & {
  params: { id: number }
  body: { intoId: number }
}

/**
 * Makes one row of two, in one transaction with one entry in the journal: what one holds goes to the other, then it goes.
 *
 * @param merge moves what refers to the first to the second, and deletes the first; what it returns is noted as well
 * @returns the other as it then is
 * @throws AppError 404 when either does not exist; 400 for a row and itself
 */
export function mergeRows<Row extends object>(
  db: Db,
  entity: Pick<Entity<Row>, 'name' | 'noun' | 'table' | 'find'>,
  call: Merging,
  merge: (tx: Db, id: number, intoId: number) => Promise<unknown>,
): Promise<Row> {
  const { id } = call.params
  const { intoId } = call.body
  if (id === intoId) throw invalidField('intoId', 'Choisissez-en un autre.')
  return inTransaction(db, async (tx) => {
    // In one order, whichever is merged into which.
    for (const each of [id, intoId].toSorted((a, b) => a - b)) await lockRow(tx, entity.table, each)
    const before = await getRow(tx, entity, id)
    await getRow(tx, entity, intoId)
    const details = await merge(tx, id, intoId)
    const after = await getRow(tx, entity, intoId)
    await insertAudit(tx, authorOf(call), {
      action: 'merge',
      entity: entity.name,
      entityId: id,
      before,
      after: { ...after, ...Object(details) },
    })
    return after
  })
}
