import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { codeOf } from '#server/db/errors.ts'
import type { Db } from '#server/db/pool.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { insertCategory } from '../../../tests/support/catalogue.ts'
import { testDatabase } from '../../../tests/support/database.ts'

const { db } = await testDatabase()

const describe = (tx: Db, id: number, description: string) =>
  tx.updateTable('category').set({ description }).where('id', '=', id).execute()

test('when two transactions deadlock, the one that was rolled back is run again', async () => {
  const [one, two] = [await insertCategory(db), await insertCategory(db)]
  let attempts = 0
  let holders = 0
  const { promise: bothHold, resolve } = Promise.withResolvers<void>()
  const cross = (first: number, second: number, name: string) =>
    inTransaction(db, async (tx) => {
      attempts += 1
      await sql`set local deadlock_timeout = '10ms'`.execute(tx)
      await describe(tx, first, name)
      holders += 1
      if (holders === 2) resolve()
      await bothHold
      await describe(tx, second, name)
    })
  await Promise.all([cross(one, two, 'a'), cross(two, one, 'b')])
  // PostgreSQL may find both waiting, and roll both back.
  expect(attempts).toBeGreaterThan(2)
  const rows = await db.selectFrom('category').select('description').execute()
  expect(new Set(rows.map(({ description }) => description)).size).toBe(1)
})

test('a transaction that always deadlocks is given up after four attempts', async () => {
  let attempts = 0
  const crossing = inTransaction(db, async (tx) => {
    attempts += 1
    await sql`do $$ begin raise exception 'crossed' using errcode = 'serialization_failure'; end $$`.execute(
      tx,
    )
  })
  await expect(crossing).rejects.toSatisfy((error) => codeOf(error) === '40001')
  expect(attempts).toBe(4)
})

test('any other error rolls the transaction back at once', async () => {
  let attempts = 0
  const failing = inTransaction(db, async (tx) => {
    attempts += 1
    await insertCategory(tx, 'Défaite')
    throw new Error('refused')
  })
  await expect(failing).rejects.toThrow('refused')
  expect(attempts).toBe(1)
  expect(await db.selectFrom('category').select('id').where('name', '=', 'Défaite').execute()).toEqual([])
})
