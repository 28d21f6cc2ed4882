// Databases and settings that Ntalo starts with and those it refuses: each refusal is tested beside a start that
// succeeds and differs only by the refused point.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadDemonstration } from '#demonstration/demonstration.ts'
import { assertNoDemonstration } from '#demonstration/production.ts'
import { type Embedded, startEmbedded } from '#server/db/embedded/embedded.ts'
import { migrate } from '#server/db/migrate.ts'
import { openDatabase } from '#server/db/pool.ts'
import { stepAt, totpOf } from '#server/session/totp.ts'
import { testDatabase } from './support/database.ts'
import { mailsTo } from './support/mails.ts'
import { programEnv } from './support/program-env.ts'
import { client } from './support/server.ts'

const root = resolve(import.meta.dirname, '..')
const directories: string[] = []
afterAll(() => {
  for (const dir of directories) rmSync(dir, { recursive: true, force: true, maxRetries: 10 })
})

const quiet = { info() {}, warn() {}, error() {} }
const demonstration = (pool: Database['pool']) => loadDemonstration(pool, { log: quiet, prices: 1_000 })
const production = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://ntalo.exemple',
  MAIL_FROM: 'Ntalo <ne-pas-repondre@ntalo.exemple>',
  ADMIN_EMAIL: 'admin@ntalo.exemple',
}

