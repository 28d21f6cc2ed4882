// A PostgreSQL with a replica, for tests of reads that are shared between them.

import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type pg from 'pg'
import { afterAll } from 'vitest'
import { copyCluster } from '#server/db/backup/base-copy.ts'
import { type Embedded, startEmbedded } from '#server/db/embedded/embedded.ts'
import { migrate } from '#server/db/migrate.ts'
import { type Database, openDatabase, openPool } from '#server/db/pool.ts'
import { privateDirectory, quiet } from './embedded.ts'
import { eventually } from './waiting.ts'

const migrations = resolve(import.meta.dirname, '../../db/migrations')
const quick = { fsync: 'off', shared_buffers: '32MB', max_connections: '60' }

export type Pair = {
  primary: Database & { connection: Embedded['connection'] }
  standby: { connection: Embedded['connection']; stop(): Promise<void> }
  /** Pauses replay on the replica. */
  pause(): Promise<void>
  resume(): Promise<void>
  /** Waits until the replica has all that has been written so far. */
  caughtUp(): Promise<void>
}

/** Starts a migrated database and its replica; both end with the file's tests. */
export async function startPair(): Promise<Pair> {
  const [dataDir, copyDir] = [privateDirectory(afterAll), privateDirectory(afterAll)]
  const first = await startEmbedded({ dataDir, role: 'tool', log: quiet, relaxedSettings: quick })
  afterAll(() => first.stop())
  const { connection } = first
  const database = await openDatabase({ connection })
  afterAll(() => database.close())
  await migrate(database.pool, migrations, quiet)
  await copyCluster(connection, join(dataDir, 'postgres'), join(copyDir, 'postgres'))
  writeFileSync(join(copyDir, 'postgres/standby.signal'), '')
  const primary_conninfo = `host=${connection.host} port=${connection.port} user=${connection.user}`
  const second = await startEmbedded({
    dataDir: copyDir,
    role: 'tool',
    log: quiet,
    relaxedSettings: { ...quick, primary_conninfo, hot_standby_feedback: 'on' },
  })
  afterAll(() => second.stop())
  const watched: pg.Pool = openPool({ connection: second.connection, max: 1 })
  afterAll(() => watched.end())
  const caughtUp = async () => {
    const { rows } = await database.pool.query('select pg_current_wal_lsn() as position')
    await eventually('the replica has caught up', async () => {
      const seen = await watched.query('select pg_last_wal_replay_lsn() >= $1::pg_lsn as ok', [
        rows[0].position,
      ])
      return seen.rows[0].ok
    })
  }
  return {
    primary: { ...database, connection },
    standby: second,
    pause: async () => void (await watched.query('select pg_wal_replay_pause()')),
    resume: async () => void (await watched.query('select pg_wal_replay_resume()')),
    caughtUp,
  }
}
