import { sql } from 'kysely'
import type { Channel } from '#features/channels/channels.rules.ts'
import { proofMinutes } from '#features/channels/channels.rules.ts'
import { isoInstant } from '#server/db/instant.ts'
import type { Db } from '#server/db/pool.ts'

export type ChannelAddress = {
  channel: Channel
  address: string | null
  confirmedAt: string | null
  stoppedBecause: 'asked' | 'unreachable' | null
}

export async function listAddresses(db: Db, userId: number): Promise<ChannelAddress[]> {
  const { rows } = await sql<ChannelAddress>`
    select channel, address, ${isoInstant('confirmed_at')} as "confirmedAt", stopped_because as "stoppedBecause"
      from channel_address where user_id = ${userId}`.execute(db)
  return rows
}

/** Returns a condition in SQL: whether the account `u` receives messages of a channel. */
export function isReachableBy(channel: Channel) {
  return sql`exists (select from channel_address where user_id = u.id and channel = ${channel}
                        and confirmed_at is not null and stopped_at is null)`
}

/** Stores the secret that confirms an address, replacing the previous one. */
export async function storeProof(
  tx: Db,
  {
    userId,
    channel,
    proof,
    address,
  }: { userId: number; channel: Channel; proof: Buffer; address: string | null },
): Promise<void> {
  const until = sql`now() + make_interval(mins => ${proofMinutes})`
  await sql`
    insert into channel_address (user_id, channel, proof, proof_until, wanted_address)
    values (${userId}, ${channel}, ${proof}, ${until}, ${address})
    on conflict (user_id, channel) do update
      set proof = excluded.proof, proof_until = excluded.proof_until, wanted_address = excluded.wanted_address, tries = 0`.execute(
    tx,
  )
}

/** Returns the user of a valid link. */
export async function findByProof(
  tx: Db,
  channel: Channel,
  proof: Buffer,
): Promise<{ id: number; userId: number } | undefined> {
  const { rows } = await sql<{ id: number; userId: number }>`
    select id, user_id as "userId" from channel_address
     where channel = ${channel} and proof = ${proof} and proof_until > now() for update`.execute(tx)
  return rows[0]
}

/** Counts a try of a code. @returns the expected code and the number of tries; undefined when no code is expected */
export async function countTry(
  tx: Db,
  userId: number,
  channel: Channel,
): Promise<{ id: number; proof: Buffer; address: string; tries: number } | undefined> {
  const { rows } = await sql<{ id: number; proof: Buffer; address: string; tries: number }>`
    update channel_address set tries = tries + 1
     where user_id = ${userId} and channel = ${channel} and proof is not null and proof_until > now()
       and wanted_address is not null
    returning id, proof, wanted_address as address, tries`.execute(tx)
  return rows[0]
}

/** Stores a confirmed address, and removes it from any other account. */
export async function confirmAddress(
  tx: Db,
  { id, channel, address }: { id: number; channel: Channel; address: string },
): Promise<void> {
  await sql`delete from channel_address where channel = ${channel} and address = ${address} and id <> ${id}`.execute(
    tx,
  )
  await sql`
    update channel_address
       set address = ${address}, confirmed_at = now(), stopped_at = null, stopped_because = null,
           proof = null, proof_until = null, wanted_address = null, tries = 0
     where id = ${id}`.execute(tx)
}

/** Returns whether the user has confirmed the address so recently that the answer may have been lost. */
export async function isJustConfirmed(tx: Db, userId: number, channel: Channel): Promise<boolean> {
  const { rows } = await sql`
    select from channel_address
     where user_id = ${userId} and channel = ${channel} and proof is null and stopped_at is null
       and confirmed_at > now() - make_interval(mins => ${proofMinutes})`.execute(tx)
  return rows.length > 0
}

/** Stops messages to an address. @returns the user; undefined when it has none, or is stopped already */
export async function stopAddress(
  tx: Db,
  channel: Channel,
  address: string,
  because: 'asked' | 'unreachable',
): Promise<number | undefined> {
  const { rows } = await sql<{ userId: number }>`
    update channel_address set stopped_at = now(), stopped_because = ${because}
     where channel = ${channel} and address = ${address} and stopped_at is null
    returning user_id as "userId"`.execute(tx)
  return rows[0]?.userId
}

export async function stopChannelOf(tx: Db, userId: number, channel: Channel): Promise<void> {
  await sql`
    update channel_address set stopped_at = now(), stopped_because = 'asked'
     where user_id = ${userId} and channel = ${channel} and stopped_at is null`.execute(tx)
}

/** @returns whether the user had an address */
export async function forgetAddress(tx: Db, userId: number, channel: Channel): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from channel_address where user_id = ${userId} and channel = ${channel}`.execute(tx)
  return Number(numAffectedRows ?? 0) > 0
}
