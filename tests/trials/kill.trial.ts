import { expect, test } from 'vitest'
import { privateDirectory } from '../support/embedded.ts'
import { killTrial } from '../support/kill-trial.ts'

test('killed under its writers, PostgreSQL, a backend and the server, it has lost and doubled nothing', async () => {
  const report = await killTrial({
    dataDir: privateDirectory(),
    kills: ['PostgreSQL', 'the server', 'one backend'],
    writers: 16,
    seed: 1,
  })
  expect(report).toMatchObject({ lost: 0, doubled: 0, halves: 0 })
  expect(report.acknowledged).toBeGreaterThan(20)
})
