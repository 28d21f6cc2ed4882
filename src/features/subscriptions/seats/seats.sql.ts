import { sql } from 'kysely'
import { rank } from '#features/subscriptions/access.sql.ts'
import type { Organisation, Seat } from '#features/subscriptions/seats/seats.contract.ts'
import { isoInstant } from '#server/db/instant.ts'
import type { Db } from '#server/db/pool.ts'

/** Number of seats of a user's current plan; 1 without. */
const seatsOf = (userId: unknown, at: Date) => sql<number>`
  coalesce((select max(plan.seats) from subscription s join plan on plan.id = s.plan_id
             where s.user_id = ${userId} and s.status = 'ACTIVE' and s.start_date <= ${at} and ${at} < s.end_date), 1)`

const owner = sql.ref('seat.owner_id')
const columns = (at: Date) => sql`
  seat.id, seat.email, member.name, ${isoInstant('seat.invited_at')} as "invitedAt", ${isoInstant('seat.expires_at')} as "expiresAt",
  ${isoInstant('seat.accepted_at')} as "acceptedAt",
  case when seat.user_id is not null then 'active' when seat.expires_at <= ${at} then 'expired' else 'invited' end as state,
  seat.user_id is null or ${rank} < ${seatsOf(owner, at)} as "isComprised"`

/** @param ownerId owner of the seat; null for any */
export async function findSeat(
  db: Db,
  id: number,
  ownerId: number | null,
  at: Date,
): Promise<Seat | undefined> {
  const { rows } = await sql<Seat>`
    select ${columns(at)} from seat left join app_user member on member.id = seat.user_id
     where seat.id = ${id}::bigint and (${ownerId}::integer is null or owner_id = ${ownerId})`.execute(db)
  return rows[0]
}

/** Returns the members and invitations of an owner: at most 500 seats of the plan, and old invitations. */
export async function listSeats(db: Db, ownerId: number, at: Date): Promise<Seat[]> {
  const { rows } = await sql<Seat>`
    select ${columns(at)} from seat left join app_user member on member.id = seat.user_id
     where owner_id = ${ownerId} order by accepted_at, seat.id limit 1000`.execute(db)
  return rows
}

type OwnSide = Pick<Organisation, 'plan' | 'seats' | 'coming' | 'membership'> & {
  ownEmail: string
  isEmailVerified: boolean
}

/** Returns a user's data as owner and as member. */
export async function getOwnSide(db: Db, userId: number, at: Date): Promise<OwnSide> {
  const { rows } = await sql<OwnSide>`
    with held as (
      select s.start_date, s.end_date, plan.name, plan.seats, next.name as next, next.seats as "nextSeats"
        from subscription s join plan on plan.id = s.plan_id left join plan next on next.id = s.next_plan_id
       where s.user_id = ${userId} and s.status = 'ACTIVE' and s.end_date > ${at})
    select u.email as "ownEmail", u.email_verified as "isEmailVerified", ${seatsOf(userId, at)} as seats,
           (select name from held where start_date <= ${at} order by seats desc limit 1) as plan,
           (select json_build_object('plan', name, 'seats', seats, 'at', ${isoInstant('at')}) from (
              select name, seats, start_date as at from held where start_date > ${at}
              union all
              select next, "nextSeats", end_date from held
               where next is not null and end_date = (select max(end_date) from held)) later
             where seats < ${seatsOf(userId, at)} order by at limit 1) as coming,
           (select json_build_object('owner', owner.name, 'acceptedAt', ${isoInstant('accepted_at')},
                     'isComprised', ${rank} < ${seatsOf(owner, at)},
                     'plan', (select plan.name from subscription s join plan on plan.id = s.plan_id
                               where s.user_id = seat.owner_id and s.status = 'ACTIVE' and s.start_date <= ${at} and ${at} < s.end_date
                               order by plan.seats desc limit 1))
              from seat join app_user owner on owner.id = seat.owner_id where seat.user_id = u.id) as membership
      from app_user u where u.id = ${userId}`.execute(db)
  return rows[0]!
}

/** Returns the invitations to the address of an account. */
export async function listInvitations(
  db: Db,
  userId: number,
  at: Date,
): Promise<Organisation['invitations']> {
  const { rows } = await sql<Organisation['invitations'][number]>`
    select seat.id, owner.name as owner, ${isoInstant('seat.expires_at')} as "expiresAt", seat.expires_at <= ${at} as "isExpired"
      from app_user u join seat on lower(seat.email) = lower(u.email) and seat.user_id is null
           join app_user owner on owner.id = seat.owner_id
     where u.id = ${userId} order by seat.id desc limit 20`.execute(db)
  return rows
}

/** Inserts an invitation, replacing any earlier one to the same address that was not accepted. @returns the id */
export async function insertInvitation(
  tx: Db,
  { ownerId, email, expiresAt }: { ownerId: number; email: string; expiresAt: Date },
  at: Date,
): Promise<number> {
  await sql`
    delete from seat where owner_id = ${ownerId} and lower(email) = lower(${email}) and user_id is null`.execute(
    tx,
  )
  const { rows } = await sql<{ id: number }>`
    insert into seat (owner_id, email, invited_at, expires_at) values (${ownerId}, ${email}, ${at}, ${expiresAt})
    returning id`.execute(tx)
  return rows[0]!.id
}

export type Invitation = { ownerId: number; owner: string; expiresAt: string; isMine: boolean }

/** Returns an invitation to the address of an account, accepted or not; undefined when it is to another address. */
export async function findInvitation(tx: Db, id: number, userId: number): Promise<Invitation | undefined> {
  const { rows } = await sql<Invitation>`
    select seat.owner_id as "ownerId", owner.name as owner, ${isoInstant('seat.expires_at')} as "expiresAt",
           seat.user_id is not null as "isMine"
      from seat join app_user owner on owner.id = seat.owner_id join app_user u on u.id = ${userId}
     where seat.id = ${id}::bigint and (seat.user_id = u.id or seat.user_id is null and lower(seat.email) = lower(u.email))`.execute(
    tx,
  )
  return rows[0]
}

export async function takeSeat(tx: Db, id: number, userId: number, at: Date): Promise<void> {
  await sql`update seat set user_id = ${userId}, accepted_at = ${at} where id = ${id}`.execute(tx)
}

/** @returns its id; undefined for a user without membership */
export async function findOwnSeat(tx: Db, userId: number): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`select id from seat where user_id = ${userId}`.execute(tx)
  return rows[0]?.id
}
