import { type RawBuilder, sql } from 'kysely'

/** Handling of a row that violates a unique constraint: the statement fails, or skips the row. */
export type OnDuplicate = 'fail' | 'skip'

/** Returns the condition that leaves out rows found by `existing`, when duplicates are to be skipped. */
export function unlessExists(onDuplicate: OnDuplicate, existing: RawBuilder<unknown>): RawBuilder<unknown> {
  return onDuplicate === 'fail' ? sql`true` : sql`not exists (${existing})`
}

/** Returns the `on conflict` clause that does the same for a row inserted concurrently. */
export function conflictClause(onDuplicate: OnDuplicate): RawBuilder<unknown> {
  return onDuplicate === 'fail' ? sql`` : sql`on conflict do nothing`
}
