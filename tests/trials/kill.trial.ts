import { expect, test } from 'vitest'
import { privateDirectory } from '../support/embedded.ts'
import { killTrial } from '../support/kill-trial.ts'

test('no acknowledged price is lost or doubled when PostgreSQL, a backend and the server are killed during writes', async () => {
  const report = await killTrial({
    dataDir: privateDirectory(),
    kills: ['PostgreSQL', 'the server', 'one backend'],
    writers: 16,
    seed: 1,
  })
  expect(report).toMatchObject({ lost: 0, doubled: 0, halves: 0 })
  expect(report.acknowledged).toBeGreaterThan(20)
})
