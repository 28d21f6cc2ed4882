// The real application on a small data set, with an account of every role.

import diagnostics from 'node:diagnostics_channel'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { z } from 'zod'
import { type MobileMoney, operators } from '#features/payments/mobile-money.rules.ts'
import { buildApp } from '#main/app.ts'
import type { Db, PoolOptions } from '#server/db/pool.ts'
import { createLog } from '#server/log.ts'
import { hashPassword } from '#server/session/passwords.ts'
import type { TokenPair } from '#server/session/sessions.ts'
import { insertBrand, insertCategory, insertMarket, insertProduct, insertType } from '../support/catalogue.ts'
import { insertAccount, openTokens } from '../support/server.ts'
import { fuzzedGoogle } from './google.ts'
import { rightPassword } from './inputs.ts'
import type { FuzzRequest, Operation, Person } from './requests.ts'

export type FuzzWorld = {
  http: FastifyInstance
  operations: Operation[]
  db: Db
  /** Returns the session that this role's requests share, or a new one; null for a visitor. */
  sessionOf(person: Person, isOwn?: boolean): Promise<TokenPair | null>
  /** Opens new sessions from now on: sessions last a quarter of an hour at most, and their accounts may be deleted. */
  renew(): void
  /** Completes a request: every second one that returns from Google gets valid values. */
  completed(request: FuzzRequest): Promise<FuzzRequest>
  close(): Promise<void>
}

// Accepts every operator; no job runs here, so payments are never sent.
const takesAll: MobileMoney = {
  name: 'pawapay',
  listMethods: async () =>
    operators.map((operator) => ({
      operator,
      currency: 'USD',
      minAmount: '1',
      maxAmount: '1000',
      decimals: 2,
      isOpen: true,
    })),
  callbackPath: '/webhooks/pawapay',
  initiate: async () => ({ kind: 'accepted' }),
  getStatus: async () => ({ kind: 'open' }),
  parseCallback: async () => ({ kind: 'unreadable' }),
}

/**
 * @param database an empty, migrated database
 * @param addRoutes adds routes to those of the application
 */
