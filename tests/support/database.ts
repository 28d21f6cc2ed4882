// A private, migrated database for one test file.

import { afterAll, inject } from 'vitest'
import { type Database, openDatabase, openPool, type PoolOptions } from '#server/db/pool.ts'

export type TestDatabase = Database & { connection: Exclude<PoolOptions['connection'], string> }

let count = 0

/**
 * A database of one's own, cloned from the migrated template in about 30 ms and dropped after the file's tests:
 * `const { db } = await testDatabase()` at the top of the file or inside a `describe`.
 */
export async function testDatabase(options: Partial<PoolOptions> = {}): Promise<TestDatabase> {
  const { connection } = await emptyOrCloned(inject('postgres').template)
  const database = await openDatabase({ connection, ...options })
  afterAll(database.close)
  return { ...database, connection }
}

/** The same without any table, for tests of the migrations themselves. */
export async function emptyDatabase(): Promise<TestDatabase> {
  const { connection } = await emptyOrCloned('template1')
  const database = await openDatabase({ connection })
  afterAll(database.close)
  return { ...database, connection }
}

async function emptyOrCloned(template: string) {
  const { connection } = inject('postgres')
  count += 1
  const name = `test_${process.pid}_${count}`
  await administer(`create database ${name} template ${template}`)
  // Hooks run last in, first out: what uses the database is closed before it is dropped.
  afterAll(() => administer(`drop database if exists ${name} with (force)`))
  return { connection: { ...connection, database: name } }
}

async function administer(statement: string): Promise<void> {
  const pool = openPool({ connection: inject('postgres').connection, max: 1, statementTimeoutMs: 0 })
  try {
    await pool.query(statement)
  } finally {
    await pool.end()
  }
}
