import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbedded } from '#server/db/embedded/embedded.ts'
import { migrate } from '#server/db/migrate.ts'
import { type Database, openDatabase, type PoolOptions } from '#server/db/pool.ts'

export const migrations = join(import.meta.dirname, '../../db/migrations')
export const quiet = { info() {}, warn: console.warn, error: console.error }

/** What a killed PostgreSQL has acknowledged may be lost; never a setting for use. */
export const forgetful = { synchronous_commit: 'off' }

export type PrivatePostgres = Database & {
  connection: Exclude<PoolOptions['connection'], string>
  /** A directory that goes with it. */
  dataDir: string
}

/**
 * A PostgreSQL of a benchmark's own, empty and migrated, stopped and removed after the work.
 *
 * @param relaxedSettings what makes it less durable than in use; none, and figures hold for use
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
