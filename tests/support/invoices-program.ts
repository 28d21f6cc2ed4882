// Marks pending payments as paid, several at once, until it is killed. Arguments: a connection as JSON.

import { sql } from 'kysely'
import { openDatabase, type PoolOptions } from '#server/db/pool.ts'

const { db } = await openDatabase({
  connection: JSON.parse(process.argv[2] ?? '') as PoolOptions['connection'],
})

async function payEach(): Promise<void> {
  for (;;) {
    const paid = await sql`
      update payment set status = 'PAID'
       where id = (select id from payment where status = 'PENDING' order by id limit 1 for update skip locked)`.execute(
      db,
    )
    if (paid.numAffectedRows === 0n) return
  }
}

await Promise.all(Array.from({ length: 8 }, payEach))
