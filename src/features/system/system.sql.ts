import { sql } from 'kysely'
import type { SystemMeasures } from '#features/system/system.contract.ts'
import type { Db } from '#server/db/pool.ts'

export type StoredMeasures = Pick<
  SystemMeasures,
  | 'jobs_late_seconds'
  | 'jobs_failing'
  | 'jobs_given_up'
  | 'mail_late_seconds'
  | 'index_late_seconds'
  | 'payments_waiting'
  | 'sign_in_failures'
>

/**
 * Reads the measures stored in the database, in one statement.
 * @param attempts numbers of attempts after which a job counts as failing, and as given up
 */
export async function readStoredMeasures(
  db: Db,
  { failuresSeen, mostAttempts }: { failuresSeen: number; mostAttempts: number },
): Promise<StoredMeasures> {
  const { rows } = await sql<StoredMeasures>`
    select
      coalesce((select extract(epoch from now() - min(run_at)) from job
                 where run_at < now() and attempts < ${mostAttempts}), 0)::float8 as jobs_late_seconds,
      (select count(*) from job where attempts >= ${failuresSeen})::int4 as jobs_failing,
      (select count(*) from job where attempts >= ${mostAttempts})::int4 as jobs_given_up,
      coalesce((select extract(epoch from now() - min(created_at)) from outgoing_mail
                 where created_at < now()), 0)::float8 as mail_late_seconds,
      coalesce((select extract(epoch from now() - fitted_at) from price_index_fit
                 where isfinite(fitted_at) and exists (select from price_index_mark)), 0)::float8 as index_late_seconds,
      (select count(*) from deposit
        where state in ('created', 'pending', 'unverified') and created_at < now() - interval '15 minutes')::int4 as payments_waiting,
      (select count(*) from audit_entry
        where at > now() - interval '15 minutes' and action = 'sign-in-refused')::int4 as sign_in_failures`.execute(
    db,
  )
  const [found] = rows
  if (!found) throw new Error('no measure came')
  return found
}
