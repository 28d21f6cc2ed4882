import { type RawBuilder, sql } from 'kysely'

/** An instant inside JSON that PostgreSQL makes, as JavaScript writes it (ISO 8601, UTC), whatever the session's time zone. */
export function isoInstant(column: string): RawBuilder<string> {
  return sql`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}
