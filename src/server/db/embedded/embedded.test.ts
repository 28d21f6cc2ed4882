import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import {
  eventually,
  isAlive,
  postmasterPid,
  privateDirectory,
  query,
  startProgram,
} from '../../../../tests/support/embedded.ts'

// Each starts several programs, on a machine that may be busy.
vi.setConfig({ testTimeout: 60_000 })

test('a new DATA_DIR is a new database, with durable settings and a socket but no port', async () => {
  const dataDir = join(privateDirectory(), 'deep', 'var')
  const connection = await startProgram('server', dataDir).event('ready')

  const [settings] = await query(
    connection,
    `select current_setting('fsync') as fsync, current_setting('full_page_writes') as full_page_writes,
      current_setting('synchronous_commit') as synchronous_commit, current_setting('data_checksums') as data_checksums,
      current_setting('listen_addresses') as listen_addresses, current_setting('TimeZone') as time_zone,
      current_setting('server_encoding') as encoding,
      (select datcollate || '/' || datlocale from pg_database where datname = 'ntalo') as locale`,
  )
  expect(settings).toEqual({
    fsync: 'on',
    full_page_writes: 'on',
    synchronous_commit: 'on',
    data_checksums: 'on',
    listen_addresses: '',
    time_zone: 'UTC',
    encoding: 'UTF8',
    locale: 'C/C.UTF-8',
  })
  const tables = await query(connection, `select from pg_tables where schemaname = 'public'`)
  expect(tables).toEqual([])
})

test('a second start is quick and finds the data again', async () => {
  const dataDir = privateDirectory()
  const first = startProgram('server', dataDir)
  await query(await first.event('ready'), 'create table kept as select 1 as value')
  first.signal('SIGTERM')
  expect(await first.ended).toBe(0)

  const startedAt = Date.now()
  const connection = await startProgram('server', dataDir).event('ready')
  // A tenth of a second for PostgreSQL; the rest is for Node, and for a machine that runs other tests meanwhile.
  expect(Date.now() - startedAt).toBeLessThan(2_000)
  expect(await query(connection, 'select value from kept')).toEqual([{ value: 1 }])
})

test('SIGTERM stops PostgreSQL in good order and leaves nothing behind', async () => {
  const dataDir = privateDirectory()
  const server = startProgram('server', dataDir)
  const { host } = await server.event('ready')
  const pid = postmasterPid(dataDir)!
  server.signal('SIGTERM')
  await server.event('stopped')
  // It has removed its files; the process itself may take another instant to go.
  await eventually('PostgreSQL has gone', () => !isAlive(pid))
  expect(existsSync(join(dataDir, 'postgres', 'postmaster.pid'))).toBe(false)
  expect(existsSync(host)).toBe(false)
  expect(await server.ended).toBe(0)
})

test('a second server on one DATA_DIR is refused, says who holds it and leaves the first alone', async () => {
  const dataDir = privateDirectory()
  const first = startProgram('server', dataDir)
  const connection = await first.event('ready')
  const second = startProgram('server', dataDir)
  const refusal = await second.event('refused')
  expect(refusal).toContain(`processus ${first.pid}`)
  expect(refusal).toContain(dataDir)
  expect(await second.ended).toBe(1)
  expect(await query(connection, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('of two servers that start at once on a new DATA_DIR, one serves and the other is refused', async () => {
  const dataDir = privateDirectory()
  const servers = [startProgram('server', dataDir), startProgram('server', dataDir)]
  const outcomes = await Promise.all(
    servers.map((server) =>
      Promise.race([
        server.event('ready').then(
          () => 'ready',
          () => 'refused',
        ),
        server.ended,
      ]),
    ),
  )
  expect(outcomes.toSorted()).toEqual([1, 'ready'])
})

test('a tool works beside a server, and its end does not stop the server’s PostgreSQL', async () => {
  const dataDir = privateDirectory()
  const server = startProgram('server', dataDir)
  const connection = await server.event('ready')
  const pid = postmasterPid(dataDir)
  const tool = startProgram('tool', dataDir)
  expect(await tool.event('ready')).toEqual(connection)
  tool.signal('SIGTERM')
  expect(await tool.ended).toBe(0)
  expect(await query(connection, 'select 1 as one')).toEqual([{ one: 1 }])
  expect(postmasterPid(dataDir)).toBe(pid)
})

test('a tool without a server starts PostgreSQL and stops it at its end', async () => {
  const dataDir = privateDirectory()
  const tool = startProgram('tool', dataDir)
  await tool.event('ready')
  const pid = postmasterPid(dataDir)!
  tool.signal('SIGTERM')
  expect(await tool.ended).toBe(0)
  expect(isAlive(pid)).toBe(false)
})

test('a server that starts while a tool runs PostgreSQL keeps it when the tool ends, even killed', async () => {
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    const dataDir = privateDirectory()
    const tool = startProgram('tool', dataDir)
    await tool.event('ready')
    const server = startProgram('server', dataDir)
    const connection = await server.event('ready')
    const pid = postmasterPid(dataDir)!
    tool.signal(signal)
    await tool.ended
    expect(await query(connection, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(postmasterPid(dataDir)).toBe(pid)

    server.signal('SIGTERM')
    await server.event('stopped')
    expect(isAlive(pid)).toBe(false)
  }
})

test('PostgreSQL’s usual port may be taken', async () => {
  const other = createServer()
  // It may be taken for real: then the test has what it needs.
  await new Promise((resolve) =>
    other.once('error', resolve).listen(5432, '127.0.0.1', () => resolve(undefined)),
  )
  try {
    await startProgram('server', privateDirectory()).event('ready')
  } finally {
    other.close()
  }
})

test('a DATA_DIR with a long name, spaces and accents works', async () => {
  const dataDir = join(privateDirectory(), 'é '.repeat(40), 'x'.repeat(120))
  const connection = await startProgram('server', dataDir).event('ready')
  expect(connection.host.length).toBeLessThan(80)
  expect(await query(connection, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('a server that ends without stopping PostgreSQL takes it along', async () => {
  const dataDir = privateDirectory()
  const server = startProgram('server', dataDir)
  await server.event('ready')
  const pid = postmasterPid(dataDir)!
  server.signal('SIGKILL')
  await eventually('PostgreSQL has stopped', () => !isAlive(pid))
  expect(existsSync(join(dataDir, 'postgres', 'postmaster.pid'))).toBe(false)
})
