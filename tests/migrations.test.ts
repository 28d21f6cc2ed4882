import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readMigrations } from '#server/db/migrate.ts'

const folder = join(import.meta.dirname, '../db/migrations')

test('no migration differs from its recorded checksum', () => {
  const found = readMigrations(folder).map(({ name, checksum }) => `${checksum}  ${name}`)
  const kept = readFileSync(join(folder, 'checksums'), 'utf8').trimEnd().split('\n')
  const why =
    'databases have had it: write a new migration instead; a new one is added by sha256sum NNNN-name.sql >> checksums'
  expect(found, why).toEqual(kept)
})
