import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, readdirSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { sql } from 'kysely'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { startEmbedded } from '#server/db/embedded/embedded.ts'
import { migrate, readMigrations } from '#server/db/migrate.ts'
import { openDatabase } from '#server/db/pool.ts'
import { hashPassword } from '#server/session/passwords.ts'
import { emptyDatabase } from './support/database.ts'
import { privateDirectory, quiet, usedDataDirs } from './support/embedded.ts'
import { follow } from './support/follow.ts'
import { onDatabase } from './support/kill-trial.ts'
import { programEnv } from './support/program-env.ts'
import { client, insertAccount } from './support/server.ts'

const root = resolve(import.meta.dirname, '..')

const migrations = join(root, 'db/migrations')
const baseline = /^00(0\d|1[0-4])-/

// The baseline alone: each start of the server applies the later migrations.
const migratedDataDir = await usedDataDirs(async (connection) => {
  const { pool, close } = await openDatabase({ connection })
  const directory = privateDirectory(afterAll)
  for (const name of readdirSync(migrations).filter((name) => baseline.test(name))) {
    copyFileSync(join(migrations, name), join(directory, name))
  }
  expect(await migrate(pool, directory, quiet)).toHaveLength(14)
  await close()
})

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

type Server = { child: ChildProcess; output(): string; ended: Promise<number | null> }

