import { type Expression, sql } from 'kysely'
import type { Report, ReportBlock, Schedule } from '#features/reports/reports.contract.ts'
import { isoInstant } from '#server/db/instant.ts'
import type { Db } from '#server/db/pool.ts'

/** Returns the reports of a user, the latest first. */
export async function listUserReports(db: Db, userId: number, id?: number): Promise<Report[]> {
  const { rows } = await sql<Report>`
    select report.id, title, blocks, schedule, ${isoInstant('next_at')} as "nextAt",
           coalesce((select json_agg(json_build_object('email', email, 'state', state) order by id)
                       from report_recipient where report_id = report.id), '[]') as recipients,
           (select json_build_object('plannedAt', ${isoInstant('planned_at')}, 'state', state, 'reason', reason)
              from report_issue where report_id = report.id order by planned_at desc, id desc limit 1) as "lastIssue",
           ${isoInstant('report.created_at')} as "createdAt", ${isoInstant('report.updated_at')} as "updatedAt"
      from report
     where user_id = ${userId} ${id === undefined ? sql`` : sql`and report.id = ${id}::bigint`}
     order by report.created_at desc, report.id desc limit 200`.execute(db)
  return rows
}

/**
 * Returns the number of reports of a user; locks the account, so that concurrent requests count one after the other.
 */
export async function countReports(tx: Db, userId: number): Promise<number> {
  await sql`select from app_user where id = ${userId} for no key update`.execute(tx)
  const { count } = await tx
    .selectFrom('report')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return count
}

type Written = {
  title?: string | undefined
  blocks?: readonly ReportBlock[] | undefined
  schedule?: Schedule | null | undefined
  nextAt?: Date | null | undefined
}

const columnsOf = ({ title, blocks, schedule, nextAt }: Written) => ({
  ...(title !== undefined && { title }),
  ...(blocks !== undefined && { blocks: JSON.stringify(blocks) }),
  ...(schedule !== undefined && { schedule: schedule && JSON.stringify(schedule) }),
  ...(nextAt !== undefined && { next_at: nextAt }),
})

export async function insertUserReport(
  tx: Db,
  userId: number,
  { title, blocks, ...given }: Written & Required<Pick<Written, 'title' | 'blocks'>>,
): Promise<number> {
  const { id } = await tx
    .insertInto('report')
    .values({ user_id: userId, title: title ?? '', blocks: JSON.stringify(blocks), ...columnsOf(given) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function updateUserReport(tx: Db, id: number, change: Written): Promise<void> {
  const columns = columnsOf(change)
  if (Object.keys(columns).length === 0) return
  await tx.updateTable('report').set(columns).where('id', '=', id).execute()
}

/** Deletes recipients that are not in `kept`, except those who unsubscribed. */
export async function deleteRecipients(tx: Db, reportId: number, kept: readonly string[]): Promise<void> {
  await sql`
    delete from report_recipient
     where report_id = ${reportId} and state <> 'left'
       and lower(email) <> all(${kept.map((email) => email.toLowerCase())}::text[])`.execute(tx)
}

/**
 * Adds a recipient. A person who refused a report of the same owner, even one deleted since, has left this one too.
 * @returns the state; undefined when the list already has the address
 */
export async function insertRecipient(
  tx: Db,
  recipient: { reportId: number; email: string; token: string; isConfirmed: boolean },
): Promise<RecipientLink['state'] | undefined> {
  const { reportId, email, token, isConfirmed } = recipient
  const { rows } = await sql<Pick<RecipientLink, 'state'>>`
    insert into report_recipient (report_id, email, token, state)
    select id, ${email}, ${token}, case when ${isConfirmed} then 'confirmed' when exists (
             select from report_refusal refusal
              where refusal.user_id = own.user_id and email_hash = ${hashOf(sql.val(email))})
           then 'left' else 'waiting' end
      from report own where id = ${reportId}
    on conflict (report_id, lower(email)) do nothing returning state`.execute(tx)
  return rows[0]?.state
}

/** Returns the name of a user, and their address if it is confirmed. */
export async function findOwner(db: Db, userId: number): Promise<{ name: string; confirmed: string | null }> {
  const { rows } = await sql<{ name: string; confirmed: string | null }>`
    select name, case when email_verified then email end as confirmed from app_user where id = ${userId}`.execute(
    db,
  )
  return rows[0] ?? { name: '', confirmed: null }
}

export type RecipientLink = {
  id: number
  email: string
  state: 'waiting' | 'confirmed' | 'left'
  title: string
  owner: string
  schedule: Schedule | null
  /** Whether the owner's account is active. */
  isActive: boolean
}

/** Returns the recipient and the report of a link in a mail; undefined when the recipient no longer exists. */
export async function findRecipient(db: Db, token: string): Promise<RecipientLink | undefined> {
  const { rows } = await sql<RecipientLink>`
    select recipient.id, recipient.email, recipient.state, report.title, u.name as owner, report.schedule,
           u.status = 'ACTIVE' as "isActive"
      from report_recipient recipient
      join report on report.id = report_id
      join app_user u on u.id = report.user_id
     where recipient.token = ${token}`.execute(db)
  return rows[0]
}

/** Stores a recipient's answer, which also holds for later reports of the same owner. */
export async function answerInvitation(db: Db, id: number, state: 'confirmed' | 'left'): Promise<void> {
  const answered = sql`
    with answered as (
      update report_recipient set state = ${state}, answered_at = now() from report
       where report_recipient.id = ${id} and report.id = report_id
      returning user_id, ${hashOf(sql.ref('email'))} as email_hash)`
  await (state === 'left'
    ? sql`${answered} insert into report_refusal (user_id, email_hash) select * from answered on conflict do nothing`
    : sql`${answered} delete from report_refusal using answered
                       where report_refusal.user_id = answered.user_id and report_refusal.email_hash = answered.email_hash`
  ).execute(db)
}

const hashOf = (email: Expression<unknown>) => sql`sha256(convert_to(lower(${email}), 'UTF8'))`
