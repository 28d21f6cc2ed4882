import type { Expression } from 'kysely'
import { z } from 'zod'
import { asksForChanges, ownId, readChanges, readPageAfter } from '#server/db/changes.ts'
import type { Db } from '#server/db/pool.ts'
import type { Exports } from '#server/exports.ts'
import type { Actor } from '#server/http/actor.ts'
import { type Api, signedIn } from '#server/http/endpoint.ts'
import { mergeRows } from '#server/merge-rows.ts'
import {
  type Constraints,
  changeRow,
  createRow,
  deleteUnlessUsed,
  missing,
  type Use,
} from '#server/writes.ts'
import type { ChangesQuery } from '#shared/changes.ts'
import { type bytes, type Endpoint, paginate } from '#shared/contract.ts'
import type { ExportColumn, ListFormat } from '#shared/export.ts'
import { type Noun, succeeded } from '#shared/resource.ts'

/** The parts of a resource that its routes use; `defineResource` builds one. */
type Resource<Row, Input, Change, Query, Figure extends string> = {
  name: string
  listed: string
  noun: Noun
  versioned: string
  row: z.ZodType<Row>
  input: z.ZodType<Input>
  change: z.ZodType<Change>
  query: z.ZodType<Query>
  columns: readonly ExportColumn<Row>[]
  figureLabels: Readonly<Record<Figure, string>> | undefined
  exportAll: Endpoint & { response: typeof bytes }
} & Record<'list' | 'figures' | 'find' | 'create' | 'update' | 'remove' | 'merge', Endpoint>

type CrudFunctions<Row, Input, Change, Query, Figure extends string> = {
  table: string
  list(db: Db, query: Query): Promise<{ rows: Row[]; total: number }>
  /** Query of the whole filtered list in its sort order, without paging. */
  selectAll(db: Db, query: Omit<Query, keyof Page>): Expression<Row>
  /** Returns rows after an id, sorted by id: for lists that API keys read by cursor. */
  after?(db: Db, afterId: number, limit: number, query: Omit<Query, keyof Page>): Promise<(Row & Id)[]>
  /** Returns those of these rows that match the filters: for lists with changes-since. */
  read?(db: Db, ids: readonly number[], query: Omit<Query, keyof Page>): Promise<(Row & Id)[]>
  /** Returns the figures declared by the contract. */
  count?(db: Db, query: Omit<Query, keyof Page>): Promise<Record<Figure, number>>
  /** @param actor the caller, null for a visitor. @returns undefined also for a row that the actor may not see */
  find(db: Db, id: number, actor?: Actor | null): Promise<Row | undefined>
  /** @returns the new id */
  insert(tx: Db, input: Input, actor: Actor): Promise<number>
  update(tx: Db, id: number, changes: Change, actor: Actor): Promise<void>
  /** Replaces the default, which deletes the row from its table. */
  remove?(tx: Db, id: number, actor: Actor): Promise<void>
  /** Moves all references of one row to another and deletes the first; absent when rows cannot be merged. */
  merge?(tx: Db, id: number, intoId: number): Promise<void>
  /** Counts the references to a row before a delete; a row in use is not deleted. */
  uses?(tx: Db, id: number): Promise<Use[]>
  constraints: Constraints
}

type Page = { page: number; limit: number }
type Id = { id: number }
type Versioned<Change> = Change & { updated_at?: string | null; updatedAt?: string | null }

/** Adds the routes of a resource, with permission, validation, transaction, audit, and constraints as field errors. */
export function crudRoutes<
  Row extends object,
  Input extends object,
  Change extends object,
  Query extends Page,
  const Figure extends string,
>(
  api: Api,
  db: Db,
  exports: Exports,
  resource: Resource<Row, Input, Change, Query, Figure>,
  functions: CrudFunctions<Row, Input, Change, Query, NoInfer<Figure>>,
): void {
  const { noun } = resource
  const entity = { ...resource, ...functions }

  const isFollowed = resource.list.query instanceof z.ZodObject && 'updatedSince' in resource.list.query.shape

  // The schemas of the endpoints have validated the inputs, so the casts below are safe.
  api.on(resource.list, async (call) => {
    const query = call.query as Query & Partial<ChangesQuery>
    const { read, after } = functions
    if (read && isFollowed && asksForChanges(query)) {
      return readChanges(db, functions.table, query, (ids) => read(db, ids, query))
    }
    const { cursor, limit } = query
    if (after && cursor !== undefined) {
      return readPageAfter({ cursor, limit }, (id, most) => after(db, id, most, query), ownId)
    }
    const { rows, total } = await functions.list(db, query)
    const pagination = paginate(query, total)
    // The contract of roles also has the pagination at the top level; other contracts strip it there.
    return { ...pagination, [resource.listed]: rows, pagination }
  })

  api.on(resource.exportAll, async (call) => {
    const query = call.query as Omit<Query, keyof Page> & { fileFormat: ListFormat }
    return exports.list({ ...call, query }, resource, functions.selectAll)
  })

  const { count } = functions
  if (count) api.on(resource.figures, (call) => count(db, call.query as Omit<Query, keyof Page>))

  api.on(
    resource.find,
    async (call) => (await functions.find(db, (call.params as Id).id, call.actor)) ?? missing(noun),
  )

  api.on(resource.create, async (call) => {
    const insert = (tx: Db) => functions.insert(tx, call.body as Input, signedIn(call.actor))
    return { ...(await createRow(db, entity, call, insert)), message: succeeded(noun, 'créé') }
  })

  api.on(resource.update, async (call) => {
    const body = call.body as Versioned<Change>
    const params = call.params as Id
    const { after } = await changeRow(db, entity, { ...call, params, body }, async (tx) => {
      const { updated_at, updatedAt, ...changes } = body
      if (Object.keys(changes).length === 0) return
      await functions.update(tx, params.id, changes as object as Change, signedIn(call.actor))
    })
    return { ...after, message: succeeded(noun, 'mis à jour') }
  })

  const { merge } = functions
  if (merge) {
    api.on(resource.merge, async (call) => {
      const [params, body] = [call.params as Id, call.body as { intoId: number }]
      const merged = await mergeRows(db, entity, { ...call, params, body }, merge)
      return { ...merged, message: succeeded(noun, 'fusionné') }
    })
  }

  api.on(resource.remove, async (call) => {
    const params = call.params as Id
    const { uses, remove } = functions
    await deleteUnlessUsed(
      db,
      entity,
      { ...call, params },
      { uses, remove: remove && ((tx, id) => remove(tx, id, signedIn(call.actor))) },
    )
    return { message: succeeded(noun, 'supprimé') }
  })
}
