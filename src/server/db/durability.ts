// What an acknowledged write rests on, checked rather than hoped for.

import type { ClientBase, Pool } from 'pg'
import { DatabaseStartError } from './errors.ts'

const required = ['fsync', 'full_page_writes', 'synchronous_commit']

/**
 * Throws a {@link DatabaseStartError} when the server may lose what it has acknowledged: `fsync`, `full_page_writes`
 * or `synchronous_commit` is off.
 */
export async function assertDurable(client: ClientBase | Pool): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select name from pg_settings where name = any($1) and setting = 'off' order by name`,
    [required],
  )
  if (rows.length === 0) return
  const names = rows.map(({ name }) => name).join(', ')
  throw new DatabaseStartError(
    `PostgreSQL est réglé pour pouvoir perdre des données déjà confirmées (désactivé : ${names}). Réactivez ces réglages ; Ntalo ne démarre pas sans eux.`,
  )
}