export async function fuzzWorld(
  database: { db: Db; connection: PoolOptions['connection'] },
  addRoutes: (http: FastifyInstance) => void = () => {},
): Promise<FuzzWorld> {
  const { db } = database
  const dataDir = mkdtempSync(join(tmpdir(), 'ntalo-fuzz-'))
  mkdirSync(join(dataDir, 'assets'))
  mkdirSync(join(dataDir, 'imports'))
  const operations: Operation[] = []
  const watch = (message: unknown) => readOperations((message as Created).fastify, operations)
  diagnostics.subscribe('fastify.initialization', watch)
  const { google, comingBack, close } = await fuzzedGoogle(db)
  const http = await buildApp({
    ...database,
    google,
    dataDir,
    publicUrl: null,
    // The fuzzer sets the client address of its requests.
    trustedProxies: 1,
    log: createLog('silent'),
    payments: { mobileMoney: [takesAll], isSimulated: true },
    views: {
      render: () => '<!doctype html>',
      shell: '<!doctype html>',
      styleHash: '',
      browserDir: dataDir,
      bundle: new URL('../../dist/current/views/views.js', import.meta.url).href,
    },
  })
  diagnostics.unsubscribe('fastify.initialization', watch)
  addRoutes(http)
  await http.ready()
  const passwordHash = await hashPassword(rightPassword)
  await fill(db, passwordHash)
  await fillImports(db, dataDir)

  const shared = new Map<Person, Promise<TokenPair>>()
  return {
    http,
    operations,
    db,
    async sessionOf(person, isOwn = false) {
      if (person === 'visitor') return null
      if (isOwn) return openSession(db, person, passwordHash)
      const session = shared.get(person) ?? openSession(db, person, passwordHash, true)
      shared.set(person, session)
      return session
    },
    renew: () => shared.clear(),
    completed: (request) => comingBack(http, request),
    async close() {
      await http.close()
      close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

// Message that Fastify publishes on this channel.
type Created = { fastify: FastifyInstance }

function readOperations(http: FastifyInstance, operations: Operation[]): void {
  http.addHook('onRoute', ({ method, url, schema, config }) => {
    if (method === 'HEAD' || !schema || schema.hide) return
    const { querystring, body } = schema
    const file = schema.consumes?.includes('multipart/form-data') ?? false
    operations.push({
      method: String(method),
      path: url,
      isPublic: config?.right === 'public',
      takesForms: file,
      ...(querystring instanceof z.ZodType && { query: querystring }),
      ...(body instanceof z.ZodType && { body }),
    })
  })
}

/** Number of rows of each private table. */
const privateCount = 8

/** For each table of private rows: columns, their SQL values in row number `n`, and the table that they reference. */
const privateRows: Record<string, { columns: string; values: string; from?: string }> = {
  saved_view: { columns: 'name, path, search', values: `'Vue ' || n, '/prices', '?page=' || n` },
  share: { columns: 'token, path, search, title', values: `'partage' || n, '/prices', '', 'Prix'` },
  report: { columns: 'title, blocks', values: `'Bulletin ' || n, '[]'` },
  webhook_endpoint: {
    columns: 'url, events, secret',
    values: `'https://exemple.cd/' || n, array['price.created'], '\\x00'`,
  },
  api_key: {
    columns: 'name, hash, prefix, scopes, version',
    values: `'Clé ' || n, decode(md5('clé ' || n), 'hex'), 'clé' || n, array['prices.read'], date '2026-01-01'`,
  },
  alert_rule: {
    columns: 'product_id, kind, direction, threshold, period_days, channels',
    values: `product.id, 'level', 'above', 1000, 30, array['mail']`,
    from: 'product',
  },
  payment_link: {
    columns: 'token, plan_id, expires_at',
    values: `'lien-de-paiement-numero-' || n, plan.id, '2099-01-01'`,
    from: 'plan',
  },
}
/** Tables of private rows: they pass from one super administrator or administrator to the next who signs in. */
export const handedOn = Object.keys(privateRows)

/** Gives an account its private rows, three of four for a super administrator, and inserts those that were deleted. */
async function handOn(db: Db, userId: number, role: 'admin' | 'super admin'): Promise<void> {
  for (const [table, { columns, values, from }] of Object.entries(privateRows)) {
    // Locked, since another request may be deleting the referenced row.
    const referred = from
      ? `cross join (select id from ${from} order by id desc limit 1 for key share skip locked) ${from}`
      : ''
    await sql`
      insert into ${sql.table(table)} (id, user_id, ${sql.raw(columns)}) overriding system value
      select n, ${userId}, ${sql.raw(values)} from generate_series(1, ${sql.lit(privateCount)}) n ${sql.raw(referred)}
       where (n % 4 = 0) = ${role === 'admin'} order by n
          on conflict (id) do update set user_id = excluded.user_id`.execute(db)
  }
}

// In one transaction: another request may delete any account that it can see.
function openSession(
  db: Db,
  role: Exclude<Person, 'visitor'>,
  passwordHash: string,
  isShared = false,
): Promise<TokenPair> {
  return db.transaction().execute(async (tx) => {
    const userId = await insertAccount(tx, {
      roles: [role],
      passwordHash,
      ageDays: role === 'individual' ? 1 : 40,
    })
    // A subscription that they can cancel and change, although their role gives access anyway.
    if (role === 'super admin' || role === 'admin') {
      await sql`
        insert into subscription (user_id, plan_id, status, start_date, end_date)
        values (${userId}, (select min(id) from plan), 'ACTIVE', '2024-02-01', '2099-03-01')`.execute(tx)
      if (isShared) await handOn(tx, userId, role)
    }
    return openTokens(tx, userId, 'fuzz')
  })
}

/** Inserts rows with the ids that the fuzzer requests most. */
async function fill(db: Db, passwordHash: string): Promise<void> {
  await insertAccount(db, {
    roles: ['super admin'],
    email: 'superadmin@exemple.cd',
    passwordHash,
  })
  // Agents with a second factor whose phone is lost.
  for (let lost = 0; lost < 12; lost++) {
    const userId = await insertAccount(db, { roles: ['agent'] })
    await sql`insert into second_factor (user_id, secret, confirmed_at) values (${userId}, '\\x00', now())`.execute(
      db,
    )
  }
  const categories = await times(5, () => insertCategory(db))
  const types = await times(10, (index) => insertType(db, { category_id: pick(categories, index) }))
  const brands = await times(10, () => insertBrand(db))
  const usedBrands = brands.slice(0, 5)
  await times(30, (index) =>
    insertProduct(db, { type_id: pick(types, index), brand_id: pick(usedBrands, index) }),
  )
  // Rows that no product uses.
  await times(10, (index) => insertType(db, { category_id: pick(categories, index) }))
  await times(8, () => insertMarket(db))
  // A free plan, plans in each currency, and payments for them.
  await sql`
    insert into plan (name, price, currency, billing_period)
    select 'Plan ' || i, i * 5, case when i % 2 = 0 then 'USD' else 'CDF' end, case when i % 3 = 0 then 'YEARLY' else 'MONTHLY' end
      from generate_series(0, 15) i`.execute(db)
  await sql`
    insert into subscription (user_id, plan_id, status, start_date, end_date)
    select 1, 1 + i % 8, (array['ACTIVE', 'TRIAL', 'EXPIRED', 'CANCELED'])[1 + i % 4],
           timestamptz '2024-02-01' + i * interval '1 day', case when i % 4 = 0 then timestamptz '2099-03-01' else '2024-03-01' end + i * interval '1 day'
      from generate_series(1, 30) i`.execute(db)
  await sql`
    insert into payment (subscription_id, user_id, plan_id, amount, currency, status, payment_method, created_at)
    select 1 + i % 20, 1, 1 + i % 8, i, case when i % 2 = 0 then 'USD' else 'CDF' end,
           (array['PENDING', 'PAID', 'FAILED', 'REFUNDED'])[1 + i % 4], (array['VISA', 'MOBILE_MONEY', 'CASH'])[1 + i % 3],
           timestamptz '2024-07-01' + i * interval '9 hours'
      from generate_series(1, 60) i`.execute(db)
  // Pending payments wait on the card page.
  await sql`
    with asked as (
      insert into deposit (id, payment_id, state, page_url)
      select gen_random_uuid(), id, 'pending', 'https://exemple.cd/' || id from payment where status = 'PENDING'
      returning id, payment_id)
    update payment set transaction_ref = asked.id from asked where payment.id = asked.payment_id`.execute(db)
  await sql`
    insert into transfer_order (user_id, plan_id, billing_period, amount, currency)
    select 1, 2 + i % 8, 'MONTHLY', i * 10, 'USD' from generate_series(1, 30) i`.execute(db)
  await sql`insert into exchange_rate (day, cdf_per_usd) values ('2024-06-01', 2800), ('2025-02-01', 2850.5)`.execute(
    db,
  )
  await sql`
    insert into product_type_weight (type_id, day, weight, source)
    select 1 + i % 8, date '2024-01-01' + i, i, 'Enquête' from generate_series(1, 12) i`.execute(db)
  await sql`
    insert into published_inflation (publisher, measure, week, value, source)
    select 'INS', 'weekly', date '2024-01-01' + 7 * i, 0.5, 'Bulletin' from generate_series(1, 12) i`.execute(
    db,
  )
  await sql`
    insert into contact_message (name, email, message)
    select 'Passant ' || i, 'passant@exemple.cd', 'Bonjour' from generate_series(1, 12) i`.execute(db)
  await sql`
    insert into import_mapping (kind, name, titles, content)
    select 'prices', 'Tableau ' || i, array['jour', 'marché'],
           '{"name": null, "titles": ["jour", "marché"], "fields": {}, "decimal": ",", "dateOrder": "auto",
             "names": {"markets": {}, "products": {}}}'
      from generate_series(1, 12) i`.execute(db)
  await sql`
    insert into price (product_id, market_id, price_value, currency, collector_name, collected_at, observed_on)
    select 1 + i % 29, 1 + i % 7, 100 + i, case when i % 9 = 0 then 'USD' else 'CDF' end, 'Amina',
           timestamptz '2024-02-01T10:00Z' + i * interval '11 hours', (timestamptz '2024-02-01T11:00Z' + i * interval '11 hours')::date
      from generate_series(1, 400) i`.execute(db)
  for (const role of ['admin', 'super admin'] as const) await handOn(db, 1, role)
  for (const table of handedOn) {
    await sql`select setval(pg_get_serial_sequence(${table}, 'id'), ${privateCount})`.execute(db)
  }
}

/** Inserts imports in every state, some with their file. */
async function fillImports(db: Db, dataDir: string): Promise<void> {
  const { rows } = await sql<{ key: string }>`
    insert into import (kind, file_name, file_bytes, stored_as, state, report)
    select 'prices', 'prix.csv', 1000, gen_random_uuid(), state,
           '{"read": 1, "added": 0, "existing": 1, "rejected": 0, "errors": [], "reasons": [], "currencies": [], "rejectedKept": 0,
             "revised": 0, "withdrawn": 0, "notes": [],
             "created": {"markets": 0, "categories": 0, "types": 0, "brands": 0, "products": 0}}'
      from generate_series(1, 8), unnest(array['checked', 'done', 'done', 'failed', 'writing']) state
     order by 1
    returning stored_as as key`.execute(db)
  for (const { key } of rows)
    writeFileSync(join(dataDir, 'imports', `${key}.rejected`), 'Ligne;Motif;Contenu')
}

async function times(count: number, make: (index: number) => Promise<number>): Promise<number[]> {
  const made: number[] = []
  for (let index = 0; index < count; index++) made.push(await make(index))
  return made
}

function pick(from: number[], index: number): number {
  return from[index % from.length]!
}
