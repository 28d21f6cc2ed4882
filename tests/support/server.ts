import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { type AppOptions, buildApp } from '#main/app.ts'
import { runJobs } from '#main/jobs.ts'
import type { Db } from '#server/db/pool.ts'
import { createLog, type Log } from '#server/log.ts'
import type { Metrics } from '#server/metrics.ts'
import { insertSession, insertTokens } from '#server/session/session.sql.ts'
import type { TokenPair } from '#server/session/sessions.ts'
import { hashToken, newToken } from '#server/session/tokens.ts'
import type { PageViews } from '#server/views.ts'
import { dayMs } from '#shared/days.ts'
import type { MailContent } from '#shared/mail.ts'
import { type TestDatabase, testDatabase } from './database.ts'

export type Answer = { status: number; headers: Headers; body: unknown; text: string; bytes: Buffer }

/** Sends requests as one user, or as a visitor. */
export type Client = {
  get(path: string): Promise<Answer>
  post(path: string, body?: unknown): Promise<Answer>
  put(path: string, body?: unknown): Promise<Answer>
  delete(path: string): Promise<Answer>
  send(path: string, init: RequestInit): Promise<Answer>
  token: string | null
  userId: number | null
}

let accounts = 0

/** Configuration of jobs without a database: without an SMTP server, mails are files in `mail/`. */
export const testDefaults = {
  mail: { smtpUrl: null, from: 'Ntalo <ntalo@exemple.cd>' },
  views: {
    renderMail: ({ subject }: MailContent) => `<title>${subject}</title>`,
    bundle: new URL('../../dist/current/views/views.js', import.meta.url).href,
  },
  publicUrl: 'https://ntalo.example',
  contactTo: 'equipe@exemple.cd',
  log: createLog('silent'),
}

/** Starts the real application on a private database, on a free port; stopped after the file's tests. */
export async function testServer(options: ServerOptions = {}) {
  const database = await testDatabase()
  const { http, url, dataDir } = await listenOn(database, options)
  if (options.hasJobs) {
    const jobs = runJobs({
      ...testDefaults,
      ...options,
      ...database,
      views: testDefaults.views,
      publicUrl: testDefaults.publicUrl,
      dataDir,
    })
    afterAll(jobs.stop)
  }
  return {
    ...database,
    http,
    url,
    dataDir,
    visitor: client(url, null, null),
    /** Creates an account with these roles, and returns its signed-in client. */
    async as(...roles: string[]): Promise<Client> {
      const userId = await insertAccount(database.db, { roles })
      return client(url, await openSession(database.db, userId), userId)
    },
    async clientOf(userId: number): Promise<Client> {
      return client(url, await openSession(database.db, userId), userId)
    },
  }
}

type ServerOptions = Pick<
  AppOptions,
  'payments' | 'couriers' | 'clock' | 's3' | 'demandsSecondFactor' | 'google' | 'admission' | 'replica'
> & {
  publicUrl?: string
  trustedProxies?: number
  /** No log by default. */
  log?: Log
  /** Number of the migration that the program requires. */
  migration?: number
  metrics?: Metrics
  /** Runs jobs too. */
  hasJobs?: boolean
  /** The built pages, when a test reads their content. */
  views?: PageViews
}

