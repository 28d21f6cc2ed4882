import type { z } from 'zod'
import { insertAudit } from '#server/audit.sql.ts'
import { constraintOf } from '#server/db/errors.ts'
import { lockRow } from '#server/db/lock-row.ts'
import type { Db } from '#server/db/pool.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { AppError, conflictingField, invalidField, notFound } from '#server/errors.ts'
import type { Api, Call } from '#server/http/endpoint.ts'
import { type Endpoint, paginate } from '#shared/contract.ts'
import { type Noun, succeeded } from '#shared/resource.ts'

/** What this mechanism needs to know of a resource; `defineResource` makes one. */
type Resource<Row, Input, Query> = {
  name: string
  listed: string
  noun: Noun
  versioned: string
  row: z.ZodType<Row>
  input: z.ZodType<Input>
  query: z.ZodType<Query>
} & Record<'list' | 'find' | 'create' | 'update' | 'remove', Endpoint>

/** What still refers to a row: `{ count: 3, one: 'produit', many: 'produits' }`. */
export type Use = { count: number; one: string; many: string }

/** PostgreSQL constraint → the field at fault and what to say. */
export type Constraints = Record<string, { field: string; message: string }>

type CrudFunctions<Row, Input, Query> = {
  table: string
  list(db: Db, query: Query): Promise<{ rows: Row[]; total: number }>
  find(db: Db, id: number): Promise<Row | undefined>
  /** @returns the new id */
  insert(tx: Db, input: Input): Promise<number>
  update(tx: Db, id: number, changes: Partial<Input>): Promise<void>
  remove(tx: Db, id: number): Promise<void>
  /** Counted before a delete: what is used is not deleted. */
  uses(tx: Db, id: number): Promise<Use[]>
  constraints: Constraints
}

type Page = { page: number; limit: number }
type Id = { id: number }
type Change<Input> = Partial<Input> & { updated_at?: string | null; updatedAt?: string | null }

/** The five routes of a resource: permission, validation, transaction, audit, and constraints told as field errors. */
export function crudRoutes<Row extends object, Input extends object, Query extends Page>(
  api: Api,
  db: Db,
  resource: Resource<Row, Input, Query>,
  functions: CrudFunctions<Row, Input, Query>,
): void {
  const { name, noun } = resource
  const write = <T>(work: (tx: Db) => Promise<T>) =>
    explainConstraints(functions.constraints, () => inTransaction(db, work))
  const get = async (from: Db, id: number) => (await functions.find(from, id)) ?? missing(noun)

  // The endpoints' own schemas have validated what the handlers below name by its type.
  api.on(resource.list, async (call) => {
    const query = call.query as Query
    const { rows, total } = await functions.list(db, query)
    return { [resource.listed]: rows, pagination: paginate(query, total) }
  })

  api.on(resource.find, async (call) => get(db, (call.params as Id).id))

  api.on(resource.create, async (call) =>
    write(async (tx) => {
      const id = await functions.insert(tx, call.body as Input)
      const after = await get(tx, id)
      await insertAudit(tx, authorOf(call), { action: 'create', entity: name, entityId: id, after })
      return { ...after, message: succeeded(noun, 'créé') }
    }),
  )

  api.on(resource.update, async (call) =>
    write(async (tx) => {
      const { id } = call.params as Id
      const { updated_at, updatedAt, ...changes } = call.body as Change<Input>
      await lockRow(tx, functions.table, id)
      const before = await get(tx, id)
      refuseStale(updated_at ?? updatedAt, before[resource.versioned as keyof Row])
      if (Object.keys(changes).length > 0) await functions.update(tx, id, changes as Partial<Input>)
      const after = await get(tx, id)
      await insertAudit(tx, authorOf(call), { action: 'update', entity: name, entityId: id, before, after })
      return { ...after, message: succeeded(noun, 'mis à jour') }
    }),
  )

  api.on(resource.remove, async (call) => {
    const { id } = call.params as Id
    const deletion = inTransaction(db, async (tx) => {
      await lockRow(tx, functions.table, id)
      const before = await get(tx, id)
      refuseUsed(await functions.uses(tx, id))
      await functions.remove(tx, id)
      await insertAudit(tx, authorOf(call), { action: 'delete', entity: name, entityId: id, before })
      return { message: succeeded(noun, 'supprimé') }
    })
    return deletion.catch(async (error: unknown) => {
      if (constraintOf(error)?.kind !== 'foreign-key') throw error
      // Somebody began to use it between the count and the delete, or something that is not counted refers to it.
      refuseUsed(await functions.uses(db, id))
      throw new AppError('conflict', 'Suppression impossible\u00a0: d’autres données en dépendent.')
    })
  })
}

/** Who asked, for the audit. */
export function authorOf(call: Pick<Call<Endpoint>, 'actor' | 'request'>) {
  return { actor: call.actor, requestId: call.request.id }
}

/** @throws AppError 409 when the version that the caller read is not the current one */
export function refuseStale(read: string | null | undefined, current: unknown): void {
  if (read && Date.parse(read) !== Date.parse(String(current))) {
    throw new AppError(
      'conflict',
      'Quelqu’un d’autre a modifié cette fiche entre-temps. Vérifiez ses changements avant d’enregistrer les vôtres.',
    )
  }
}

/** Runs a write; a broken unique constraint becomes a 409, any other named one a 400, both under their field. */
export async function explainConstraints<T>(constraints: Constraints, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const broken = constraintOf(error)
    const known = broken && constraints[broken.name]
    if (!known) throw error
    throw (broken.kind === 'unique' ? conflictingField : invalidField)(known.field, known.message)
  }
}

/** @throws AppError 409 that says by how many things the row is used */
export function refuseUsed(uses: Use[]): void {
  const used = uses.filter(({ count }) => count > 0)
  if (used.length === 0) return
  const total = used.reduce((sum, { count }) => sum + count, 0)
  const list = used.map(({ count, one, many }) => `${count} ${count > 1 ? many : one}`).join(' et ')
  throw new AppError(
    'conflict',
    `Suppression impossible\u00a0: ${list} ${total > 1 ? 'en dépendent' : 'en dépend'}.`,
  )
}

/** @throws AppError 404 with the agreement of the noun */
export function missing({ one, gender }: Noun): never {
  const [pronoun, e] = gender === 'f' ? ['elle', 'e'] : ['il', '']
  throw notFound(`${one} introuvable\u00a0: ${pronoun} n’existe pas ou a été supprimé${e}.`)
}
