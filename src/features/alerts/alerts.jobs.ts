import { judgeAlerts } from '#features/alerts/judging/judging.jobs.ts'
import { mailAlerts } from '#features/alerts/sending/sending.jobs.ts'
import type { Db } from '#server/db/pool.ts'
import type { Task } from '#server/jobs/jobs.ts'

const oftenMs = 5_000

/** Judges alerts soon after prices are written, and mails what has rung. */
export function alertTasks(world: { db: Db; clock: () => Date; publicUrl: string }): Task[] {
  return [
    {
      name: 'judge price alerts',
      everyMs: oftenMs,
      async run(_payload, { signal }) {
        await judgeAlerts(world.db, world.clock(), signal)
        await mailAlerts(world)
      },
    },
  ]
}