/** Starts the same on an existing database. */
export async function listenOn(
  database: Pick<TestDatabase, 'db' | 'connection'>,
  options: ServerOptions = {},
) {
  const dataDir = mkdtempSync(join(tmpdir(), 'ntalo-files-'))
  mkdirSync(join(dataDir, 'browser/assets'), { recursive: true })
  const http = await buildApp({
    ...database,
    dataDir,
    s3: options.s3 ?? null,
    payments: options.payments ?? null,
    couriers: options.couriers,
    google: options.google ?? null,
    replica: options.replica ?? null,
    clock: options.clock,
    ...(options.admission && { admission: options.admission }),
    migration: options.migration ?? 0,
    poolWaiting: () => 0,
    metrics: options.metrics ?? null,
    ...(options.demandsSecondFactor && { demandsSecondFactor: true }),
    publicUrl: options.publicUrl ?? null,
    contactTo: testDefaults.contactTo,
    trustedProxies: options.trustedProxies ?? 0,
    log: options.log ?? testDefaults.log,
    // The API needs no built page; stories in the browser run with the real ones.
    views: options.views ?? {
      render: (name) => `<!doctype html><title>${name}</title>`,
      shell: '<!doctype html><div id="root"></div>',
      styleHash: '',
      browserDir: join(dataDir, 'browser'),
      bundle: testDefaults.views.bundle,
    },
  })
  const url = await http.listen({ port: 0, host: '127.0.0.1' })
  afterAll(async () => {
    await http.close()
    rmSync(dataDir, { recursive: true, force: true })
  })
  return { http, url, dataDir }
}

/** Inserts an account without a password; by default its address is confirmed and its trial is over. */
export async function insertAccount(
  db: Db,
  account: {
    roles: string[]
    name?: string
    email?: string
    status?: string
    ageDays?: number
    passwordHash?: string
    isVerified?: boolean
  },
): Promise<number> {
  accounts += 1
  const { id } = await db
    .insertInto('app_user')
    .values({
      name: account.name ?? `Compte ${accounts}`,
      email: account.email ?? `compte-${process.pid}-${accounts}@exemple.cd`,
      status: account.status ?? 'ACTIVE',
      password_hash: account.passwordHash ?? null,
      email_verified: account.isVerified ?? true,
      created_at: new Date(Date.now() - (account.ageDays ?? 40) * dayMs),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  for (const role of account.roles) {
    await db
      .insertInto('user_role')
      .columns(['user_id', 'role_id'])
      .expression((e) =>
        e
          .selectFrom('role')
          .select((s) => [s.lit(id).as('user_id'), 'role.id as role_id'])
          .where('name', '=', role),
      )
      .execute()
  }
  return id
}

/** @returns the access token of a new session */
export async function openSession(db: Db, userId: number): Promise<string> {
  return (await openTokens(db, userId, 'test')).access
}

/** Opens a session as signing in does. @param browser name of the browser */
export async function openTokens(db: Db, userId: number, browser: string): Promise<TokenPair> {
  const pair = { access: newToken(), refresh: newToken() }
  const sessionId = await insertSession(db, userId, browser)
  await insertTokens(db, sessionId, { access: hashToken(pair.access), refresh: hashToken(pair.refresh) })
  return pair
}

export function client(url: string, token: string | null, userId: number | null): Client {
  async function send(path: string, init: RequestInit): Promise<Answer> {
    const headers = new Headers(init.headers)
    if (token) headers.set('authorization', `Bearer ${token}`)
    const response = await fetch(url + path, { redirect: 'manual', ...init, headers })
    const bytes = await bytesOf(response)
    const text = bytes.toString()
    const isJson = response.headers.get('content-type')?.includes('json') ?? false
    return {
      status: response.status,
      headers: response.headers,
      bytes,
      text,
      body: isJson && text ? JSON.parse(text) : text,
    }
  }
  const withBody = (method: string) => (path: string, body?: unknown) =>
    send(path, {
      method,
      ...(body instanceof FormData
        ? { body }
        : body !== undefined && {
            body: JSON.stringify(body),
            headers: { 'content-type': 'application/json' },
          }),
    })
  return {
    get: (path) => send(path, {}),
    post: withBody('POST'),
    put: withBody('PUT'),
    delete: (path) => send(path, { method: 'DELETE' }),
    send,
    token,
    userId,
  }
}

/** Returns the body; an endless stream is closed at once. */
async function bytesOf(response: Response): Promise<Buffer> {
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) {
    return Buffer.from(await response.arrayBuffer())
  }
  await response.body?.cancel()
  return Buffer.alloc(0)
}
