import { type RawBuilder, sql } from 'kysely'
import { mostPlannedVisits, type PlannedVisit } from '#features/collection/plans/plans.contract.ts'
import { marketNamed } from '#features/markets/markets.sql.ts'
import type { Db } from '#server/db/pool.ts'

/** The current day in the time zone of most markets, and the Monday of its week. */
export const todayThere = sql`(now() at time zone 'Africa/Kinshasa')::date`
export const mondayThere = sql`date_trunc('week', ${todayThere}::timestamp)::date`

/** Returns the planned visits of all agents or of one, the most urgent first. */
export function listPlannedVisits(db: Db, userId?: number): Promise<PlannedVisit[]> {
  return read(
    db,
    sql`due.at > ${todayThere} - 8
        and ${userId === undefined ? sql`true` : sql`plan.user_id = ${userId}`}`,
  )
}

export async function findPlannedVisit(db: Db, id: number): Promise<PlannedVisit | undefined> {
  const [found] = await read(db, sql`plan.id = ${id}::bigint`)
  return found
}

async function read(db: Db, condition: RawBuilder<unknown>): Promise<PlannedVisit[]> {
  const { rows } = await sql<PlannedVisit>`
    select plan.id, json_build_object('id', agent.id, 'name', agent.name) as agent, ${marketNamed} as market, plan.day,
           plan.weekday, due.at as "dueOn",
           exists (select from planned_days(due.at, due.at) done
                    where done.plan_id = plan.id and done.is_done) as "isDone"
      from planned_visit plan
      join app_user agent on agent.id = plan.user_id
      join market on market.id = plan.market_id
     cross join lateral (select coalesce(plan.day, ${mondayThere} + plan.weekday - 1) as at) week
     cross join lateral (
       -- A weekly visit is not due on a day before it was planned, as planned_days() counts it.
       select week.at + case when plan.weekday is not null and week.at < (plan.created_at at time zone market.time_zone)::date
                             then 7 else 0 end as at) due
     where ${condition}
     order by due.at, market.name, plan.id limit ${mostPlannedVisits}`.execute(db)
  return rows
}

type Wanted = { agentId: number; marketId: number; day?: string | null; weekday?: number | null }

export async function updatePlannedVisit(tx: Db, id: number, wanted: Wanted): Promise<void> {
  await sql`
    update planned_visit
       set user_id = ${wanted.agentId}, market_id = ${wanted.marketId}, day = ${wanted.day ?? null},
           weekday = ${wanted.weekday ?? null}
     where id = ${id}::bigint`.execute(tx)
}

export async function insertPlannedVisit(tx: Db, wanted: Wanted): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into planned_visit (user_id, market_id, day, weekday)
    values (${wanted.agentId}, ${wanted.marketId}, ${wanted.day ?? null}, ${wanted.weekday ?? null})
    returning id`.execute(tx)
  return rows[0]?.id ?? 0
}
