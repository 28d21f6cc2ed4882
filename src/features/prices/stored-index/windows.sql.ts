import { sql } from 'kysely'
import { windowWeeks } from '#features/prices/price-index/price-index.rules.ts'
import type { WindowLevels } from '#features/prices/price-index/sliding-window.rules.ts'
import { addDays, mondayOf } from '#features/prices/rollups/rollups.rules.ts'
import { hasRate } from '#features/prices/rollups/rollups.sql.ts'
import { scopeOf } from '#features/prices/stored-index/stored-index.sql.ts'
import type { Db } from '#server/db/pool.ts'

/** Which windows there are to fit, by the Mondays of their last weeks. The one of the last week of all is the stored index itself. */
export type WindowState = {
  /** From here on they are to be fitted anew. */
  from: string
  /** The first that has a year before it, and the last. */
  first: string
  last: string
  keeper: string | null
  /** For how long nobody has been at it. */
  idleMs: number
}

/** @returns null without prices, and where these are of less than a year and a week */
export async function readWindowState(tx: Db): Promise<WindowState | null> {
  const { rows } = await sql<WindowState>`
    select greatest(windows_from, '0001-01-01') as from, keeper,
           extract(epoch from clock_timestamp() - greatest(windows_at, '0001-01-01'))::float8 * 1000 as "idleMs",
           (select min(day) from price_day where n > 0 and ${hasRate('day')}) as first,
           (select max(day) from price_day where n > 0 and ${hasRate('day')}) as last
      from price_index_keeper`.execute(tx)
  const [state] = rows
  if (!state?.first) return null
  const [first, last] = [
    addDays(mondayOf(state.first), 7 * (windowWeeks - 1)),
    addDays(mondayOf(state.last), -7),
  ]
  return first <= last ? { ...state, first, last } : null
}

/** Forgets windows before the first, which tell of prices that are gone, and all of them where some come before these now. */
export async function forgetWindows(tx: Db, first: string): Promise<void> {
  await sql`
    delete from price_index_window
     where week < ${first}::date or ${first}::date < (select min(week) from price_index_window)`.execute(tx)
}

/** Says that somebody is at it now, and from which on windows are to be fitted anew. */
export async function noteWindows(tx: Db, from: string): Promise<void> {
  await sql`update price_index_keeper set windows_from = ${from}::date, windows_at = clock_timestamp()`.execute(
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

/**
 * What the windows of an index are worth, by the Mondays of their last weeks, of which these are the first and the last; one in
 * which nothing was collected is missing.
 *
 * @returns also whether all of these have been fitted
 */
export async function readStoredWindows(
  db: Db,
  name: string,
  { first, last }: { first: string; last: string },
): Promise<{ windows: Map<string, WindowLevels>; areAllFitted: boolean }> {
  const { scope, key } = scopeOf(name)
  const { rows } = await sql<{ areAllFitted: boolean | null; windows: [string, WindowLevels][] }>`
    select (select min(week) <= ${first}::date and max(week) >= ${last}::date
              from price_index_window where scope = 'nation') as "areAllFitted",
           (select coalesce(json_agg(json_build_array(week, levels)), '[]')
              from price_index_window
             where scope = ${scope} and key = ${key} and week between ${first}::date and ${last}::date) as windows`.execute(
    db,
  )
  return { windows: new Map(rows[0]?.windows), areAllFitted: rows[0]?.areAllFitted ?? false }
}

/** All windows that end with a week, by the names of their indices. */
export async function readWindowsOfWeek(db: Db, week: string): Promise<Map<string, WindowLevels>> {
  const { rows } = await sql<{ name: string; levels: WindowLevels }>`
    select scope || ' ' || key as name, levels from price_index_window where week = ${week}::date`.execute(db)
  return new Map(rows.map(({ name, levels }) => [name, levels]))
}
