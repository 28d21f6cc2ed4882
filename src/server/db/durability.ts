// Checks the server settings that make acknowledged writes durable.

import type { ClientBase, Pool } from 'pg'
import { DatabaseStartError } from './errors.ts'

const required = ['fsync', 'full_page_writes', 'synchronous_commit']

/**
 * Throws a {@link DatabaseStartError} when the server may lose what it has acknowledged (`fsync`, `full_page_writes`
 * or `synchronous_commit` is off), or would not detect corrupted data on its disk (`data_checksums` is off).
 */
export async function assertDurable(client: ClientBase | Pool): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select name from pg_settings where name = any($1) and setting = 'off' order by name`,
    [[...required, 'data_checksums']],
  )
  const names = rows.map(({ name }) => name)
  const missing = names.filter((name) => required.includes(name))
  if (missing.length > 0) {
    throw new DatabaseStartError(
      `PostgreSQL est réglé pour pouvoir perdre des données déjà confirmées (désactivé : ${missing.join(', ')}). Réactivez ces réglages ; Ntalo ne démarre pas sans eux.`,
    )
  }
  if (names.length > 0) {
    throw new DatabaseStartError(
      'PostgreSQL ne verrait pas une donnée abîmée sur son disque (désactivé : data_checksums). Arrêtez-le, activez les sommes de contrôle avec « pg_checksums --enable », puis relancez Ntalo.',
    )
  }
}

const oldestVersion = 18

/** Throws a {@link DatabaseStartError} when the server is older than the version the migrations require. */
export async function assertVersion(client: {
  query(text: string): Promise<{ rows: unknown[] }>
}): Promise<void> {
  const { rows } = await client.query('show server_version_num')
  const major = Math.floor(Number(Object(rows[0]).server_version_num) / 10_000)
  if (major >= oldestVersion) return
  throw new DatabaseStartError(
    `Le serveur de DATABASE_URL est PostgreSQL ${major}, et Ntalo demande PostgreSQL ${oldestVersion} ou plus récent. Rien n’y a été changé.`,
  )
}

/** Throws a {@link DatabaseStartError} when the database is read-only (a replica, or set to be so). */
export async function assertWritable(client: ClientBase | Pool): Promise<void> {
  const { rows } = await client.query<{ transaction_read_only: string }>('show transaction_read_only')
  if (rows[0]?.transaction_read_only === 'off') return
  throw new DatabaseStartError(
    'La base de données est en lecture seule (un réplica, ou default_transaction_read_only). Réactivez-y les écritures, ou indiquez une autre base dans DATABASE_URL.',
  )
}
