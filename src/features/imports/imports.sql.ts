import { type RawBuilder, sql } from 'kysely'
import {
  activeStates,
  type CurrencyMap,
  type Import,
  type ImportState,
  type StoredReport,
  storedReport,
} from '#features/imports/imports.contract.ts'
import type { ImportKind } from '#features/mappings/kinds.contract.ts'
import type { Mapping, ProposedTable } from '#features/mappings/mappings.contract.ts'
import type { Author } from '#server/audit.sql.ts'
import type { Db } from '#server/db/pool.ts'
import { offsetOf } from '#server/db/selection.ts'

/** An import, with the columns that its job needs. */
export type StoredImport = {
  id: number
  kind: ImportKind
  fileName: string
  state: ImportState
  storedAs: string | null
  currencyMap: CurrencyMap
  table: ProposedTable | null
  mapping: Mapping | null
  report: StoredReport | null
  ids: IdRange | null
  created: CreatedRows | null
  /** Who requested the current state. */
  actor: Author
}

/** The range of ids of the rows that an import added; rows of other writers may lie in it. */
export type IdRange = { first: number; last: number }

/** What an import wrote to the database. */
export type WrittenImport = { importId: number; ids: IdRange | null; created: CreatedRows | null }

/** The ids of the rows that an import had to create besides those it adds. */
export type CreatedRows = Record<'market' | 'category' | 'product_type' | 'brand' | 'product', number[]>

const isActive = sql`import.state = any(${sql.val([...activeStates])})`
const person = (id: string, name: string) =>
  sql`case when ${sql.ref(name)} is not null then json_build_object('id', ${sql.ref(id)}, 'name', ${sql.ref(name)}) end`

// Running imports, and those requested earlier: jobs run in that order.
const ahead = sql`(
  select count(*)::int from import other
   where other.id <> import.id and other.state = any(${sql.val([...activeStates])})
     and (other.stage <> 'waiting' or import.stage is null and other.stage is not null
          or import.stage is not distinct from other.stage
             and (other.updated_at, other.id) < (import.updated_at, import.id)))`

function columns(
  report: RawBuilder<unknown>,
  table: RawBuilder<unknown>,
  mapping: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`id, kind, file_name as "fileName", file_bytes as "fileBytes", state, stage, rows_read as "rowsRead",
    bytes_read as "bytesRead", currency_map as "currencyMap", ${report} as report, failure,
    ${table} as table, ${mapping} as mapping,
    ${person('author_id', 'author_name')} as author, ${person('actor_id', 'actor_name')} as actor,
    stored_as is not null as "hasFile", created_at as "createdAt", updated_at as "updatedAt", ended_at as "endedAt",
    ${isActive} and (stage is not distinct from 'waiting' or stage is null and ${ahead} > 0) as "isWaiting",
    case when ${isActive} and (stage is null or stage = 'waiting') then ${ahead} else 0 end as ahead`
}

// Omits what only the page of one import shows.
const listed = columns(
  sql`report || '{"errors": [], "reasons": [], "questions": []}'`,
  sql`null::jsonb`,
  sql`null::jsonb`,
)

/** Returns the imports of some kinds, the latest first, without the errors and reasons of their reports. */
export async function selectImports(
  db: Db,
  kinds: readonly ImportKind[],
  query: { page: number; limit: number },
): Promise<{ rows: Import[]; total: number }> {
  const ofKinds = sql`kind = any(${sql.val([...kinds])})`
  const { rows } = await sql<Import>`
    select ${listed} from import where ${ofKinds}
     order by id desc limit ${query.limit} offset ${offsetOf(query)}`.execute(db)
  const counted = await sql<{ total: number }>`select count(*) as total from import where ${ofKinds}`.execute(
    db,
  )
  return { rows: rows.map(withWholeReport), total: counted.rows[0]?.total ?? 0 }
}

/** Does the same, by ascending id, after a given id. */
export async function selectImportsAfter(
  db: Db,
  kinds: readonly ImportKind[],
  { id, most }: { id: number; most: number },
): Promise<Import[]> {
  const { rows } = await sql<Import>`
    select ${listed} from import where kind = any(${sql.val([...kinds])}) and id > ${id}::bigint
     order by id limit ${most}`.execute(db)
  return rows.map(withWholeReport)
}

/** Reports are stored as written: properties that an older one lacks get their defaults. */
function withWholeReport(row: Import): Import {
  return { ...row, report: row.report && storedReport.parse(row.report) }
}

export async function selectImport(db: Db, id: number): Promise<Import | undefined> {
  const { rows } = await sql<Import>`
    select ${columns(sql`report`, sql`table_head`, sql`mapping`)} from import where id = ${id}::bigint`.execute(
    db,
  )
  return rows[0] && withWholeReport(rows[0])
}

export async function findStoredImport(db: Db, id: number): Promise<StoredImport | undefined> {
  const { rows } = await sql<StoredImport>`
    select id, kind, file_name as "fileName", state, stored_as as "storedAs", currency_map as "currencyMap",
           table_head as table, mapping, report,
           case when first_price_id is not null
             then json_build_object('first', first_price_id, 'last', last_price_id) end as ids,
           created,
           json_build_object('requestId', request_id, 'actor', case when actor_id is not null
             then json_build_object('userId', actor_id, 'name', actor_name) end) as actor
      from import where id = ${id}::bigint`.execute(db)
  return rows[0]
}

