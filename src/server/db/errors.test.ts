import { expect, onTestFinished, test } from 'vitest'
import { emptyDatabase } from '../../../tests/support/database.ts'
import {
  constraintOf,
  isDiskFull,
  isLockTimeout,
  isReadOnly,
  isSerializationFailure,
  isUnavailable,
} from './errors.ts'
import { openPool } from './pool.ts'

const { pool, connection } = await emptyDatabase()
await pool.query(`
  create table parent (id int constraint parent_pkey primary key, name text not null constraint parent_name_key unique);
  create table child (parent_id int constraint child_parent_fkey references parent, size int constraint child_size_positive check (size > 0));
  insert into parent values (1, 'one')`)

test.each([
  [`insert into parent values (2, 'one')`, { kind: 'unique', name: 'parent_name_key' }],
  [`insert into child values (9, 1)`, { kind: 'foreign-key', name: 'child_parent_fkey' }],
  [`insert into child values (1, 0)`, { kind: 'check', name: 'child_size_positive' }],
  [`insert into parent values (2, null)`, { kind: 'not-null', name: 'name' }],
])('%s names the violated constraint', async (statement, constraint) => {
  expect(constraintOf(await failureOf(statement))).toEqual(constraint)
})

test('an error of another kind violates no constraint', async () => {
  expect(constraintOf(await failureOf('select nothing'))).toBeNull()
  expect(constraintOf(new Error('other'))).toBeNull()
  expect(constraintOf(undefined)).toBeNull()
})

test('a write in a read-only transaction is recognised', async () => {
  const error = await failureOf(`begin read only; insert into parent values (3, 'three')`)
  expect(isReadOnly(error)).toBe(true)
})

test('when two transactions lock in opposite order, one gets a failure to retry', async () => {
  await pool.query(`insert into parent values (10, 'ten'), (11, 'eleven')`)
  const [a, b] = await Promise.all([pool.connect(), pool.connect()])
  onTestFinished(() => {
    a.release(true)
    b.release(true)
  })
  await a.query('begin; update parent set name = name where id = 10')
  await b.query('begin; update parent set name = name where id = 11')
  const outcomes = await Promise.allSettled([
    a.query('update parent set name = name where id = 11'),
    b.query('update parent set name = name where id = 10'),
  ])
  const [failure] = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
  expect(isSerializationFailure(failure)).toBe(true)
})

test('a lock timeout is recognised', async () => {
  const holder = await pool.connect()
  onTestFinished(() => holder.release(true))
  await holder.query('begin; lock table child')
  expect(isLockTimeout(await failureOf(`set lock_timeout = 20; select from child`))).toBe(true)
})

test('a missing server is unavailable, on a socket as on a port', async () => {
  for (const host of ['/nonexistent', '127.0.0.1']) {
    const nowhere = openPool({ connection: { ...connection, host, port: 1 } })
    onTestFinished(() => nowhere.end())
    await expect(nowhere.query('select 1')).rejects.toSatisfy(isUnavailable)
  }
})

test.each(['57P01', '57P02', '57P03', '53300', '08006', '08P01', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT'])(
  '%s is unavailable',
  (code) => expect(isUnavailable(Object.assign(new Error(), { code }))).toBe(true),
)

test('a missing file of the program is not an unavailable database', () => {
  expect(isUnavailable(Object.assign(new Error(), { code: 'ENOENT', syscall: 'open' }))).toBe(false)
  expect(isUnavailable(new Error('anything'))).toBe(false)
})

test('a full disk is recognised', () => {
  expect(isDiskFull(Object.assign(new Error(), { code: '53100' }))).toBe(true)
})

/** Runs the statement on a separate connection, so that its settings and open transaction end with it. */
async function failureOf(statement: string): Promise<unknown> {
  const client = await pool.connect()
  try {
    return await client.query(statement).then(
      () => null,
      (error: unknown) => error,
    )
  } finally {
    client.release(true)
  }
}