// A PostgreSQL that production accepts: the tests' own one is not durable.
describe('a server', () => {
  let durable: Embedded
  const children: ChildProcess[] = []

  beforeAll(async () => {
    durable = await startEmbedded({ dataDir: directory(), role: 'tool', log: quiet })
  })
  afterAll(async () => {
    for (const child of children) child.kill('SIGKILL')
    await durable.stop()
  })

  /** Returns the address of a new database; `given` fills it after the migrations. */
  async function database(name: string, given?: (pool: Database['pool']) => Promise<unknown>) {
    const { host, port, user } = durable.connection
    const admin = await openDatabase({ connection: durable.connection })
    await admin.pool.query(`create database ${name}`)
    await admin.close()
    if (given) {
      const { pool, close } = await openDatabase({ connection: { host, port, user, database: name } })
      await migrate(pool, join(root, 'db/migrations'), quiet)
      await given(pool)
      await close()
    }
    return `postgresql://${user}@localhost:${port}/${name}?host=${encodeURIComponent(host)}`
  }

  function started(env: Record<string, string>) {
    const child = spawn(process.execPath, ['src/main/server.ts'], {
      cwd: root,
      env: { ...programEnv, PORT: '0', LOG_LEVEL: 'warn', DATA_DIR: directory(), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    children.push(child)
    return child
  }

  /** Waits until a program has printed this. */
  function saidBy(child: ReturnType<typeof started>, wanted: RegExp): Promise<RegExpExecArray> {
    return new Promise((resolve) => {
      let printed = ''
      child.stdout.on('data', (chunk) => {
        printed += chunk
        const found = wanted.exec(printed)
        if (found) resolve(found)
      })
    })
  }

  async function outcome(env: Record<string, string>): Promise<{ said: string; code: number | null }> {
    const child = started(env)
    let said = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        said += chunk
        if (said.includes('Ntalo écoute')) child.kill('SIGTERM')
      })
    }
    const [code] = await once(child, 'exit')
    return { said, code }
  }

  test('in production starts on an empty database, and adds no data', async () => {
    const { said, code } = await outcome({ ...production, DATABASE_URL: await database('real') })
    expect({ said, code }).toEqual({
      said: expect.stringMatching(
        /^\{.*SMTP_URL is not set.*\}\n\{.*nobody can pay"\}\nNtalo écoute sur \S+\n$/,
      ),
      code: 0,
    })
  })

  test('prints a link that sets the password of its first super administrator, on an empty database too', async () => {
    const env = { ...production, DATABASE_URL: await database('linked') }
    const link = () =>
      spawnSync(process.execPath, ['src/main/admin-link.ts'], {
        cwd: root,
        encoding: 'utf8',
        env: { ...programEnv, DATA_DIR: directory(), ...env },
      })
    const [first, second] = [link(), link()]
    for (const { stdout, stderr, status } of [first, second]) {
      expect({ stdout, status }, stderr).toEqual({
        stdout: expect.stringMatching(/^https:\/\/ntalo\.exemple\/auth\/reset-password\?token=[\w-]{43}\n$/),
        status: 0,
      })
      expect(stderr).toContain(`Pour ${production.ADMIN_EMAIL},`)
    }
    const child = started(env)
    const url = await new Promise<string>((resolve) => {
      child.stdout.on('data', (chunk) => {
        const [, url] = /Ntalo écoute sur (\S+)/.exec(String(chunk)) ?? []
        if (url) resolve(url)
      })
    })
    const token = second.stdout.trim().split('token=')[1]
    const visitor = client(url, null, null)
    const password = 'pili-pili et chikwangue'
    expect((await visitor.post('/api/auth/reset-password', { token, password })).status).toBe(200)
    child.kill('SIGTERM')
    await once(child, 'exit')
    const { ADMIN_EMAIL: _address, ...rest } = production
    const none = spawnSync(process.execPath, ['src/main/admin-link.ts'], {
      cwd: root,
      encoding: 'utf8',
      env: { ...programEnv, ...rest, NODE_ENV: 'test', DATABASE_URL: await database('nobody') },
    })
    expect({ status: none.status, stderr: none.stderr }).toEqual({
      status: 1,
      stderr: expect.stringContaining('Aucun super administrateur'),
    })
  })

  test('refuses a database with writes later than its clock, until an operator confirms the clock', async () => {
    const DATABASE_URL = await database('later', (pool) =>
      pool.query(
        `insert into audit_entry (at, action, entity) values (now() + interval '400 days', 'create', 'brands')`,
      ),
    )
    const env = { DATABASE_URL, DEMONSTRATION_PRICES: '0' }
    const refused = await outcome(env)
    expect(refused.code).toBe(1)
    expect(refused.said).toMatch(/avant la dernière écriture du journal.*ACCEPT_CLOCK=1/)
    const accepted = await outcome({ ...env, ACCEPT_CLOCK: '1' })
    expect(accepted.said).toContain('the clock is accepted')
    expect(accepted.code).toBe(0)
    expect((await outcome(env)).code).toBe(0)
  })

  test('answers requests without running jobs, beside a process that only runs jobs', async () => {
    const env = {
      DATABASE_URL: await database('divided'),
      DATA_DIR: directory(),
      DEMONSTRATION_PRICES: '0',
      ADMIN_EMAIL: production.ADMIN_EMAIL,
    }
    const answering = started({ ...env, JOBS: 'off' })
    const said = await saidBy(answering, /Ntalo écoute sur (\S+)/)
    const visitor = client(said[1] ?? '', null, null)
    expect(await visitor.get('/api/ready')).toMatchObject({ status: 200 })
    const { pool, close } = await openDatabase({ connection: env.DATABASE_URL })
    const { rows } = await pool.query('select count(*)::int4 as jobs, max(attempts)::int4 as begun from job')
    expect(rows).toEqual([{ jobs: 1, begun: 0 }])
    await close()
    const working = started({ ...env, JOBS: 'only' })
    await saidBy(working, /ne répond à aucune demande/)
    expect(await mailsTo(env.DATA_DIR, production.ADMIN_EMAIL, 1)).toHaveLength(1)
    for (const child of [answering, working]) {
      child.kill('SIGTERM')
      expect(await once(child, 'exit')).toEqual([0, null])
    }
  })

  test('in production leads the administrator from an empty database, by the mailed link, to the first action', async () => {
    const DATABASE_URL = await database('first')
    const DATA_DIR = directory()
    const child = started({ ...production, DATABASE_URL, DATA_DIR })
    const url = await new Promise<string>((resolve) => {
      child.stdout.on('data', (chunk) => {
        const [, url] = /Ntalo écoute sur (\S+)/.exec(String(chunk)) ?? []
        if (url) resolve(url)
      })
    })
    const visitor = client(url, null, null)
    const email = production.ADMIN_EMAIL
    const password = 'pili-pili et chikwangue'

    const [mail] = await mailsTo(DATA_DIR, email, 1)
    const link = new URL(mail?.url ?? '')
    expect(link.origin + link.pathname).toBe('https://ntalo.exemple/auth/reset-password')
    const page = await visitor.get(link.pathname + link.search)
    expect(page.text).toContain('Nouveau mot de passe')
    const token = link.searchParams.get('token')
    expect((await visitor.post('/api/auth/reset-password', { token, password })).status).toBe(200)

    const opened = await visitor.post('/api/auth/login', { email, password })
    const user = { roles: ['super admin'], permissions: [], needsSecondFactor: true }
    expect(opened).toMatchObject({ status: 200, body: { user } })
    expect(opened.headers.getSetCookie()[0]).toMatch(
      /^__Host-ntalo_refresh=.*; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    )
    const admin = client(url, Object(opened.body).token, Object(opened.body).user.id)
    const clerk = { name: 'Grâce Mbuyi', email: 'grace@ntalo.exemple', password: 'makemba du dimanche' }
    expect((await admin.post('/api/users', clerk)).status).toBe(403)

    const begun = await admin.post('/api/auth/second-factor', { currentPassword: password })
    const secret = fromBase32(Object(begun.body).secret)
    const code = totpOf(secret, stepAt(Date.now()))
    const on = await admin.post('/api/auth/second-factor/confirm', { code })
    expect(Object(on.body).recoveryCodes).toHaveLength(10)
    expect((await admin.post('/api/users', clerk)).status).toBe(201)
    expect((await admin.get('/api/journal?action=create&entity=users')).body).toMatchObject({
      data: [
        { user: { id: admin.userId }, after: { email: clerk.email } },
        { user: null, entityId: admin.userId },
      ],
    })
    const again = await visitor.post('/api/auth/login', { email, password })
    expect(again).toMatchObject({ status: 400, body: { errors: [{ field: 'code' }] } })
    const [recovery] = Object(on.body).recoveryCodes
    expect((await visitor.post('/api/auth/login', { email, password, code: recovery })).status).toBe(200)

    child.kill('SIGTERM')
    expect(await once(child, 'exit')).toEqual([0, null])
  })

  test('in production refuses a database that holds the demonstration, which other environments accept', async () => {
    const DATABASE_URL = await database('shown', demonstration)
    const refused = await outcome({ ...production, DATABASE_URL })
    expect(refused.said).toMatch(/démonstration.*production.*base vide.*DATABASE_URL/)
    expect(refused.said).not.toMatch(/Ntalo-demo|superadmin@|écoute/)
    expect(refused.code).toBe(1)
    const shown = await outcome({ DATABASE_URL })
    expect(shown.said).toMatch(/superadmin@ntalo\.cd.*Ntalo écoute/s)
    expect(shown.code).toBe(0)
  })
})

test('production refuses accounts with a public password, until the password is changed', async () => {
  const { db, pool } = await testDatabase()
  await expect(assertNoDemonstration(db)).resolves.toBeUndefined()
  // The catalogue comes from an import, so the demonstration only adds its accounts.
  await pool.query(`insert into market (name, location) values ('Gambela', 'Kinshasa')`)
  await demonstration(pool)
  await expect(assertNoDemonstration(db)).rejects.toThrow(/démonstration.*production/)
  await pool.query('update app_user set password_hash = null')
  await expect(assertNoDemonstration(db)).resolves.toBeUndefined()
})

describe('the settings file', () => {
  /** Returns what a program of scripts/ prints beside a `.env`. */
  function beside(settings: string | Buffer | ((path: string) => void), args: string[]) {
    const dir = directory()
    cpSync(join(root, 'scripts'), join(dir, 'scripts'), { recursive: true })
    const path = join(dir, '.env')
    if (typeof settings === 'function') settings(path)
    else writeFileSync(path, settings)
    const { stdout, stderr, status } = spawnSync(process.execPath, args, {
      cwd: dir,
      env: programEnv,
      encoding: 'utf8',
    })
    return { said: stdout + stderr, code: status }
  }

  const read = `import { settingsFile } from './scripts/settings.mjs'; process.stdout.write(settingsFile().join())`

  test.each([
    ['nothing', ''],
    ['comments and empty lines', '# a comment\n\n  # another\n'],
    ['settings', 'PORT=3001\nPUBLIC_URL = https://ntalo.exemple # with its comment\nMAIL_FROM=\n'],
    ['quotes', `MAIL_FROM="Ntalo <a@b.cd>" # whose\nDATABASE_URL='postgresql://u:p#ss@h/db'\n`],
    ['line ends of Windows', 'PORT=3001\r\nNODE_ENV=production\r\n'],
    ['names for a shell', 'export PORT=3001'],
    ['a no-break space inside a value', 'LEGAL_HOST=Ntalo\u00a0: 12, avenue du Marché'],
    ['.env.example', readFileSync(join(root, '.env.example'))],
  ])('of %s is read', (_what, settings) => {
    expect(beside(settings, ['--input-type=module', '-e', read])).toEqual({
      said: '--env-file=.env',
      code: 0,
    })
  })

  test.each([
    ['a line without =', 'PORT=3001\nNODE_ENV production\n', 'ligne 2'],
    ['a colon for the =', 'NODE_ENV: production', 'ligne 1'],
    ['a name with a hyphen', 'NODE-ENV=production', 'ligne 1'],
    ['a quote that stays open', 'PORT=3001\n\nMAIL_FROM="Ntalo <a@b.cd>\nNODE_ENV=production', 'ligne 3'],
    ['something behind a quote', 'DATA_DIR="var" lib', 'ligne 1'],
    ['a # that would cut a value short', 'DATABASE_URL=postgresql://u:p#ss@h/db', 'ligne 1'],
    ['a setting given twice', 'NODE_ENV=production\nPORT=3001\nNODE_ENV=\n', 'ligne 3'],
    ['a mark before the first letter', '\ufeffNODE_ENV=production', 'UTF-8'],
    ['two bytes for a letter', Buffer.from('NODE_ENV=production', 'utf16le'), 'UTF-8'],
    ['a tab behind export', 'export\tNODE_ENV=production', 'ligne 1'],
    ['a no-break space before a name', '\u00a0NODE_ENV=production', 'ligne 1'],
    ['a no-break space before =', 'PORT=3001\nNODE_ENV\u00a0=production', 'ligne 2'],
    ['a line end that is none to Node', 'LEGAL_HOST=Kin\rNODE_ENV=production', 'ligne 1'],
    ['a directory for a file', (path: string) => mkdirSync(path), 'lu'],
    ['a link that leads nowhere', (path: string) => symlinkSync(join(path, 'nowhere'), path), 'lu'],
    ['bytes that are no letter', Buffer.from('MAIL_FROM=R\xe9my <a@b.cd>', 'latin1'), 'UTF-8'],
  ])('with %s is refused before the start, without printing a value', (_what, settings, where) => {
    const { said, code } = beside(settings, ['scripts/start.mjs'])
    expect(said).toContain('.env')
    expect(said).toContain(where)
    expect(said).not.toMatch(/ss@h|a@b|production|at .*mjs/)
    expect(code).toBe(1)
  })
})

/** Decodes RFC 4648, as an authenticator application reads a typed key. */
function fromBase32(text: string): Buffer {
  const bits = [...text].map((letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  )
  return Buffer.from((bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

function directory(): string {
  const dir = mkdtempSync(join(tmpdir(), 'ntalo-starts-'))
  directories.push(dir)
  return dir
}

type Database = Awaited<ReturnType<typeof openDatabase>>
