import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { readMigrations } from '#server/db/migrate.ts'
import { testDatabase } from './support/database.ts'

const folder = join(import.meta.dirname, '../db/migrations')

test('no migration differs from what it was when it was written down', () => {
  const found = readMigrations(folder).map(({ name, checksum }) => `${checksum}  ${name}`)
  const kept = readFileSync(join(folder, 'checksums'), 'utf8').trimEnd().split('\n')
  const why =
    'databases have had it: write a new migration instead; a new one is added by sha256sum NNNN-name.sql >> checksums'
  expect(found, why).toEqual(kept)
})

test('names get plain blanks, but where another is called so already', async () => {
  const { db } = await testDatabase()
  const names = ['Bel Air', 'Bel  Air', 'Eau\u00a0Vive', 'Simba']
  await db
    .insertInto('brand')
    .values(names.map((name) => ({ name, country: 'RD\u202fCongo' })))
    .execute()
  await sql.raw(readFileSync(join(folder, '0150-plain-blanks.sql'), 'utf8')).execute(db)
  const brands = await db.selectFrom('brand').select(['name', 'country']).orderBy('id').execute()
  expect(brands).toEqual(
    ['Bel Air', 'Bel  Air', 'Eau Vive', 'Simba'].map((name) => ({ name, country: 'RD Congo' })),
  )
})
