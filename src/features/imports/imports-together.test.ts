import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import type { Import } from '#features/imports/imports.contract.ts'
import { runJobs } from '#main/jobs.ts'
import { expectExactRollups } from '../../../tests/support/exact-rollups.ts'
import { checkedImport, holdImports, move, readImport, settled } from '../../../tests/support/imports.ts'
import { wfpFile2025 } from '../../../tests/support/price-files.ts'
import { testDefaults, testServer } from '../../../tests/support/server.ts'

// Two processes that run jobs, as far as the database can tell.
const server = await testServer({ hasJobs: true })
const { db, pool, dataDir } = server
const second = runJobs({ ...server, ...testDefaults })
afterAll(second.stop)
const admin = await server.as('admin')

const month = (number: string, count = 20) =>
  wfpFile2025(
    ...Array.from({ length: count }, (_, i) => ({
      date: `2023-${number}-${String(i + 1).padStart(2, '0')}`,
    })),
  )

/** Resolves once the job of an import waits for another import. */
async function untilWaiting(id: number): Promise<void> {
  const stage = async () => (await readImport(admin, id)).stage
  await expect.poll(stage, { interval: 20 }).toBe('waiting')
}

async function countPrices(): Promise<number> {
  return (await db.selectFrom('price').select('id').execute()).length
}

test('imports confirmed at the same time run in turn on any free process, each once', async () => {
  const files: Import[] = []
  for (const number of ['01', '02', '03', '04']) files.push(await checkedImport(admin, month(number)))
  const twice = [...files, ...files]
  const answers = await Promise.all(twice.map(({ id }) => admin.post(`/api/imports/${id}/confirm`)))
  expect(answers.every(({ status }) => status === 200)).toBe(true)
  const done = await Promise.all(files.map(({ id }) => settled(admin, id)))
  expect(done.map(({ report }) => report?.added)).toEqual([20, 20, 20, 20])
  expect(await countPrices()).toBe(80)
  await expectExactRollups(db)

  await Promise.all(files.map(({ id }) => move(admin, id, 'undo')))
  expect(await countPrices()).toBe(0)
  await expectExactRollups(db)
})

test('an import whose connections are all cut halfway is done once', async () => {
  const { id } = await checkedImport(admin, month('05'))
  const release = await holdImports(pool)
  await admin.post(`/api/imports/${id}/confirm`)
  await untilWaiting(id)
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`.execute(db)
  await release()
  expect(await settled(admin, id)).toMatchObject({ state: 'done', report: { added: 20 } })
  expect(await countPrices()).toBe(20)
  await expectExactRollups(db)
})

test('abandoning interrupts a dry run', async () => {
  const release = await holdImports(pool)
  const form = new FormData()
  form.set('file', new File([month('06')], 'prix.csv'))
  const { body } = await admin.post('/api/imports?kind=prices', form)
  const { id } = Object(body)
  await untilWaiting(id)
  await admin.post(`/api/imports/${id}/abandon`)
  // While the other import is still running.
  await expect
    .poll(() => db.selectFrom('job').select('id').where('task', '=', 'import').execute())
    .toEqual([])
  expect(await readImport(admin, id)).toMatchObject({ state: 'abandoned', report: null })
  await release()
})

test('an import asks again for a file that is missing', async () => {
  const { id } = await checkedImport(admin, month('07'))
  const folder = join(dataDir, 'imports')
  for (const name of readdirSync(folder)) rmSync(join(folder, name))
  const { state, failure } = await move(admin, id, 'confirm')
  expect([state, failure]).toEqual(['failed', 'Le fichier n’est plus là. Envoyez-le de nouveau.'])
  expect((await admin.get(`/api/imports/${id}/rejected`)).status).toBe(404)
})
