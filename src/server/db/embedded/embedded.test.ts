import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import {
  isAlive,
  postmasterPid,
  privateDirectory,
  query,
  quiet,
  startProgram,
  usedDataDirs,
} from '../../../../tests/support/embedded.ts'
import { eventually } from '../../../../tests/support/waiting.ts'
import { startEmbedded } from './embedded.ts'

const usedDataDir = await usedDataDirs()

async function startTool(dataDir: string) {
  const embedded = await startEmbedded({ dataDir, role: 'tool', log: quiet })
  onTestFinished(embedded.stop)
  return embedded
}

test('a new DATA_DIR gets a new database, durable, with a socket but no port, and a second start uses it again', async () => {
  const dataDir = join(privateDirectory(), 'deep', 'é '.repeat(40), 'x'.repeat(120))
  const first = await startTool(dataDir)
  const [settings] = await query(
    first.connection,
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
  expect(await query(first.connection, `select from pg_tables where schemaname = 'public'`)).toEqual([])
  await query(first.connection, 'create table kept as select 1 as value')
  await first.stop()

  const again = await startTool(dataDir)
  expect(await query(again.connection, 'select value from kept')).toEqual([{ value: 1 }])
  await again.stop()
})

test('beside a server, a second one names the owner of DATA_DIR and ends, and a command uses its PostgreSQL', async () => {
  const dataDir = usedDataDir()
  const server = startProgram('server', dataDir)
  const connection = await server.event('ready')
  const pid = postmasterPid(dataDir)!

  const second = startProgram('server', dataDir)
  const tool = await startTool(dataDir)
  expect(tool.connection).toEqual(connection)
  expect(await second.event('refused')).toBe(
    `Un autre serveur Ntalo (processus ${server.pid}) utilise déjà DATA_DIR (${dataDir}). Arrêtez-le, ou indiquez un autre dossier dans DATA_DIR.`,
  )
  expect(await second.ended).toBe(1)
  await tool.stop()
  expect(await query(connection, 'select 1 as one')).toEqual([{ one: 1 }])
  expect(postmasterPid(dataDir)).toBe(pid)

  server.signal('SIGTERM')
  expect(await server.ended).toBe(0)
  expect(existsSync(join(dataDir, 'postgres', 'postmaster.pid'))).toBe(false)
  await eventually('nothing is left', () => !isAlive(pid) && !existsSync(connection.host))
})

test('beside a command, a server and another command are asked to wait for its end', async () => {
  const dataDir = usedDataDir()
  const { stop } = await startTool(dataDir)
  const others = [startProgram('server', dataDir), startProgram('tool', dataDir)]
  for (const other of others) {
    expect(await other.event('refused')).toContain(
      `Une commande de Ntalo (processus ${process.pid}) utilise déjà DATA_DIR (${dataDir}). Attendez qu’elle ait fini`,
    )
    expect(await other.ended).toBe(1)
  }
  const pid = postmasterPid(dataDir)!
  await stop()
  await eventually('PostgreSQL has stopped', () => !isAlive(pid))
})

test('a server waits for a command that is about to end', async () => {
  const dataDir = usedDataDir()
  const { stop } = await startTool(dataDir)
  const server = startProgram('server', dataDir)
  await stop()
  await server.event('ready')
})

test('of two servers that start at once on a new DATA_DIR, one serves and the other is refused', async () => {
  const dataDir = privateDirectory()
  const servers = [startProgram('server', dataDir), startProgram('server', dataDir)]
  const outcomes = servers.map(({ event, ended }) => {
    const ready = event('ready').then(() => 'ready')
    return Promise.race([ready.catch(() => ended), ended])
  })
  expect((await Promise.all(outcomes)).toSorted()).toEqual([1, 'ready'])
})
