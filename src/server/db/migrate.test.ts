import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { emptyDatabase } from '../../../tests/support/database.ts'
import { privateDirectory } from '../../../tests/support/embedded.ts'
import { migrate } from './migrate.ts'

const quiet = { info() {} }
const first = { '0001-first.sql': 'create table first (id int);' }
const second = {
  ...first,
  '0002-second.sql': 'alter table first add name text; create table second (id int);',
}

test('migrations run once, in order, and only the missing ones', async () => {
  const { pool } = await emptyDatabase()
  const dir = directory(first)
  expect(await migrate(pool, dir, quiet)).toEqual(['0001-first.sql'])
  expect(await migrate(pool, dir, quiet)).toEqual([])
  expect(await migrate(pool, directory(second), quiet)).toEqual(['0002-second.sql'])
  const { rows } = await pool.query(
    'select number, name, length(checksum) as digits from schema_migration order by number',
  )
  expect(rows).toEqual([
    { number: 1, name: '0001-first.sql', digits: 64 },
    { number: 2, name: '0002-second.sql', digits: 64 },
  ])
})

test('a migration that fails is rolled back, and the error gives its place', async () => {
  const { pool } = await emptyDatabase()
  const broken = { ...first, '0002-broken.sql': 'create table half (id int);\n\nselect * from nowhere;' }
  await expect(migrate(pool, directory(broken), quiet)).rejects.toThrow(
    'La migration 0002-broken.sql a échoué (ligne 3) : relation "nowhere" does not exist. Rien n’en a été gardé.',
  )
  expect(await tablesOf(pool)).toEqual(['first', 'schema_migration'])
  expect(await migrate(pool, directory(second), quiet)).toEqual(['0002-second.sql'])
})

test('an applied migration that was edited is refused, whatever else is pending', async () => {
  const { pool } = await emptyDatabase()
  await migrate(pool, directory(first), quiet)
  const edited = { ...second, '0001-first.sql': 'create table first (id bigint);' }
  await expect(migrate(pool, directory(edited), quiet)).rejects.toThrow(
    'La migration 0001-first.sql a été modifiée après avoir été appliquée.',
  )
  expect(await tablesOf(pool)).toEqual(['first', 'schema_migration'])
})

test('line ends changed by Git do not count as an edit', async () => {
  const { pool } = await emptyDatabase()
  await migrate(pool, directory({ '0001-first.sql': 'create table first\n(id int);\n' }), quiet)
  expect(
    await migrate(pool, directory({ '0001-first.sql': 'create table first\r\n(id int);\r\n' }), quiet),
  ).toEqual([])
})

test('a database newer than the program is refused', async () => {
  const { pool } = await emptyDatabase()
  await migrate(pool, directory(second), quiet)
  await expect(migrate(pool, directory(first), quiet)).rejects.toThrow(
    'La base de données est plus récente que cette version de Ntalo : elle a reçu la migration 0002-second.sql',
  )
})

test('a database made before the baseline is not changed, and the refusal says how to proceed', async () => {
  const { pool } = await emptyDatabase()
  await migrate(pool, directory(second), quiet)
  await pool.query(`update schema_migration set name = '0001-text-search.sql',
    checksum = 'c7d5962220d058c9bf5a7ea1db73453658a9b00b4a683a89b69fc115b0085672' where number = 1`)
  const refused = migrate(pool, join(import.meta.dirname, '../../../db/migrations'), quiet)
  await expect(refused).rejects.toThrow(/d’avant.*Conservez-la.*DATA_DIR.*recréez/)
  expect(await tablesOf(pool)).toEqual(['first', 'schema_migration', 'second'])
})

test('a migration numbered before an applied one, two of one number, and a badly named one are refused', async () => {
  const { pool } = await emptyDatabase()
  await migrate(pool, directory({ '0002-second.sql': 'select 1' }), quiet)
  await expect(migrate(pool, directory({ ...first, '0002-second.sql': 'select 1' }), quiet)).rejects.toThrow(
    'La migration 0001-first.sql est arrivée après 0002-second.sql',
  )
  await expect(migrate(pool, directory({ ...first, '0001-other.sql': '' }), quiet)).rejects.toThrow(
    'le même numéro',
  )
  await expect(migrate(pool, directory({ '1-first.sql': '' }), quiet)).rejects.toThrow('NNNN-nom.sql')
})

test('processes that migrate at once apply each migration once', async () => {
  const { pool } = await emptyDatabase()
  const dir = directory(second)
  const applied = await Promise.all([1, 2, 3, 4].map(() => migrate(pool, dir, quiet)))
  expect(applied.flat().toSorted()).toEqual(['0001-first.sql', '0002-second.sql'])
})

test('a migration that waits for a table lets other statements pass, and continues when the table is free', async () => {
  const { pool } = await emptyDatabase()
  await migrate(pool, directory(first), quiet)
  const reader = await pool.connect()
  await reader.query('set idle_in_transaction_session_timeout = 0; begin; select from first')

  const waits: string[] = []
  const log = {
    info(message: string) {
      waits.push(message)
      if (message.includes('attend')) void reader.query('rollback').then(() => reader.release())
    },
  }
  const migrating = migrate(pool, directory(second), log)
  // The table is released only after the migration has reported that it waits.
  await pool.query('select from first')
  expect(await migrating).toEqual(['0002-second.sql'])
  expect(waits[0]).toBe('La migration 0002-second.sql attend qu’une table se libère.')
})

test('a long migration is not cut off by the limit on statements', async () => {
  const { pool } = await emptyDatabase({ statementTimeoutMs: 500 })
  const slow = { '0001-slow.sql': 'select pg_sleep(0.8)' }
  expect(await migrate(pool, directory(slow), quiet)).toEqual(['0001-slow.sql'])
})

function directory(files: Record<string, string>): string {
  const dir = privateDirectory()
  for (const [name, sql] of Object.entries(files)) writeFileSync(join(dir, name), sql)
  return dir
}

async function tablesOf(pool: {
  query(sql: string): Promise<{ rows: { tablename: string }[] }>
}): Promise<string[]> {
  const { rows } = await pool.query(`select tablename from pg_tables where schemaname = 'public' order by 1`)
  return rows.map(({ tablename }) => tablename)
}
