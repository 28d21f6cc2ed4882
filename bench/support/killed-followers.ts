import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { sql } from 'kysely'
import { createSimulator } from '#features/payment-simulator/simulator.routes.ts'
import type { Db } from '#server/db/pool.ts'
import { killWorker, startWorker } from '../../tests/support/deposits-worker.ts'
import type { Measure } from '../measure.ts'
import { withPostgres } from './private-postgres.ts'

const waves = 10
const inWave = 1_000
const killsInWave = 3
const longestWaveMs = 60_000
const token = 'secret'

/** Follows ten thousand deposits while the process that follows them is killed repeatedly, at random moments. */
export function killedFollowers(): Promise<Measure[]> {
  return withPostgres(async ({ db, connection }) => {
    const simulator = createSimulator({ token, endsAfterMs: 100 })
    const url = await simulator.http.listen({ port: 0, host: '127.0.0.1' })
    const moments = fc.sample(fc.integer({ min: 50, max: 900 }), { seed: 1, numRuns: waves * killsInWave })
    await sql`insert into plan (name, price) values ('Essai', 5)`.execute(db)
    try {
      for (let wave = 0; wave < waves; wave++) {
        await insertWave(db, wave)
        for (const moment of moments.slice(wave * killsInWave, (wave + 1) * killsInWave)) {
          const worker = await startWorker({ connection, url, token })
          await sleep(moment)
          await killWorker(worker)
          await endLeases(db)
        }
        const last = await startWorker({ connection, url, token })
        await untilPaid(db)
        await killWorker(last)
      }
      const { rows } = await sql<{ once: number; twice: number }>`
        select count(*) filter (where opened = 1 and told = 1) as once,
               count(*) filter (where opened > 1 or told > 1) as twice
          from (select (select count(*) from subscription where payment_id = payment.id) as opened,
                       (select count(*) from audit_entry
                         where entity = 'payments' and entity_id = payment.id and action = 'confirm') as told
                  from payment) each`.execute(db)
      const [found] = rows
      const total = waves * inWave
      return [
        { what: 'deposits followed by somebody who is killed', value: total, unit: 'deposits' },
        { what: 'times that he was', value: waves * killsInWave, unit: 'kills' },
        {
          what: 'taken by the provider',
          value: simulator.books().length,
          unit: 'deposits',
          atLeast: total,
          atMost: total,
        },
        {
          what: 'paid, and opened a subscription, once',
          value: found?.once ?? 0,
          unit: 'payments',
          atLeast: total,
        },
        { what: 'or twice', value: found?.twice ?? 0, unit: 'payments', atMost: 0 },
      ]
    } finally {
      await simulator.http.close()
    }
  })
}

async function insertWave(db: Db, wave: number): Promise<void> {
  await sql`
    with people as (
      insert into app_user (name, email, email_verified)
      select 'Payeur ' || n, 'payeur-' || ${wave}::int || '-' || n || '@exemple.cd', true from generate_series(1, ${inWave}::int) n
      returning id),
    paid as (
      insert into payment (user_id, plan_id, amount, currency, payment_method)
      select people.id, plan.id, 5, 'USD', 'MOBILE_MONEY' from people, plan returning id)
    insert into deposit (id, payment_id, phone, operator, next_check_at)
    select gen_random_uuid(), id, '243813456789', 'MPESA', now() from paid`.execute(db)
}

// Expires the leases of a dead follower at once, instead of after a minute.
async function endLeases(db: Db): Promise<void> {
  await sql`update deposit set next_check_at = now() where next_check_at > now() + interval '35 seconds'`.execute(
    db,
  )
}

async function untilPaid(db: Db): Promise<void> {
  const until = Date.now() + longestWaveMs
  for (;;) {
    const { rows } = await sql<{ open: number }>`
      select count(*) as open from deposit where state <> 'succeeded'`.execute(db)
    if (rows[0]?.open === 0 || Date.now() > until) return
    await sleep(200)
  }
}
