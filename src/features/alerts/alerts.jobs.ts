import { judgeAlerts } from '#features/alerts/judging/judging.jobs.ts'
import { type SendingWorld, sendAlerts } from '#features/alerts/sending/sending.jobs.ts'
import type { Task } from '#server/jobs/jobs.ts'

const oftenMs = 5_000

/** Judges alerts soon after prices are written, and sends the events by the channels of their rules. */
export function alertTasks(world: SendingWorld): Task[] {
  return [
    {
      name: 'judge price alerts',
      everyMs: oftenMs,
      async run(_payload, { signal }) {
        await judgeAlerts(world.db, world.clock(), signal)
        await sendAlerts(world)
      },
    },
  ]
}
