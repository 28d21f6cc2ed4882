import { type RawBuilder, sql } from 'kysely'

/** Formats an instant for JSON built by PostgreSQL as JavaScript does: ISO 8601, UTC, in any session time zone. */
export function isoInstant(column: string): RawBuilder<string> {
  return sql`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}

/**
 * Current time as a `timestamptz(3)` column stores it: rounded to the nearest millisecond, so up to 0.5 ms later than
 * `now()`. Compared with it, a row written as due « now » is due at once.
 */
export const justNow = sql`now()::timestamptz(3)`
