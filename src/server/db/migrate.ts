// Forward-only migrations in plain SQL. Each applied file is recorded with a checksum, so that a difference between the
// files and the database is detected.

import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { DatabaseStartError, isLockTimeout, isSerializationFailure } from './errors.ts'

export type Migration = { number: number; name: string; sql: string; checksum: string }

type Applied = { number: number; name: string; checksum: string }

// Arbitrary key of the advisory lock; nothing else in the database may use it.
const migrationLock = 20_260_102
const otherMigratorTimeoutMs = 120_000
// A migration that waits for a table lock blocks all later queries on the table, so it gives up after 2 s and retries.
const lockTimeoutMs = 2_000
const attempts = 5
// Checksum of the first migration of every database created before the baseline (0001 to 0014).
const beforeBaseline = 'c7d5962220d058c9bf5a7ea1db73453658a9b00b4a683a89b69fc115b0085672'

/**
 * Applies the migrations of `dir` that the database lacks, each in a separate transaction, and returns their names.
 * Of several processes, one migrates and the others wait. Throws a {@link DatabaseStartError} in French when an
 * applied file was changed, when the database is newer than the files or older than all of them, or when a statement
 * fails.
 */
export async function migrate(
  pool: pg.Pool,
  dir: string,
  log: { info(message: string): void },
): Promise<string[]> {
  const migrations = readMigrations(dir)
  // A separate connection without the pool's time limits; closing it always releases the lock.
  const client = new pg.Client({ ...pool.options, statement_timeout: 0, query_timeout: 0 })
  client.on('error', () => {})
  await client.connect()
  try {
    await lock(client, log)
    await client.query(`create table if not exists schema_migration (
      number integer constraint schema_migration_pkey primary key,
      name text not null,
      checksum text not null,
      applied_at timestamptz(3) not null default now()
    )`)
    const { rows } = await client.query<Applied>(
      'select number, name, checksum from schema_migration order by number',
    )
    const pending = pendingMigrations(migrations, rows)
    for (const migration of pending) {
      await apply(client, migration, log)
      log.info(`Migration ${migration.name} appliquée.`)
    }
    return pending.map(({ name }) => name)
  } finally {
    await client.end()
  }
}

/** Reads the migrations of a directory in order. Throws a {@link DatabaseStartError} for an invalid file name. */
export function readMigrations(dir: string): Migration[] {
  const migrations = readdirSync(dir)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => {
      const number = Number(/^(\d{4})-[a-z0-9-]+\.sql$/.exec(name)?.[1])
      if (!number)
        throw new DatabaseStartError(`Le fichier de migration ${name} ne s’appelle pas NNNN-nom.sql.`)
      // Git may convert line endings on some systems; the checksum must not change.
      const sql = readFileSync(join(dir, name), 'utf8').replaceAll('\r\n', '\n')
      return { number, name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
    })
  for (const [index, { number, name }] of migrations.entries()) {
    const previous = migrations[index - 1]
    if (previous?.number === number) {
      throw new DatabaseStartError(`Deux migrations portent le même numéro : ${previous.name} et ${name}.`)
    }
  }
  return migrations
}

function pendingMigrations(migrations: Migration[], applied: Applied[]): Migration[] {
  if (applied.some(({ checksum }) => checksum === beforeBaseline)) {
    throw new DatabaseStartError(
      'Cette base de données a été créée avec les migrations d’avant, que d’autres remplacent : elle ne peut pas être mise à jour. Rien n’y a été changé. Conservez-la et repartez d’une base vide : indiquez un autre dossier dans DATA_DIR ou, si DATABASE_URL est indiquée, une autre base. Si ses données ne servent plus, supprimez la base et recréez-la vide (dropdb, puis createdb).',
    )
  }
  const byNumber = new Map(migrations.map((migration) => [migration.number, migration]))
  for (const { number, name, checksum } of applied) {
    const migration = byNumber.get(number)
    if (!migration) {
      throw new DatabaseStartError(
        `La base de données est plus récente que cette version de Ntalo : elle a reçu la migration ${name}, inconnue ici. Installez la version correspondante.`,
      )
    }
    if (migration.checksum !== checksum) {
      throw new DatabaseStartError(
        `La migration ${migration.name} a été modifiée après avoir été appliquée. Rétablissez-la et écrivez la correction dans une nouvelle migration.`,
      )
    }
  }
  const last = applied.at(-1)
  const pending = migrations.filter(({ number }) => !applied.some((done) => done.number === number))
  const late = pending.find(({ number }) => last && number < last.number)
  if (late) {
    throw new DatabaseStartError(
      `La migration ${late.name} est arrivée après ${last?.name}, déjà appliquée. Donnez-lui un numéro plus grand.`,
    )
  }
  return pending
}

async function lock(client: pg.Client, log: { info(message: string): void }): Promise<void> {
  const deadline = Date.now() + otherMigratorTimeoutMs
  for (let isFirst = true; ; isFirst = false) {
    const { rows } = await client.query<{ isMine: boolean }>('select pg_try_advisory_lock($1) as "isMine"', [
      migrationLock,
    ])
    if (rows[0]?.isMine) return
    if (isFirst) log.info('Un autre processus met à jour la base de données ; on l’attend.')
    if (Date.now() > deadline) {
      throw new DatabaseStartError(
        'Un autre processus met à jour la base de données depuis plus de deux minutes. Attendez sa fin ou arrêtez-le, puis relancez Ntalo.',
      )
    }
    await sleep(50)
  }
}

async function apply(
  client: pg.Client,
  migration: Migration,
  log: { info(message: string): void },
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await client.query('begin')
      await client.query(`set local lock_timeout = ${lockTimeoutMs}`)
      await client.query(migration.sql)
      await client.query('insert into schema_migration (number, name, checksum) values ($1, $2, $3)', [
        migration.number,
        migration.name,
        migration.checksum,
      ])
      await client.query('commit')
      return
    } catch (error) {
      await client.query('rollback')
      const isBusy = isLockTimeout(error) || isSerializationFailure(error)
      if (!isBusy || attempt === attempts) throw explain(migration, error, isBusy)
      log.info(`La migration ${migration.name} attend qu’une table se libère.`)
      await sleep(attempt * 500)
    }
  }
}

function explain({ name, sql }: Migration, error: unknown, isBusy: boolean): DatabaseStartError {
  const nothingChanged = 'Rien n’en a été gardé'
  if (isBusy) {
    return new DatabaseStartError(
      `La migration ${name} n’a pas pu être appliquée : une table est restée occupée. ${nothingChanged} ; relancez Ntalo.`,
      { cause: error },
    )
  }
  const message = error instanceof Error ? error.message : String(error)
  const position = error instanceof Error && 'position' in error ? Number(error.position) : 0
  const line = position > 0 ? ` (ligne ${sql.slice(0, position).split('\n').length})` : ''
  return new DatabaseStartError(`La migration ${name} a échoué${line} : ${message}. ${nothingChanged}.`, {
    cause: error,
  })
}
