import { type RawBuilder, sql } from 'kysely'
import type { IdRange } from '#features/imports/imports.sql.ts'
import { exchangeRates } from '#features/rates/rates.contract.ts'
import type { Author } from '#server/audit.sql.ts'
import type { Db } from '#server/db/pool.ts'

export type RateCounts = { added: number; revised: number }
type Written = { importId: number; ids: IdRange | null }

/**
 * Inserts the missing rates of days and updates those that differ, each with an audit entry. Previous values are stored
 * with the import, if it has an id.
 *
 * @param wanted a query of `day`, `cdf_per_usd` and `source`, one row per day
 * @param replaces which rates may be revised: those of the same source only, or any
 * @returns the numbers of rates added and revised; a dry run only counts them
 */
export async function writeRates(
  tx: Db,
  wanted: RawBuilder<unknown>,
  { isDryRun, importId, author, replaces }: Writing,
): Promise<RateCounts> {
  await sql`create temp table wanted_rate on commit drop as
    select wanted.*, rate.id, rate.cdf_per_usd as old_rate, rate.source as old_source
      from (${wanted}) wanted left join exchange_rate rate using (day)`.execute(tx)
  await sql`delete from wanted_rate where id is not null
    and (old_rate = cdf_per_usd or (${replaces === 'same source'} and old_source is distinct from source))`.execute(
    tx,
  )
  const { rows } = await sql<RateCounts>`
    select count(*) filter (where id is null) as added, count(id) as revised from wanted_rate`.execute(tx)
  const counts = rows[0] ?? { added: 0, revised: 0 }
  if (isDryRun) return counts
  if (counts.added > 0) {
    await sql`
      with added as (
        insert into exchange_rate (day, cdf_per_usd, source)
        select day, cdf_per_usd, source from wanted_rate where id is null order by day
        returning id, updated_at)
      insert into rate_revision (import_id, rate_id, revised_at)
      select ${importId}::integer, id, updated_at from added where ${importId}::integer is not null`.execute(
      tx,
    )
  }
  if (counts.revised > 0) {
    await sql`
      -- Reads the rows after locking them: a concurrent writer may have changed them since the statement's snapshot.
      with held as materialized (
        select rate.id, rate.cdf_per_usd as old_rate, rate.source as old_source, wanted.cdf_per_usd, wanted.source
          from exchange_rate rate join wanted_rate wanted using (id) for update of rate),
      changed as (
        update exchange_rate rate set cdf_per_usd = held.cdf_per_usd, source = coalesce(held.source, rate.source)
          from held where held.id = rate.id
        returning rate.id, rate.updated_at, rate.cdf_per_usd, rate.source, old_rate, old_source),
      chosen as (
        insert into rate_revision (import_id, rate_id, cdf_per_usd, source, revised_at)
        select ${importId}::integer, id, old_rate, old_source, updated_at
          from changed where ${importId}::integer is not null)
      insert into audit_entry (action, entity, entity_id, before, after, user_id, request_id)
      select 'update', ${exchangeRates.name}, id,
             jsonb_build_object('cdfPerUsd', trim_scale(old_rate), 'source', old_source),
             jsonb_build_object('cdfPerUsd', trim_scale(cdf_per_usd), 'source', source, 'importId', ${importId}::integer),
             ${author.actor?.userId ?? null}::integer, ${author.requestId}::text
        from changed`.execute(tx)
  }
  return counts
}

type Writing = {
  isDryRun: boolean
  importId: number | null
  author: Author
  replaces: 'same source' | 'any'
}

const unchanged = ({ importId }: Written) =>
  sql`revision.import_id = ${importId} and rate.id = revision.rate_id and rate.updated_at = revision.revised_at`

/** Counts the rates of an import that are unchanged since it wrote them. */
export async function countUnchangedRates(db: Db, written: Written): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from exchange_rate rate, rate_revision revision where ${unchanged(written)}`.execute(
    db,
  )
  return rows[0]?.n ?? 0
}

/**
 * Restores or deletes the rates of an import that are unchanged since. A restored rate counts again as written by the
 * previous import, which can thus be undone too, unless the journal has another change in between. Returns the number
 * of rates undone.
 */
export async function undoRates(tx: Db, written: Written): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    with restored as (
      update exchange_rate rate set cdf_per_usd = revision.cdf_per_usd, source = revision.source
        from rate_revision revision where ${unchanged(written)} and revision.cdf_per_usd is not null
      returning rate.id, rate.updated_at, revision.revised_at as taken_at),
    before as (
      select restored.*, max(earlier.revised_at) as revised_at
        from restored join rate_revision earlier on earlier.rate_id = restored.id and earlier.revised_at < taken_at
       group by restored.id, restored.updated_at, taken_at),
    chosen as (
      update rate_revision earlier set revised_at = before.updated_at
        from before
       where earlier.rate_id = before.id and earlier.revised_at = before.revised_at
         and not exists (
           select from audit_entry where entity = ${exchangeRates.name} and entity_id = before.id
              and at > before.revised_at and at < taken_at and not coalesce(after ? 'importId', false)))
    select count(*) as n from restored`.execute(tx)
  const deleted = await sql`
    delete from exchange_rate rate using rate_revision revision
     where ${unchanged(written)} and revision.cdf_per_usd is null`.execute(tx)
  await sql`delete from rate_revision where import_id = ${written.importId}`.execute(tx)
  return (rows[0]?.n ?? 0) + Number(deleted.numAffectedRows ?? 0)
}

export async function createRateStaging(tx: Db): Promise<void> {
  await sql`create temp table staged_rate (line bigint, day date, cdf_per_usd numeric(14, 6), source text) on commit drop`.execute(
    tx,
  )
}

export async function stageRates(
  tx: Db,
  lines: readonly { line: number; day: string; cdf_per_usd: number; source: string | null }[],
): Promise<void> {
  await sql`insert into staged_rate
    select * from json_populate_recordset(null::staged_rate, ${JSON.stringify(lines)})`.execute(tx)
}

/** The staged rates; of a day that occurs twice, the first one counts. */
export const stagedRates: RawBuilder<unknown> = sql`
  select distinct on (day) day, cdf_per_usd, source from staged_rate order by day, line`
