import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbedded } from '#server/db/embedded/embedded.ts'
import { migrate } from '#server/db/migrate.ts'
import { type Database, openDatabase, type PoolOptions } from '#server/db/pool.ts'

export const migrations = join(import.meta.dirname, '../../db/migrations')
export const quiet = { info() {}, warn: console.warn, error: console.error }

/** A killed PostgreSQL may lose acknowledged writes with this setting; never use it in production. */
export const forgetful = { synchronous_commit: 'off' }

export type PrivatePostgres = Database & {
  connection: Exclude<PoolOptions['connection'], string>
  /** Directory removed together with the database. */
  dataDir: string
}

/**
 * Runs work on a private PostgreSQL, empty and migrated, which is then stopped and removed.
 *
 * @param relaxedSettings settings that make it less durable than in production; without any, the figures apply to
 * production
 */
export async function withPostgres<T>(
  work: (postgres: PrivatePostgres) => Promise<T>,
  relaxedSettings?: Record<string, string>,
): Promise<T> {
  const dataDir = mkdtempSync(join(tmpdir(), 'ntalo-bench-'))
  const embedded = await startEmbedded({
    dataDir,
    role: 'tool',
    log: quiet,
    ...(relaxedSettings && { relaxedSettings }),
  })
  try {
    const { connection } = embedded
    const database = await openDatabase({ connection })
    try {
      await migrate(database.pool, migrations, quiet)
      return await work({ ...database, connection, dataDir })
    } finally {
      await database.close()
    }
  } finally {
    await embedded.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}
