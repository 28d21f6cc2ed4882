import { spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testDatabase } from '../support/database.ts'
import { killWorker } from '../support/deposits-worker.ts'
import { programEnv } from '../support/program-env.ts'
import { insertAccount } from '../support/server.ts'
import { eventually } from '../support/waiting.ts'

const wanted = 1_000
const kills = 3
const program = resolve(import.meta.dirname, '../support/invoices-program.ts')

test('1 000 payments in a burst with three kills have the numbers 1 to 1 000', async () => {
  const { db, connection } = await testDatabase()
  const userId = await insertAccount(db, { roles: ['user'] })
  await sql`
    insert into payment (user_id, amount, status)
    select ${userId}, 5, 'PENDING' from generate_series(1, ${wanted})`.execute(db)
  const countPaid = async () => {
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from payment where status = 'PAID'`.execute(db)
    return rows[0]!.n
  }
  for (let kill = 1; kill <= kills + 1; kill++) {
    const worker = spawn(process.execPath, [program, JSON.stringify(connection)], {
      env: programEnv,
      stdio: 'inherit',
    })
    const until = kill > kills ? wanted : Math.round((wanted * kill) / (kills + 1))
    await eventually(`${until} payments are paid`, async () => (await countPaid()) >= until)
    await killWorker(worker)
  }
  const { rows } = await sql<{ rank: number; paymentId: number }>`
    select rank, payment_id as "paymentId" from invoice order by rank`.execute(db)
  expect(rows.map(({ rank }) => rank)).toEqual(Array.from({ length: wanted }, (_, n) => n + 1))
  expect(new Set(rows.map(({ paymentId }) => paymentId)).size).toBe(wanted)
})
