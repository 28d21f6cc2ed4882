import { sql } from 'kysely'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { testDatabase } from '../../../tests/support/database.ts'
import { inBulkTransaction } from './bulk-transaction.ts'
import { openPool } from './pool.ts'

const { db, pool, connection } = await testDatabase()

beforeEach(async () => {
  await sql`truncate brand cascade`.execute(db)
})

function* lines(count: number, andThen?: () => void): Generator<string> {
  for (let i = 1; i <= count; i++) yield `marque ${i}\tRDC\n`
  andThen?.()
}

async function brands(): Promise<number> {
  const { n } = await db
    .selectFrom('brand')
    .select((e) => e.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  return n
}

test('statements and copies of one bulk transaction are kept together', async () => {
  const result = await inBulkTransaction(pool, async ({ tx, copy }) => {
    await tx.insertInto('brand').values({ name: 'Primus', country: 'RDC' }).execute()
    await copy('brand (name, country)', lines(20_000))
    expect(await brands()).toBe(0)
    return 'fait'
  })
  expect(result).toBe('fait')
  expect(await brands()).toBe(20_001)
})

test('a bulk transaction is not bound by the limits of requests', async () => {
  const hasty = openPool({ connection, statementTimeoutMs: 300 })
  onTestFinished(() => hasty.end())
  await inBulkTransaction(hasty, ({ tx }) => sql`select pg_sleep(0.5)`.execute(tx))
})

test('lines that fail halfway leave nothing', async () => {
  const failing = lines(20_000, () => {
    throw new Error('plus de lignes')
  })
  await expect(inBulkTransaction(pool, ({ copy }) => copy('brand (name, country)', failing))).rejects.toThrow(
    'plus de lignes',
  )
  expect(await brands()).toBe(0)
})

test('a line that PostgreSQL refuses leaves nothing', async () => {
  const twice = [...lines(3), ...lines(3)]
  await expect(inBulkTransaction(pool, ({ copy }) => copy('brand (name, country)', twice))).rejects.toThrow(
    'brand_name_key',
  )
  expect(await brands()).toBe(0)
})

test('a connection that is cut halfway leaves nothing', async () => {
  const work = inBulkTransaction(pool, async ({ tx, copy }) => {
    await copy('brand (name, country)', lines(10))
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
    await pool.query('select pg_terminate_backend($1)', [rows[0]?.pid])
    await copy('brand (name, country)', lines(10))
  })
  await expect(work).rejects.toThrow()
  expect(await brands()).toBe(0)
})
