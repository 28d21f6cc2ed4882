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
 * Merges one row into another in one transaction with one journal entry: its references move to the other row, and it
 * is deleted.
 *
 * @param merge moves the references of the first row to the second and deletes the first; its result is journaled too
 * @returns the remaining row after the merge
 * @throws AppError 404 when either does not exist; 400 when both are the same row
 */
export function mergeRows<Row extends object>(
  db: Db,
  entity: Pick<Entity<Row>, 'name' | 'noun' | 'table' | 'find'>,
  call: Merging,
  merge: (tx: Db, id: number, intoId: number) => Promise<unknown>,
): Promise<Row> {
  const { id } = call.params
  const { intoId } = call.body
  if (id === intoId)
    throw invalidField('intoId', `Choisissez-en ${entity.noun.gender === 'f' ? 'une' : 'un'} autre.`)
  return inTransaction(db, async (tx) => {
    // Locks in the order of ids, so that two opposite merges cannot deadlock.
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
