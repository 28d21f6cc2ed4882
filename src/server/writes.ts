import { insertAudit } from '#server/audit.sql.ts'
import { deleteRow } from '#server/db/delete-row.ts'
import { constraintOf } from '#server/db/errors.ts'
import { lockRow } from '#server/db/lock-row.ts'
import type { Db } from '#server/db/pool.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { AppError, conflictingField, invalidField, notFound } from '#server/errors.ts'
import type { Call } from '#server/http/endpoint.ts'
import { withIdempotencyKey } from '#server/idempotency.ts'
import type { Endpoint } from '#shared/contract.ts'
import type { Noun } from '#shared/resource.ts'

/** Number of references to a row, with their noun: `{ count: 3, one: 'produit', many: 'produits' }`. */
export type Use = { count: number; one: string; many: string }

/** PostgreSQL constraint → the field in error and its message. */
export type Constraints = Record<string, { field: string; message: string }>

/** Returns the actor and origin of a request, for the audit. */
export function authorOf(call: Pick<Call<Endpoint>, 'actor' | 'request'>) {
  const { id, ip, headers } = call.request
  return {
    actor: call.actor,
    requestId: id,
    address: ip,
    userAgent: headers['user-agent']?.slice(0, 500) ?? null,
  }
}

/** Runs a write; a violated unique constraint becomes a 409, another named constraint a 400, both with their field. */
export async function explainConstraints<T>(constraints: Constraints, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const broken = constraintOf(error)
    const constraint = broken && constraints[broken.name]
    if (!constraint) throw error
    throw (broken.kind === 'unique' ? conflictingField : invalidField)(constraint.field, constraint.message)
  }
}

/** Describes a kind of row for the functions below. */
export type Entity<Row> = {
  /** Name of the entity in the audit. */
  name: string
  noun: Noun
  table: string
  /** Field of a row that contains its version. */
  versioned: string
  find(from: Db, id: number): Promise<Row | undefined>
  constraints: Constraints
}

type Writing = Pick<Call<Endpoint>, 'actor' | 'request'>
type WritingOne = Writing & { params: { id: number } }

/** @throws AppError 404 */
export async function getRow<Row>(from: Db, { find, noun }: Pick<Entity<Row>, 'find' | 'noun'>, id: number) {
  return (await find(from, id)) ?? missing(noun)
}

/**
 * Creates a row, once per Idempotency-Key, and records it in the audit.
 *
 * @param insert returns the new id
 * @throws AppError 400 or 409 with the field of a violated constraint
 */
export function createRow<Row>(
  db: Db,
  entity: Entity<Row>,
  call: Writing,
  insert: (tx: Db) => Promise<number>,
): Promise<Row> {
  return explainConstraints(entity.constraints, () =>
    inTransaction(db, (tx) =>
      withIdempotencyKey(tx, call, async () => {
        const id = await insert(tx)
        const after = await getRow(tx, entity, id)
        await insertAudit(tx, authorOf(call), { action: 'create', entity: entity.name, entityId: id, after })
        return after
      }),
    ),
  )
}

/**
 * Changes a row while it is locked, and records the values before and after in the audit.
 *
 * @param call the request; its body may contain the version that was read
 * @param change receives the row before the change; its result is returned as `done`
 * @throws AppError 404; 409 when the version that was read is outdated; 400 or 409 with the field of a violated
 *   constraint
 */
export function changeRow<Row extends object, Done>(
  db: Db,
  entity: Entity<Row>,
  call: WritingOne & { body: object },
  change: (tx: Db, before: Row) => Promise<Done>,
): Promise<{ before: Row; after: Row; done: Done }> {
  const { id } = call.params
  const { updated_at, updatedAt }: { updated_at?: string | null; updatedAt?: string | null } = call.body
  return explainConstraints(entity.constraints, () =>
    inTransaction(db, async (tx) => {
      await lockRow(tx, entity.table, id)
      const before = await getRow(tx, entity, id)
      refuseStale(updated_at ?? updatedAt, Reflect.get(before, entity.versioned))
      const done = await change(tx, before)
      const after = await getRow(tx, entity, id)
      const entry = { action: 'update', entity: entity.name, entityId: id, before, after }
      await insertAudit(tx, authorOf(call), entry)
      return { before, after, done }
    }),
  )
}

/**
 * Deletes a row that has no references, and records its values in the audit.
 *
 * @param deletion `uses` counts the references; `remove` replaces the plain delete of the row, and its result is returned
 *   as `done`
 * @throws AppError 404; 409 with the number of references when the row is in use
 */
export async function deleteUnlessUsed<Row, Done>(
  db: Db,
  entity: Entity<Row>,
  call: WritingOne,
  deletion: {
    uses?: ((from: Db, id: number) => Promise<Use[]>) | undefined
    remove?: ((tx: Db, id: number) => Promise<Done>) | undefined
  } = {},
): Promise<{ before: Row; done: Done | undefined }> {
  const { id } = call.params
  const refuseIfUsed = async (from: Db) => refuseUsed((await deletion.uses?.(from, id)) ?? [])
  try {
    return await inTransaction(db, async (tx) => {
      await lockRow(tx, entity.table, id)
      const before = await getRow(tx, entity, id)
      await refuseIfUsed(tx)
      const done = await deletion.remove?.(tx, id)
      if (!deletion.remove) await deleteRow(tx, entity.table, id)
      await insertAudit(tx, authorOf(call), { action: 'delete', entity: entity.name, entityId: id, before })
      return { before, done }
    })
  } catch (error) {
    if (constraintOf(error)?.kind !== 'foreign-key') throw error
    // A reference was added between the count and the delete, or comes from a table that `uses` does not count.
    await refuseIfUsed(db)
    throw new AppError('in_use', 'Suppression impossible\u00a0: d’autres données en dépendent.')
  }
}

/** @throws AppError 409 when the version that was read is not the current one */
export function refuseStale(read: string | null | undefined, current: unknown): void {
  if (read && Date.parse(read) !== Date.parse(String(current))) {
    throw new AppError(
      'stale',
      'Quelqu’un d’autre a modifié cette fiche entre-temps. Vérifiez ses changements avant d’enregistrer les vôtres.',
    )
  }
}

const figures = new Intl.NumberFormat('fr-FR')
const enumeration = new Intl.ListFormat('fr-FR')

function refuseUsed(uses: Use[]): void {
  const used = uses.filter(({ count }) => count > 0)
  if (used.length === 0) return
  const total = used.reduce((sum, { count }) => sum + count, 0)
  const list = enumeration.format(
    used.map(({ count, one, many }) => `${figures.format(count)} ${count > 1 ? many : one}`),
  )
  throw new AppError(
    'in_use',
    `Suppression impossible\u00a0: ${list} ${total > 1 ? 'en dépendent' : 'en dépend'}.`,
  )
}

/** @throws AppError 404 whose message agrees with the gender of the noun */
export function missing({ one, gender }: Noun): never {
  const [pronoun, e] = gender === 'f' ? ['elle', 'e'] : ['il', '']
  throw notFound(`${one} introuvable\u00a0: ${pronoun} n’existe pas ou a été supprimé${e}.`)
}