export async function insertImport(
  tx: Db,
  given: { kind: ImportKind; fileName: string; fileBytes: number; storedAs: string },
  { actor, requestId }: Author,
): Promise<number> {
  const { id } = await tx
    .insertInto('import')
    .values({
      kind: given.kind,
      file_name: given.fileName,
      file_bytes: given.fileBytes,
      stored_as: given.storedAs,
      author_id: actor?.userId ?? null,
      author_name: actor?.name ?? null,
      actor_id: actor?.userId ?? null,
      actor_name: actor?.name ?? null,
      request_id: requestId,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Reserves an id for an import that is only inserted when it is done. */
export async function reserveImportId(db: Db): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select nextval(pg_get_serial_sequence('import', 'id'))::int as id`.execute(db)
  return rows[0]!.id
}

/** Inserts an import done by command, so that it can be seen and undone on screen. */
export async function insertDoneImport(
  tx: Db,
  done: {
    id: number
    kind: ImportKind
    fileName: string
    fileBytes: number
    currencyMap: CurrencyMap
    report: StoredReport
  } & Pick<WrittenImport, 'ids' | 'created'>,
): Promise<void> {
  await sql`
    insert into import (id, kind, file_name, file_bytes, currency_map, state, report, first_price_id, last_price_id,
                        created, ended_at)
    overriding system value
    values (${done.id}, ${done.kind}, ${done.fileName}, ${done.fileBytes}, ${JSON.stringify(done.currencyMap)}::jsonb, 'done',
            ${JSON.stringify(done.report)}::jsonb, ${done.ids?.first ?? null}, ${done.ids?.last ?? null},
            ${JSON.stringify(done.created)}::jsonb, clock_timestamp())`.execute(tx)
}

/** Moves an import from one of some states to another for a user; false when it is in none of them. */
export async function requestState(
  tx: Db,
  id: number,
  { from, to, by }: { from: readonly ImportState[]; to: ImportState; by: Author },
  { currencyMap, mapping }: { currencyMap?: CurrencyMap | undefined; mapping?: Mapping | undefined } = {},
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('import')
    .set({
      state: to,
      stage: null,
      failure: null,
      rows_read: 0,
      bytes_read: 0,
      actor_id: by.actor?.userId ?? null,
      actor_name: by.actor?.name ?? null,
      request_id: by.requestId,
      ...(currencyMap && { currency_map: JSON.stringify(currencyMap) }),
      ...(mapping && { mapping: JSON.stringify(mapping) }),
    })
    .where('id', '=', sql<number>`${id}::bigint`)
    .where('state', 'in', from)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

type Ended = {
  from: ImportState
  to: ImportState
  report?: StoredReport
  table?: ProposedTable
  ids?: IdRange | null
  created?: CreatedRows | null
}

/**
 * Stores the end of a job, in the transaction that did the work; false when the import has left the state that the job
 * began in.
 */
export async function endState(tx: Db, id: number, ended: Ended): Promise<boolean> {
  const { from, to, report, table, ids, created } = ended
  const { numUpdatedRows } = await tx
    .updateTable('import')
    .set({
      state: to,
      stage: null,
      ended_at: sql<Date>`clock_timestamp()`,
      ...(table && { table_head: JSON.stringify(table) }),
      ...(report && { report: JSON.stringify(report) }),
      ...(ids !== undefined && { first_price_id: ids?.first ?? null, last_price_id: ids?.last ?? null }),
      ...(created !== undefined && { created: created && JSON.stringify(created) }),
    })
    .where('id', '=', id)
    .where('state', '=', from)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/**
 * Ends a state whose work failed. A failed undo leaves the import done, at its former time and by its former `actor`,
 * which jobs queued by an earlier version lack.
 */
export async function failState(
  db: Db,
  { id, state }: Pick<StoredImport, 'id' | 'state'>,
  failure: string,
  actor: Import['actor'] | undefined,
): Promise<void> {
  const isUndo = state === 'undoing'
  await db
    .updateTable('import')
    .set({
      state: isUndo ? 'done' : 'failed',
      stage: null,
      failure,
      ...(!isUndo && { ended_at: sql<Date>`clock_timestamp()` }),
      ...(isUndo &&
        actor !== undefined && {
          // The account may have been deleted since.
          actor_id: sql<number | null>`(select id from app_user where id = ${actor?.id ?? null})`,
          actor_name: actor?.name ?? null,
        }),
    })
    .where('id', '=', id)
    .where('state', '=', state)
    .execute()
}

/** Stores the progress of a job; false when the import has left the state that the job works for. */
export async function updateProgress(
  db: Db,
  id: number,
  state: ImportState,
  progress: { stage: string; rows: number; bytes: number },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('import')
    .set({ stage: progress.stage, rows_read: progress.rows, bytes_read: progress.bytes })
    .where('id', '=', id)
    .where('state', '=', state)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/**
 * Abandons checked imports that were not confirmed in `days`, and clears the file keys of finished ones. Returns those
 * keys.
 */
export async function forgetFiles(tx: Db, days: number): Promise<string[]> {
  await tx
    .updateTable('import')
    .set({ state: 'abandoned' })
    .where('state', 'in', ['checked', 'unmapped'])
    .where('updated_at', '<', sql<string>`now() - ${days} * interval '1 day'`)
    .execute()
  const { rows } = await sql<{ key: string }>`
    with forgotten as (
      select id, stored_as from import
       where stored_as is not null and not ${isActive}
         and (state = 'abandoned' or updated_at < now() - ${days} * interval '1 day')
         for update skip locked)
    update import set stored_as = null from forgotten where import.id = forgotten.id
    returning forgotten.stored_as as key`.execute(tx)
  return rows.map(({ key }) => key)
}

/** Returns which of these keys belong to a file of an import. */
export async function listStoredFiles(db: Db, keys: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ key: string }>`
    select stored_as as key from import where stored_as::text = any(${sql.val([...keys])})`.execute(db)
  return new Set(rows.map(({ key }) => key))
}
