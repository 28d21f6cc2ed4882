import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { resolve } from 'node:path'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { isAlarming, systemMeasureNames } from '#features/system/system.contract.ts'
import { createMetrics } from '#server/metrics.ts'
import { testDatabase } from '../../../tests/support/database.ts'
import { client, insertAccount, listenOn, openSession } from '../../../tests/support/server.ts'

test('a measure raises an alarm beyond its limit, below it when it is scarce, and when it could not be read', () => {
  expect([0.4, 0.5, 0.6].map((value) => isAlarming('database_seconds', value))).toEqual([false, false, true])
  expect([2e9, 0.5e9].map((value) => isAlarming('disk_free_bytes', value))).toEqual([false, true])
  expect(isAlarming('jobs_failing', null)).toBe(true)
})

test('the operator’s manual explains the alarm of each measure', () => {
  const manual = readFileSync(resolve(import.meta.dirname, '../../../docs/operating.md'), 'utf8')
  expect(systemMeasureNames.filter((name) => !manual.includes(`\`ntalo_${name}\``))).toEqual([])
})

test('background failures are shown to super administrators and to programs alike', async () => {
  const database = await testDatabase()
  const metrics = createMetrics()
  const { url } = await listenOn(database, { metrics })
  const port = await freePort()
  onTestFinished(await metrics.listen({ host: '127.0.0.1', port }))
  const id = await insertAccount(database.db, { roles: ['super admin'] })
  const chief = client(url, await openSession(database.db, id), id)
  const stateNow = async () => Object((await chief.get('/api/system')).body).measures as Measure[]

  expect((await stateNow()).filter((each) => each.isAlarming).map(({ name }) => name)).toEqual([])
  await database.db.insertInto('job').values({ task: 'broken', attempts: 12 }).execute()
  await sql`insert into job (task, run_at) values ('forgotten', now() - interval '1 hour')`.execute(
    database.db,
  )
  const alarms = (await stateNow()).filter((each) => each.isAlarming)
  expect(alarms.map(({ name }) => name)).toEqual(['jobs_late_seconds', 'jobs_failing', 'jobs_given_up'])
  expect(alarms.every(({ advice }) => advice.length > 20)).toBe(true)

  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  expect(text).toContain('ntalo_jobs_given_up 1\n')
  expect(text).toContain('ntalo_requests_total{method="GET",route="/api/system",status="200"} 2\n')
  for (const name of systemMeasureNames) expect(text).toMatch(new RegExp(`^ntalo_${name} [\\d.e+-]+$`, 'm'))
  expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(404)
})

test('a process is ready while its database accepts writes, has its schema, and files can be written', async () => {
  const database = await testDatabase()
  const { url, dataDir } = await listenOn(database, { migration: 1 })
  const visitor = client(url, null, null)
  expect(await visitor.get('/api/ready')).toMatchObject({ status: 200, body: { status: 'ready' } })
  const together = await Promise.all(Array.from({ length: 40 }, () => visitor.get('/api/ready')))
  expect(together.filter(({ status }) => status !== 200)).toEqual([])
  expect(readdirSync(dataDir).filter((name) => name.startsWith('probe'))).toEqual([])
  rmSync(dataDir, { recursive: true })
  expect(await visitor.get('/api/ready')).toMatchObject({ status: 503 })

  const later = client((await listenOn(database, { migration: 9_999 })).url, null, null)
  expect(await later.get('/api/ready')).toMatchObject({
    status: 503,
    body: { message: 'Pas prêt\u00a0: des migrations manquent.' },
  })

  const { database: name } = database.connection
  const fresh = client((await listenOn(database)).url, null, null)
  await sql`alter database ${sql.id(name)} set default_transaction_read_only = on`.execute(database.db)
  await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()`
    .execute(database.db)
    .catch(() => null)
  await expect
    .poll(async () => Object((await fresh.get('/api/ready')).body).message)
    .toBe('Pas prêt\u00a0: la base de données n’accepte pas d’écriture.')
})

type Measure = { name: string; isAlarming: boolean; advice: string }

function freePort(): Promise<number> {
  return new Promise((resolvePort) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = Object(probe.address())
      probe.close(() => resolvePort(port))
    })
  })
}
