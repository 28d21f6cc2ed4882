import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { eventually, privateDirectory, stateOf } from '../../../../tests/support/embedded.ts'
import { openCluster } from './cluster.ts'
import { runningPostgres } from './process.ts'

test('while a PostgreSQL that another start launched has not said where its socket is, it is looked for where we would open it', async () => {
  const dataDir = privateDirectory()
  const { dir, socketDir } = openCluster(dataDir, false)
  const postgres = spawn('/bin/sh', ['-c', 'sleep 60', `ntalo.data_dir=${dir}`, '-c', 'fsync=on'], {
    stdio: 'ignore',
    detached: true,
  })
  onTestFinished(() => void process.kill(-postgres.pid!, 'SIGKILL'))
  await eventually('it runs', () => stateOf(postgres.pid!) === 'S')

  const lockFile = [postgres.pid, dir, 1_800_000_000, 5432, '', '']
  writeFileSync(join(dir, 'postmaster.pid'), lockFile.join('\n'))
  expect(runningPostgres(dir)?.pid).toBe(postgres.pid)
  expect(openCluster(dataDir, false).socketDir).toBe(socketDir)
})
