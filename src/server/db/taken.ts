import { type RawBuilder, sql } from 'kysely'

/** What becomes of a row that breaks a unique constraint: the statement fails, or does without it. */
export type Taken = 'fails' | 'is left'

/** Keeps of the wanted rows those that `known` does not find, when others are left as they are. */
export function wantedIf(taken: Taken, known: RawBuilder<unknown>): RawBuilder<unknown> {
  return taken === 'fails' ? sql`true` : sql`not exists (${known})`
}

/** The same of a row that somebody else writes at the same time. */
export function onTaken(taken: Taken): RawBuilder<unknown> {
  return taken === 'fails' ? sql`` : sql`on conflict do nothing`
}
