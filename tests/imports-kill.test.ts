import { test } from 'vitest'
import { importsToKill } from './support/import-kill.ts'

const { start, stop, importInTheMiddle, expectImportedOnce } = await importsToKill()

test('an import whose server is killed halfway is resumed, and done exactly once', async () => {
  const { id, release } = await importInTheMiddle()
  await stop('SIGKILL')
  await release()
  await start()
  await expectImportedOnce(id)
})
