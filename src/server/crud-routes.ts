import type { Expression } from 'kysely'
import type { z } from 'zod'
import { insertAudit } from '#server/audit.sql.ts'
import { lockRow } from '#server/db/lock-row.ts'
import type { Db } from '#server/db/pool.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { Exports } from '#server/exports.ts'
import type { Actor } from '#server/http/actor.ts'
import { type Api, signedIn } from '#server/http/endpoint.ts'
import {
  authorOf,
  type Constraints,
  deleteUnlessUsed,
  explainConstraints,
  missing,
  refuseStale,
  type Use,
} from '#server/writes.ts'
import { type bytes, type Endpoint, paginate } from '#shared/contract.ts'
import type { ExportColumn, ListFormat } from '#shared/export.ts'
import { type Noun, succeeded } from '#shared/resource.ts'

/** What this mechanism needs to know of a resource; `defineResource` makes one. */
type Resource<Row, Input, Change, Query> = {
  name: string
  listed: string
  noun: Noun
  versioned: string
  row: z.ZodType<Row>
  input: z.ZodType<Input>
  change: z.ZodType<Change>
  query: z.ZodType<Query>
  columns: readonly ExportColumn<Row>[]
  exportAll: Endpoint & { response: typeof bytes }
} & Record<'list' | 'find' | 'create' | 'update' | 'remove', Endpoint>

type CrudFunctions<Row, Input, Change, Query> = {
  table: string
  list(db: Db, query: Query): Promise<{ rows: Row[]; total: number }>
  /** The whole list in its order, as one query. */
  selectAll(db: Db, query: Omit<Query, keyof Page>): Expression<Row>
  find(db: Db, id: number): Promise<Row | undefined>
  /** @returns the new id */
  insert(tx: Db, input: Input, actor: Actor): Promise<number>
  update(tx: Db, id: number, changes: Change, actor: Actor): Promise<void>
  remove(tx: Db, id: number, actor: Actor): Promise<void>
  /** What may refer to a row, counted before a delete: what is used is not deleted. */
  uses?(tx: Db, id: number): Promise<Use[]>
  constraints: Constraints
}

type Page = { page: number; limit: number }
type Id = { id: number }
type Versioned<Change> = Change & { updated_at?: string | null; updatedAt?: string | null }

/** The six routes of a resource: permission, validation, transaction, audit, and constraints told as field errors. */
export function crudRoutes<
  Row extends object,
  Input extends object,
  Change extends object,
  Query extends Page,
>(
  api: Api,
  db: Db,
  exports: Exports,
  resource: Resource<Row, Input, Change, Query>,
  functions: CrudFunctions<Row, Input, Change, Query>,
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

  api.on(resource.exportAll, async (call) => {
    const query = call.query as Omit<Query, keyof Page> & { fileFormat: ListFormat }
    return exports.list({ ...call, query }, resource, functions.selectAll)
  })

  api.on(resource.find, async (call) => get(db, (call.params as Id).id))

  api.on(resource.create, async (call) =>
    write(async (tx) => {
      const id = await functions.insert(tx, call.body as Input, signedIn(call.actor))
      const after = await get(tx, id)
      await insertAudit(tx, authorOf(call), { action: 'create', entity: name, entityId: id, after })
      return { ...after, message: succeeded(noun, 'créé') }
    }),
  )

  api.on(resource.update, async (call) =>
    write(async (tx) => {
      const { id } = call.params as Id
      const { updated_at, updatedAt, ...changes } = call.body as Versioned<Change>
      await lockRow(tx, functions.table, id)
      const before = await get(tx, id)
      refuseStale(updated_at ?? updatedAt, before[resource.versioned as keyof Row])
      if (Object.keys(changes).length > 0) {
        await functions.update(tx, id, changes as object as Change, signedIn(call.actor))
      }
      const after = await get(tx, id)
      await insertAudit(tx, authorOf(call), { action: 'update', entity: name, entityId: id, before, after })
      return { ...after, message: succeeded(noun, 'mis à jour') }
    }),
  )

  api.on(resource.remove, async (call) => {
    const { id } = call.params as Id
    return deleteUnlessUsed(
      db,
      async (from) => (await functions.uses?.(from, id)) ?? [],
      async (tx, refuseIfUsed) => {
        await lockRow(tx, functions.table, id)
        const before = await get(tx, id)
        await refuseIfUsed()
        await functions.remove(tx, id, signedIn(call.actor))
        await insertAudit(tx, authorOf(call), { action: 'delete', entity: name, entityId: id, before })
        return { message: succeeded(noun, 'supprimé') }
      },
    )
  })
}
