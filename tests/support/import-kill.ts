// Imports that are half done, so that tests can kill the server or PostgreSQL.

import { once } from 'node:events'
import { afterAll, expect } from 'vitest'
import { startEmbedded } from '#server/db/embedded/embedded.ts'
import { type Database, openDatabase } from '#server/db/pool.ts'
import { privateDirectory, quiet } from './embedded.ts'
import { expectExactRollups } from './exact-rollups.ts'
import { checkedImport, holdImports, settled } from './imports.ts'
import { freePort, startServer } from './kill-trial.ts'
import { wfpFile2025 } from './price-files.ts'
import { client, insertAccount, openSession } from './server.ts'

const rowsPerFile = 28

/** Starts a server on its own database until the file's tests end; makes imports that are half done. */
export async function importsToKill() {
  const dataDir = privateDirectory(afterAll)
  const port = await freePort()
  let files = 0
  let server = await startServer(dataDir, port, { isPatient: true })
  let database = await openBeside()
  afterAll(async () => {
    await stop('SIGKILL')
    await database.close()
  })

  async function openBeside(): Promise<Database> {
    const { connection } = await startEmbedded({ dataDir, role: 'tool', log: quiet })
    return openDatabase({ connection })
  }

  /** Starts another server, and a second connection to its database. */
  async function start(): Promise<void> {
    server = await startServer(dataDir, port, { isPatient: true })
    await database.close()
    database = await openBeside()
  }

  async function stop(signal: NodeJS.Signals): Promise<number | null> {
    if (server.exitCode !== null || server.signalCode !== null) return server.exitCode
    server.kill(signal)
    const [code] = await once(server, 'exit')
    return code
  }

  /** Returns a confirmed import whose job has read its file and waits for another import until `release`. */
  async function importInTheMiddle() {
    files += 1
    // Each file has its own month: another amount on the same days would revise the prices of the previous file.
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
    const entries = await db
      .selectFrom('audit_entry')
      .select('after')
      .where('action', '=', 'import')
      .execute()
    expect(entries.filter(({ after }) => Object(after).importId === id)).toHaveLength(1)
    await expectExactRollups(db)
    await expect
      .poll(() => db.selectFrom('job').select('id').where('task', '=', 'import').execute())
      .toEqual([])
  }

  const userId = await insertAccount(database.db, { roles: ['admin'] })
  const admin = client(`http://127.0.0.1:${port}`, await openSession(database.db, userId), userId)
  return { dataDir, start, stop, importInTheMiddle, expectImportedOnce }
}
