import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { emptyDatabase } from '../../../tests/support/database.ts'
import { privateDirectory, query, quiet } from '../../../tests/support/embedded.ts'
import { assertDurable, assertVersion, assertWritable } from './durability.ts'
import { changeOwner, databaseUser, findBinaries } from './embedded/binaries.ts'
import { startEmbedded } from './embedded/embedded.ts'
import { dataDirArgument } from './embedded/process.ts'
import { openPool } from './pool.ts'

const { pool, connection } = await emptyDatabase()

test('a server that may lose confirmed data is refused, with the settings at fault', async () => {
  // The tests' own server has relaxed settings, for speed.
  await expect(assertDurable(pool)).rejects.toThrow(
    /désactivé : fsync, full_page_writes, synchronous_commit\)/,
  )
})

test('one such setting is enough, wherever it was set', async () => {
  const kept = await embeddedOn(privateDirectory())
  await query(kept, 'alter role ntalo set synchronous_commit = off')
  await expect(assertDurable(poolOn(kept))).rejects.toThrow(/désactivé : synchronous_commit\)/)
})

test('a server without checksums of its data is refused', async () => {
  const dataDir = privateDirectory()
  const dir = join(dataDir, 'postgres')
  const user = databaseUser(dir)
  mkdirSync(dir, { mode: 0o700 })
  changeOwner(dir, user)
  const initdb = join(findBinaries(user), 'bin', 'initdb')
  const env = { LC_ALL: 'C', PGDATA: dataDirArgument(dir) }
  spawnSync(initdb, ['-U', 'ntalo', '--no-data-checksums', '--no-sync'], { ...user, cwd: dir, env })
  const bare = { ...(await embeddedOn(dataDir)), database: 'postgres' }
  await expect(assertDurable(poolOn(bare))).rejects.toThrow('désactivé : data_checksums')
})

test('a server older than PostgreSQL 18 is refused by its version, ours is accepted', async () => {
  await expect(assertVersion(pool)).resolves.toBeUndefined()
  const older = { query: async () => ({ rows: [{ server_version_num: '150018' }] }) }
  await expect(assertVersion(older)).rejects.toThrow(
    'Le serveur de DATABASE_URL est PostgreSQL 15, et Ntalo demande PostgreSQL 18 ou plus récent.',
  )
})

test('a database that accepts no writes is refused', async () => {
  await expect(assertWritable(pool)).resolves.toBeUndefined()
  await pool.query(`alter database ${connection.database} set default_transaction_read_only = on`)
  await expect(assertWritable(poolOn(connection))).rejects.toThrow('en lecture seule')
})

async function embeddedOn(dataDir: string) {
  const embedded = await startEmbedded({ dataDir, role: 'tool', log: quiet })
  onTestFinished(embedded.stop)
  return embedded.connection
}

function poolOn(to: typeof connection) {
  const opened = openPool({ connection: to })
  onTestFinished(() => opened.end())
  return opened
}
