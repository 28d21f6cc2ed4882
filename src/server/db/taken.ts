import { type RawBuilder, sql } from 'kysely'

/** What becomes of a row that breaks a unique constraint: the statement fails, or does without it. */
export type Taken = 'fails' | 'is left'

/** Keeps of the wanted rows those that `existing` does not find, when others are left as they are. */
export function wantedIf(taken: Taken, existing: RawBuilder<unknown>): RawBuilder<unknown> {
  return taken === 'fails' ? sql`true` : sql`not exists (${existing})`
}

/** The same of a row that somebody else writes at the same time. */
export function onTaken(taken: Taken): RawBuilder<unknown> {
  return taken === 'fails' ? sql`` : sql`on conflict do nothing`
}
