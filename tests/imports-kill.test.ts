import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startEmbedded } from '#server/db/embedded/embedded.ts'
import { type Database, openDatabase } from '#server/db/pool.ts'
import { privateDirectory } from './support/embedded.ts'
import { expectExactRollups } from './support/exact-rollups.ts'
import { checkedImport, holdImports, settled } from './support/imports.ts'
import { freePort, killPostgres, onDatabase, startServer } from './support/kill-trial.ts'
import { wfpFile2025 } from './support/price-files.ts'
import { type Client, client, insertAccount, openSession } from './support/server.ts'

const dataDir = privateDirectory(afterAll)
const quiet = { info() {}, warn() {}, error() {} }
const rowsPerFile = 28
let server: ChildProcess
let database: Database
let admin: Client
let port: number
let files = 0

beforeAll(async () => {
  port = await freePort()
  await start()
  const userId = await insertAccount(database.db, { roles: ['admin'] })
  admin = client(`http://127.0.0.1:${port}`, await openSession(database.db, userId), userId)
})
afterAll(async () => {
  await stop('SIGKILL')
  await database.close()
})

/** A server, and a connection to its database beside it. */
async function start(): Promise<void> {
  server = await startServer(dataDir, port)
  await database?.close()
  const { connection } = await startEmbedded({ dataDir, role: 'tool', log: quiet })
  database = await openDatabase({ connection })
}

async function stop(signal: NodeJS.Signals): Promise<number | null> {
  if (server.exitCode !== null || server.signalCode !== null) return server.exitCode
  server.kill(signal)
  const [code] = await once(server, 'exit')
  return code
}

/** A confirmed import whose job has read its file and waits for another import, until `release`. */
async function importInTheMiddle() {
  files += 1
  // A month of its own: another amount on the same days would revise the prices of the file before.
  const month = `2023-0${files + 1}`
  const days = Array.from({ length: rowsPerFile }, (_, i) => `${month}-${String(i + 1).padStart(2, '0')}`)
  const rows = days.map((date) => ({ date, price: '1000' }))
  const { id } = await checkedImport(admin, wfpFile2025(...rows))
  const release = await holdImports(database.pool)
  expect((await admin.post(`/api/imports/${id}/confirm`)).status).toBe(200)
  await expect
    .poll(async () => (await admin.get(`/api/imports/${id}`)).body, { interval: 20 })
    .toMatchObject({ state: 'writing', stage: 'waiting', isWaiting: true })
  return { id, release }
}

async function expectImportedOnce(id: number): Promise<void> {
  await expect.poll(async () => (await admin.get('/api/health').catch(() => null))?.status).toBe(200)
  expect(await settled(admin, id)).toMatchObject({ state: 'done', report: { added: rowsPerFile } })
  const { db } = database
  const prices = await db.selectFrom('price').select('id').where('import_id', '=', id).execute()
  expect(prices).toHaveLength(rowsPerFile)
  const entries = await db.selectFrom('audit_entry').select('after').where('action', '=', 'import').execute()
  expect(entries.filter(({ after }) => Object(after).importId === id)).toHaveLength(1)
  await expectExactRollups(db)
  await expect
    .poll(() => db.selectFrom('job').select('id').where('task', '=', 'import').execute())
    .toEqual([])
}

test('an import whose server is killed in its middle is found again, and done exactly once', async () => {
  const { id, release } = await importInTheMiddle()
  await stop('SIGKILL')
  await release()
  await start()
  await expectImportedOnce(id)
})

test('a server that is asked to stop interrupts its import at once, and the next one does it', async () => {
  const { id, release } = await importInTheMiddle()
  expect(await stop('SIGTERM')).toBe(0)
  await release()
  const jobs = await onDatabase(dataDir, (db) =>
    db.selectFrom('job').select('attempts').where('task', '=', 'import').execute(),
  )
  expect(jobs).toEqual([{ attempts: 0 }])
  await start()
  await expectImportedOnce(id)
})

test('an import under which PostgreSQL is killed is done exactly once, without anybody’s help', async () => {
  const { id, release } = await importInTheMiddle()
  killPostgres(dataDir, 'PostgreSQL', 0)
  await release()
  await expectImportedOnce(id)
})
