import { expect, test } from 'vitest'
import { importsToKill } from '../support/import-kill.ts'
import { killPostgres, onDatabase } from '../support/kill-trial.ts'

const { dataDir, start, stop, importInTheMiddle, expectImportedOnce } = await importsToKill()

test('a server that is asked to stop interrupts its import at once, and the next server completes it', async () => {
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

test('an import during which PostgreSQL is killed is done exactly once, without intervention', async () => {
  const { id, release } = await importInTheMiddle()
  killPostgres(dataDir, 'PostgreSQL', 0)
  await release()
  await expectImportedOnce(id)
})
