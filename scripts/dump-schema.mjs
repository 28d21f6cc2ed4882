// Writes db/schema.sql, src/server/db/tables.ts and the checksums of new migrations, from the migrations on a temporary
// PostgreSQL.
// Run after writing a migration: node_modules/.bin/node scripts/dump-schema.mjs

import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dumpSchema } from '../src/server/db/dump.ts'
import { dumpTypes } from '../src/server/db/dump-types.ts'
import { startEmbedded } from '../src/server/db/embedded/embedded.ts'
import { migrate } from '../src/server/db/migrate.ts'
import { openPool } from '../src/server/db/pool.ts'

const root = join(import.meta.dirname, '..')
const dataDir = mkdtempSync(join(tmpdir(), 'ntalo-dump-'))
const relaxedSettings = { fsync: 'off', shared_buffers: '32MB' }
const embedded = await startEmbedded({ dataDir, role: 'tool', log: console, relaxedSettings })
try {
  const pool = openPool({ connection: embedded.connection })
  await migrate(pool, join(root, 'db/migrations'), console)
  writeFileSync(join(root, 'db/schema.sql'), await dumpSchema(pool))
  writeFileSync(join(root, 'src/server/db/tables.ts'), await dumpTypes(pool))
  await pool.end()
  addChecksums(join(root, 'db/migrations'))
} finally {
  await embedded.stop()
  rmSync(dataDir, { recursive: true, force: true })
}

/** Adds the checksums of new migrations, by number; never changes a listed one, which a test compares. */
function addChecksums(folder) {
  const list = join(folder, 'checksums')
  const listed = readFileSync(list, 'utf8').trimEnd().split('\n')
  const lines = readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map(
      (name) =>
        listed.find((line) => line.endsWith(`  ${name}`)) ?? `${digestOf(join(folder, name))}  ${name}`,
    )
  writeFileSync(list, `${lines.join('\n')}\n`)
}

function digestOf(path) {
  return createHash('sha256').update(readFileSync(path)).digest('hex')
}
