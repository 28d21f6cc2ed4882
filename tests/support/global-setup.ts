// One PostgreSQL for the whole run, with a migrated database that every test file clones (see database.ts).

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { type Embedded, startEmbedded } from '#server/db/embedded/embedded.ts'
import { migrate } from '#server/db/migrate.ts'
import { openPool } from '#server/db/pool.ts'
import { makeFastDirectory } from './fast-directory.ts'

export type TestPostgres = { connection: Embedded['connection']; template: string }

declare module 'vitest' {
  interface ProvidedContext {
    postgres: TestPostgres
  }
}

// Settings without durability, for speed: data lost when the machine stops does not matter in tests.
const relaxedSettings = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  shared_buffers: '64MB',
  max_connections: '200',
}

const template = 'ntalo_template'
const migrations = join(import.meta.dirname, '../../db/migrations')
const quiet = { info() {}, warn: console.warn, error: console.error }

// Vitest runs this once per project, all in one process.
let shared: Promise<TestPostgres & { stop(): Promise<void> }> | undefined
let users = 0

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  users += 1
  shared ??= startPostgres()
  const { connection } = await shared
  project.provide('postgres', { connection, template })
  return async () => {
    users -= 1
    if (users === 0) await (await shared)?.stop()
  }
}

async function startPostgres() {
  const dataDir = makeFastDirectory()
  const embedded = await startEmbedded({ dataDir, role: 'tool', log: quiet, relaxedSettings })
  const { connection } = embedded
  async function stop() {
    await embedded.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
  try {
    const admin = openPool({ connection })
    await admin.query(`create database ${template}`)
    await admin.end()
    const pool = openPool({ connection: { ...connection, database: template } })
    await migrate(pool, migrations, quiet)
    await pool.end()
  } catch (error) {
    await stop()
    throw error
  }
  return { connection, template, stop }
}
