import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { importTasks } from '#features/imports/imports.jobs.ts'
import { insertImport } from '#features/imports/imports.sql.ts'
import { importers } from '#main/importers.ts'
import { openFileStore } from '#server/files/file-store.ts'
import { createLog } from '#server/log.ts'
import { dayMs } from '#shared/days.ts'
import { firstAttempt } from '../../../tests/support/attempt.ts'
import { testDatabase } from '../../../tests/support/database.ts'

const { db, pool } = await testDatabase()
const folder = mkdtempSync(join(tmpdir(), 'ntalo-sweep-'))
afterAll(() => rmSync(folder, { recursive: true }))

const dependencies = { db, pool, files: openFileStore(folder), importers, log: createLog('silent') }
const nobody = { actor: null, requestId: null }
const left = () => readdirSync(folder).toSorted()

async function sweep(): Promise<void> {
  const task = importTasks(dependencies).find(({ name }) => name === 'sweep imports')
  await task?.run({}, firstAttempt(db))
}

/** Inserts an import that has had a state for some days, with its files. */
async function insert(state: 'checked' | 'done' | 'abandoned' | 'writing' | 'undoing', ageDays: number) {
  const key = crypto.randomUUID()
  const given = { kind: 'prices' as const, fileName: 'prix.csv', fileBytes: 1, storedAs: key }
  const id = await insertImport(db, given, nobody)
  // The trigger would set `updated_at` to today.
  await db.transaction().execute(async (tx) => {
    await pool.query('alter table import disable trigger import_touch')
    await tx
      .updateTable('import')
      .set({ state, updated_at: new Date(Date.now() - ageDays * dayMs) })
      .where('id', '=', id)
      .execute()
  })
  await pool.query('alter table import enable trigger import_touch')
  for (const name of [key, `${key}.rejected`]) put(name, 0)
  return { id, key }
}

function put(name: string, ageDays: number): void {
  writeFileSync(join(folder, name), 'x')
  const then = (Date.now() - ageDays * dayMs) / 1000
  utimesSync(join(folder, name), then, then)
}

/** Leaves a job of which each attempt ended with its process. */
async function giveUp(payload: object): Promise<void> {
  const run_at = new Date(Date.now() - dayMs)
  await db
    .insertInto('job')
    .values({ task: 'import', payload: JSON.stringify(payload), attempts: 12, run_at })
    .execute()
}

const stateOf = async (id: number) =>
  db.selectFrom('import').select(['state', 'stored_as', 'failure']).where('id', '=', id).executeTakeFirst()

test('files are deleted a week after the last action on their import, or with it', async () => {
  const [recent, old, checked, abandoned, running] = [
    await insert('done', 6),
    await insert('done', 8),
    await insert('checked', 8),
    await insert('abandoned', 0),
    await insert('writing', 8),
  ]
  await sweep()
  const kept = [recent, running].flatMap(({ key }) => [key, `${key}.rejected`])
  expect(left()).toEqual(kept.toSorted())
  expect(await stateOf(old.id)).toMatchObject({ state: 'done', stored_as: null })
  expect(await stateOf(checked.id)).toMatchObject({ state: 'abandoned', stored_as: null })
  expect(await stateOf(abandoned.id)).toMatchObject({ stored_as: null })
  for (const name of kept) rmSync(join(folder, name))
})

test('an unfinished upload is deleted after a day, and so is a file without an import', async () => {
  const { key } = await insert('done', 0)
  const unknown = crypto.randomUUID()
  put(`${unknown}.unfinished`, 2)
  put(unknown, 2)
  const arriving = `${crypto.randomUUID()}.unfinished`
  put(arriving, 0)
  utimesSync(join(folder, key), 0, 0)
  put(`${key}.rejected.unfinished`, 2)
  await sweep()
  expect(left()).toEqual([key, `${key}.rejected`, arriving].toSorted())
})

test('an import whose process died at every attempt is marked as failed', async () => {
  const { id } = await insert('writing', 0)
  await giveUp({ importId: id })
  await sweep()
  expect(await stateOf(id)).toMatchObject({
    state: 'failed',
    failure: expect.stringContaining('Rien n’a été écrit'),
  })
})

test('an import whose undo died at every attempt stays done, by who imported it, and says that nothing was removed', async () => {
  const { id } = await insert('undoing', 0)
  // The account that imported it was deleted meanwhile.
  await giveUp({ importId: id, actor: { id: 999_999, name: 'Anna' } })
  await sweep()
  expect(await stateOf(id)).toMatchObject({
    state: 'done',
    failure: expect.stringContaining('Rien n’a été retiré'),
  })
  const actor = db.selectFrom('import').select(['actor_id', 'actor_name', 'ended_at']).where('id', '=', id)
  expect(await actor.executeTakeFirst()).toEqual({ actor_id: null, actor_name: 'Anna', ended_at: null })
})
