import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testDatabase } from '../../../tests/support/database.ts'
import { dumpSchema } from './dump.ts'
import { dumpTypes } from './dump-types.ts'

const root = join(import.meta.dirname, '../../..')
const hint = 'run node_modules/.bin/node scripts/dump-schema.mjs'
const migrated = await testDatabase()

test('db/schema.sql is what the migrations add up to', async () => {
  expect(await dumpSchema(migrated.pool), hint).toBe(readFileSync(join(root, 'db/schema.sql'), 'utf8'))
})

test('tables.ts is what the migrations add up to', async () => {
  expect(await dumpTypes(migrated.pool), hint).toBe(
    readFileSync(join(root, 'src/server/db/tables.ts'), 'utf8'),
  )
})
