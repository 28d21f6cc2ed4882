import { judgeAlerts } from '#features/alerts/judging/judging.jobs.ts'
import { type SendingDependencies, sendAlerts } from '#features/alerts/sending/sending.jobs.ts'
import type { Task } from '#server/jobs/jobs.ts'

const oftenMs = 5_000

/** Judges alerts soon after prices are written, and sends the events by the channels of their rules. */
export function alertTasks(dependencies: SendingDependencies): Task[] {
  return [
    {
      name: 'judge price alerts',
      everyMs: oftenMs,
      async run(_payload, { signal }) {
        try {
          await judgeAlerts(dependencies.db, dependencies.clock(), signal)
        } finally {
          // Alerts that have rung do not wait for those that cannot be judged.
          await sendAlerts(dependencies)
        }
      },
    },
  ]
}