function run(env: Record<string, string>): Server {
  const child = spawn(process.execPath, ['src/main/server.ts'], {
    cwd: root,
    env: { ...programEnv, PORT: '0', DEMONSTRATION_PRICES: '0', LOG_LEVEL: 'warn', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const keep = (chunk: Buffer) => {
    output += chunk
  }
  child.stdout?.on('data', keep)
  child.stderr?.on('data', keep)
  const ended = once(child, 'exit').then(([code]) => code as number | null)
  cleanups.push(async () => {
    child.kill('SIGKILL')
    await ended
  })
  return { child, output: () => output, ended }
}

async function urlOf(server: Server): Promise<string> {
  await expect.poll(server.output, { interval: 20 }).toMatch(/Ntalo écoute sur http:\/\/\S+/)
  return /http:\/\/\S+/.exec(server.output())?.[0] ?? ''
}

/** Signs a collector in over HTTP, and opens a second connection to the server's own database. */
async function prepare(dataDir: string, url: string) {
  const { connection } = await startEmbedded({ dataDir, role: 'tool', log: quiet })
  const database = await openDatabase({ connection })
  cleanups.push(database.close)
  const email = 'collecteur@exemple.cd'
  const password = 'un mot de passe assez long'
  await insertAccount(database.db, {
    roles: ['collector'],
    email,
    passwordHash: await hashPassword(password),
  })
  return { database, signIn: () => signInAs(url, email, password) }
}

async function signInAs(url: string, email: string, password: string) {
  const { body } = await client(url, null, null).post('/api/auth/login', { email, password })
  return client(url, (body as { token: string }).token, null)
}

describe('the server', () => {
  test('starts on a data directory made by the baseline, with every migration since', async () => {
    const dataDir = migratedDataDir()
    const { database, signIn } = await prepare(dataDir, await urlOf(run({ DATA_DIR: dataDir })))
    const { rows } = await database.pool.query<{ name: string }>(
      'select name from schema_migration order by number',
    )
    expect(rows).toEqual(readMigrations(migrations).map(({ name }) => ({ name })))
    const collector = await signIn()
    expect((await collector.post('/api/brands', { name: 'Simba', country: 'RDC' })).status).toBe(201)
    expect((await collector.get('/api/prices')).status).toBe(200)
  })

  test('refuses a data directory older than the baseline, and changes nothing in it', async () => {
    const dataDir = migratedDataDir()
    const before = `select * from schema_migration order by number`
    const [first, ...others] = await onDatabase(dataDir, async (db) => {
      await sql`update schema_migration set name = '0001-text-search.sql',
        checksum = 'c7d5962220d058c9bf5a7ea1db73453658a9b00b4a683a89b69fc115b0085672' where number = 1`.execute(
        db,
      )
      return (await sql.raw(before).execute(db)).rows
    })
    const server = run({ DATA_DIR: dataDir })
    expect(await server.ended).toBe(1)
    expect(server.output()).toMatch(/migrations d’avant.*Rien n’y a été changé.*DATA_DIR/s)
    const after = await onDatabase(dataDir, async (db) => (await sql.raw(before).execute(db)).rows)
    expect(after).toEqual([first, ...others])
  })

  test('on SIGTERM finishes the request in flight, refuses new ones, and exits with 0', async () => {
    const dataDir = migratedDataDir()
    const server = run({ DATA_DIR: dataDir })
    const url = await urlOf(server)
    const { database, signIn } = await prepare(dataDir, url)
    const collector = await signIn()
    const { body } = await collector.post('/api/brands', { name: 'Simba', country: 'RDC' })
    const { id } = body as { id: number }

    const holder = await database.pool.connect()
    await holder.query('begin')
    await holder.query('select from brand where id = $1 for update', [id])
    const inFlight = collector.put(`/api/brands/${id}`, { country: 'Congo' })
    const waiting = `select from pg_stat_activity where wait_event_type = 'Lock' and query like '%for update%'`
    await expect.poll(async () => (await database.pool.query(waiting)).rowCount, { interval: 10 }).toBe(1)

    server.child.kill('SIGTERM')
    await expect
      .poll(
        () =>
          fetch(`${url}/api/health`).then(
            ({ status }) => status,
            () => 'refused',
          ),
        { interval: 10 },
      )
      .not.toBe(200)
    await holder.query('commit')
    holder.release()
    expect((await inFlight).status).toBe(200)
    expect(await server.ended).toBe(0)
    const kept = await onDatabase(dataDir, (db) => db.selectFrom('brand').select('country').execute())
    expect(kept).toEqual([{ country: 'Congo' }])
  })

  test('on SIGTERM disconnects the followers of prices at once', async () => {
    const dataDir = migratedDataDir()
    const server = run({ DATA_DIR: dataDir })
    const url = await urlOf(server)
    const { signIn } = await prepare(dataDir, url)
    const reader = await follow(`${url}/api/prices/live`, await signIn())
    expect(await reader.next()).toMatchObject({ event: 'ready' })
    server.child.kill('SIGTERM')
    // A notification that the first indices exist may arrive meanwhile.
    expect((await reader.end()).filter((sent) => Object(sent).event !== 'change')).toEqual([])
    // If it were killed after 35 s, it would end by a signal.
    expect(await server.ended).toBe(0)
  })

  test('loses no acknowledged write when it is killed without warning', async () => {
    const dataDir = migratedDataDir()
    const first = run({ DATA_DIR: dataDir })
    const { signIn } = await prepare(dataDir, await urlOf(first))
    const collector = await signIn()
    expect((await collector.post('/api/brands', { name: 'Avant', country: 'RDC' })).status).toBe(201)
    first.child.kill('SIGKILL')
    await first.ended
    const url = await urlOf(run({ DATA_DIR: dataDir }))
    const again = await signInAs(url, 'collecteur@exemple.cd', 'un mot de passe assez long')
    expect((await again.get('/api/brands')).body).toMatchObject({ brands: [{ name: 'Avant' }] })
  })

  test.skipIf(process.platform !== 'linux')('answers again when PostgreSQL is killed under it', async () => {
    const dataDir = migratedDataDir()
    const server = run({ DATA_DIR: dataDir })
    const url = await urlOf(server)
    const { database, signIn } = await prepare(dataDir, url)
    const collector = await signIn()
    const { rows } = await database.pool.query<{ pid: number }>('select pg_backend_pid() as pid')
    const backend = rows[0]?.pid ?? 0
    const parent = Number(/PPid:\s+(\d+)/.exec(await readStatus(backend))?.[1])
    process.kill(parent, 'SIGKILL')
    await expect.poll(async () => (await collector.get('/api/brands')).status, { interval: 50 }).toBe(200)
  })

  test('a second server on the same DATA_DIR says why it stops', async () => {
    const dataDir = migratedDataDir()
    await urlOf(run({ DATA_DIR: dataDir }))
    const second = run({ DATA_DIR: dataDir })
    expect(await second.ended).toBe(1)
    expect(second.output()).toContain(dataDir)
    expect(second.output()).toMatch(/serveur/)
  })

  test('an error about a taken port names the port, and what to do', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    cleanups.push(() => other.close())
    await once(other, 'listening')
    const address = other.address()
    const port = typeof address === 'object' && address ? address.port : 0
    const server = run({ DATA_DIR: migratedDataDir(), PORT: String(port) })
    expect(await server.ended).toBe(1)
    expect(server.output()).toMatch(/port.*déjà pris/i)
  })

  test('an address of another machine is refused in French', async () => {
    const server = run({ DATA_DIR: migratedDataDir(), HOST: '192.0.2.1' })
    expect(await server.ended).toBe(1)
    expect(server.output()).toContain('HOST n’est pas une adresse de cette machine')
  })

  test('an unreachable DATABASE_URL stops it with a clear sentence and without the password', async () => {
    const server = run({ DATABASE_URL: 'postgresql://ntalo:tres-secret@127.0.0.1:9/ntalo' })
    expect(await server.ended).toBe(1)
    expect(server.output()).toMatch(/127\.0\.0\.1/)
    expect(server.output()).not.toContain('tres-secret')
  })

  test('a read-only database stops it with a clear sentence', async () => {
    const { pool, connection } = await emptyDatabase()
    await pool.query(`alter database ${connection.database} set default_transaction_read_only = on`)
    const { host, user, database } = connection
    const server = run({ DATABASE_URL: `postgres://${user}@/${database}?host=${encodeURIComponent(host)}` })
    expect(await server.ended).toBe(1)
    expect(server.output()).toMatch(/^La base de données est en lecture seule [^\n]+\n$/)
  })

  test('a DATA_DIR that is a file is refused with its path', async () => {
    const path = join(privateDirectory(), 'fichier')
    writeFileSync(path, '')
    const server = run({ DATA_DIR: path })
    expect(await server.ended).toBe(1)
    expect(server.output()).toContain(path)
  })

  test('in production it refuses to start without what it needs, and names what is missing', async () => {
    const server = run({ NODE_ENV: 'production', DATA_DIR: migratedDataDir() })
    expect(await server.ended).toBe(1)
    expect(server.output()).toMatch(/DATABASE_URL, PUBLIC_URL, MAIL_FROM, ADMIN_EMAIL/)
  })

  test('an error about a wrong setting names it', async () => {
    const server = run({ PORT: 'abc', DATA_DIR: migratedDataDir() })
    expect(await server.ended).toBe(1)
    expect(server.output()).toMatch(/PORT/)
  })
})

function readStatus(pid: number): Promise<string> {
  return readFile(`/proc/${pid}/status`, 'utf8')
}
