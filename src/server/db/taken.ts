import { type RawBuilder, sql } from 'kysely'

/** Handling of a row that violates a unique constraint: the statement fails, or skips the row. */
export type Taken = 'fails' | 'is left'

/** Returns the condition that skips rows found by `existing`, when existing rows are left unchanged. */
export function wantedIf(taken: Taken, existing: RawBuilder<unknown>): RawBuilder<unknown> {
  return taken === 'fails' ? sql`true` : sql`not exists (${existing})`
}

/** Returns the `on conflict` clause that does the same for a row inserted concurrently. */
export function onTaken(taken: Taken): RawBuilder<unknown> {
  return taken === 'fails' ? sql`` : sql`on conflict do nothing`
}
