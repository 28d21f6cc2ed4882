import { sql } from 'kysely'
import { windowWeeks } from '#features/prices/price-index/price-index.rules.ts'
import type { WindowLevels } from '#features/prices/price-index/sliding-window.rules.ts'
import { addDays, mondayOf } from '#features/prices/rollups/rollups.rules.ts'
import { hasRate } from '#features/prices/rollups/rollups.sql.ts'
import { scopeOf } from '#features/prices/stored-index/stored-index.sql.ts'
import type { Db } from '#server/db/pool.ts'

/** Which windows there are to fit, by the Mondays of their last weeks. The one of the last week of all is the stored index itself. */
export type WindowState = {
  /** From here up to here they are to be fitted anew. */
  from: string
  to: string
  /** The first that has a year before it, and the last. */
  first: string
  last: string
  keeper: string | null
  /** For how long nobody has been at it. */
  idleMs: number
}

/** @returns null without prices, and where these are of less than a year and a week */
export async function readWindowState(tx: Db): Promise<WindowState | null> {
  const { rows } = await sql<Omit<WindowState, 'to'> & { until: string }>`
    select greatest(windows_from, '0001-01-01') as from, keeper,
           greatest(least(windows_until, '9998-01-01'), '0001-01-01') as until,
           extract(epoch from clock_timestamp() - greatest(windows_at, '0001-01-01'))::float8 * 1000 as "idleMs",
           (select min(day) from price_day where n > 0 and ${hasRate('day')}) as first,
           (select max(day) from price_day where n > 0 and ${hasRate('day')}) as last
      from price_index_keeper`.execute(tx)
  const [state] = rows
  if (!state?.first) return null
  const { until, ...own } = state
  const [first, last] = [
    addDays(mondayOf(state.first), 7 * (windowWeeks - 1)),
    addDays(mondayOf(state.last), -7),
  ]
  const lastMoved = addDays(until, 7 * (windowWeeks - 1))
  return first <= last ? { ...own, first, last, to: lastMoved < last ? lastMoved : last } : null
}

/**
 * Forgets windows before the first, which tell of prices that are gone, and all of them where some come before these now.
 *
 * @returns whether these were all
 */
export async function forgetWindows(tx: Db, first: string): Promise<boolean> {
  const { rows } = await sql<{ areAll: boolean | null }>`
    with stored as materialized (select min(week) as first from price_index_window),
    forgotten as (delete from price_index_window using stored where week < ${first}::date or ${first}::date < stored.first)
    select ${first}::date < first as "areAll" from stored`.execute(tx)
  return rows[0]?.areAll ?? false
}

/** Says that somebody is at it now, and from which on windows are to be fitted anew. */
export async function noteWindows(tx: Db, from: string): Promise<void> {
  await sql`update price_index_keeper set windows_from = ${from}::date, windows_at = clock_timestamp()`.execute(
    tx,
  )
}

/** Has all windows fitted anew, those before and after what was written too. */
export async function noteAllWindows(tx: Db): Promise<void> {
  await sql`update price_index_keeper set windows_from = '-infinity', windows_until = 'infinity'`.execute(tx)
}

/** Says that all windows up to the last are fitted. */
export async function noteAllFitted(tx: Db, last: string): Promise<void> {
  await sql`
    update price_index_keeper
       set windows_from = ${last}::date + 7, windows_until = '-infinity', windows_at = clock_timestamp()`.execute(
    tx,
  )
}

/** Stores what the windows that end with a week are worth, by the names of their indices. */
export async function saveWindows(
  tx: Db,
  week: string,
  levels: ReadonlyMap<string, WindowLevels>,
): Promise<void> {
  const rows = [...levels].map(([name, own]) => ({ ...scopeOf(name), levels: own }))
  await sql`delete from price_index_window where week = ${week}::date`.execute(tx)
  await sql`
    insert into price_index_window (scope, key, week, levels)
    select scope, key, ${week}::date, levels
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as row (scope text, key text, levels float8[])`.execute(
    tx,
  )
}

/** The windows of an index, and how far they can be relied on. */
export type StoredWindows = {
  /** What each is worth, by the Monday of its last week; one in which nothing was collected is missing. */
  windows: Map<string, WindowLevels>
  /** Whether all that were asked for have been fitted. */
  areAllFitted: boolean
  /** From here on what was just written has not been taken in; null where all of it has. */
  movingFrom: string | null
}

/** The windows of an index from one to another, given by the Mondays of their last weeks. */
export async function readStoredWindows(
  db: Db,
  name: string,
  { first, last }: { first: string; last: string },
): Promise<StoredWindows> {
  const { scope, key } = scopeOf(name)
  const { rows } = await sql<{
    areAllFitted: boolean | null
    movingFrom: string | null
    windows: [string, WindowLevels][]
  }>`
    select (select min(week) <= greatest(${first}::date, (select min(day) + 364 from price_day where n > 0 and ${hasRate('day')}))
                   and max(week) >= ${last}::date
              from price_index_window where scope = 'nation') as "areAllFitted",
           (select min(week)
              from (select greatest(windows_from, '0001-01-01') from price_index_keeper where windows_until > '-infinity'
                     union all select coalesce(week, '0001-01-01') from price_index_pending) written (week)
             where week <= ${last}::date) as "movingFrom",
           (select coalesce(json_agg(json_build_array(week, levels)), '[]')
              from price_index_window
             where scope = ${scope} and key = ${key} and week between ${first}::date and ${last}::date) as windows`.execute(
    db,
  )
  const [row] = rows
  return {
    windows: new Map(row?.windows),
    areAllFitted: row?.areAllFitted ?? false,
    movingFrom: row?.movingFrom ?? null,
  }
}

/** All windows that end with a week, by the names of their indices. */
export async function readWindowsOfWeek(db: Db, week: string): Promise<Map<string, WindowLevels>> {
  const { rows } = await sql<{ name: string; levels: WindowLevels }>`
    select scope || ' ' || key as name, levels from price_index_window where week = ${week}::date`.execute(db)
  return new Map(rows.map(({ name, levels }) => [name, levels]))
}
