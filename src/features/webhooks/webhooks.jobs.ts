import { collectMessages } from '#features/webhooks/collecting/collecting.jobs.ts'
import { sendDue } from '#features/webhooks/sending/sending.jobs.ts'
import { sendWebhooks } from '#features/webhooks/webhooks.routes.ts'
import { sweepMessages } from '#features/webhooks/webhooks.sql.ts'
import type { Db } from '#server/db/pool.ts'
import type { Task } from '#server/jobs/jobs.ts'
import { publicInternet } from '#server/webhooks/reach.ts'
import { dayMs } from '#shared/days.ts'

const oftenMs = 10_000

/** Records messages for new events, sends them at once, and retries failed ones. */
export function webhookTasks(given: { db: Db; clock: () => Date; publicUrl: string }): Task[] {
  const { db, clock } = given
  // Not configurable: only tests may send to this machine.
  const dependencies = { ...given, reach: publicInternet }
  return [
    {
      name: 'collect webhooks',
      everyMs: oftenMs,
      run: (_payload, { signal }) => collectMessages(db, clock(), signal),
    },
    sendWebhooks.doneBy((_payload, { signal }) => sendDue(dependencies, signal)),
    {
      name: 'send late webhooks',
      everyMs: oftenMs,
      run: (_payload, { signal }) => sendDue(dependencies, signal),
    },
    { name: 'sweep webhooks', everyMs: dayMs, run: () => sweepMessages(db) },
  ]
}
