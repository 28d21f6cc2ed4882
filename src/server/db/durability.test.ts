import { expect, test, vi } from 'vitest'
import { emptyDatabase } from '../../../tests/support/database.ts'
import { privateDirectory, query, startProgram } from '../../../tests/support/embedded.ts'
import { assertDurable } from './durability.ts'

// Each starts several programs, on a machine that may be busy.
vi.setConfig({ testTimeout: 60_000 })

const { pool } = await emptyDatabase()

test('a server that may lose confirmed data is refused, with the settings at fault', async () => {
  // The tests' own server is set up for speed.
  await expect(assertDurable(pool)).rejects.toThrow('désactivé : fsync, full_page_writes, synchronous_commit')
})

test('one such setting is enough, wherever it was made', async () => {
  const dataDir = privateDirectory()
  const server = startProgram('server', dataDir)
  await query(await server.event('ready'), 'alter role ntalo set synchronous_commit = off')
  server.signal('SIGTERM')
  await server.ended
  const next = startProgram('server', dataDir)
  expect(await next.event('refused')).toContain('désactivé : synchronous_commit')
  expect(await next.ended).toBe(1)
})
