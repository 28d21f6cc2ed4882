import { type RawBuilder, sql } from 'kysely'

/** An instant inside JSON that PostgreSQL makes, as JavaScript writes it (ISO 8601, UTC), whatever the session's time zone. */
export function isoInstant(column: string): RawBuilder<string> {
  return sql`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}

/**
 * The present as columns of type `timestamptz(3)` keep it: rounded to the nearest millisecond, so up to half of one later
 * than `now()`. What was written as due « now » is due by this clock at once.
 */
export const justNow = sql`now()::timestamptz(3)`
