import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#server/db/pool.ts'

/** A join table of a many-to-many relation, with no other columns. */
type LinkTable = { table: string; owner: string; ownerId: string; other: string; otherId: string }

/** Returns SQL expressions that read the linked rows of an owner, and a function that writes them. */
export function links({ table, owner, ownerId, other, otherId }: LinkTable) {
  const [rows, mine, its] = [sql.table(table), sql.ref(`${table}.${ownerId}`), sql.ref(`${table}.${otherId}`)]
  const own = sql`${mine} = ${sql.ref(`${owner}.id`)}`
  return {
    count: sql<number>`(select count(*) from ${rows} where ${own})`,
    ids: sql<number[]>`array(select ${its} from ${rows} where ${own} order by ${its})`,
    /** @param shape JSON object built from the columns of each linked row */
    list: <Rows>(shape: RawBuilder<unknown>, order: RawBuilder<unknown>) => sql<Rows>`coalesce((
      select json_agg(${shape} order by ${order}) from ${rows} join ${sql.table(other)} on ${sql.ref(`${other}.id`)} = ${its}
       where ${own}), '[]')`,
    /** Replaces the linked rows of an owner by exactly these. */
    async set(tx: Db, id: number, ids: readonly number[]): Promise<void> {
      await sql`delete from ${rows} where ${mine} = ${id} and ${its} <> all(${ids}::integer[])`.execute(tx)
      await sql`insert into ${rows} (${sql.ref(ownerId)}, ${sql.ref(otherId)})
                select ${id}::integer, unnest(${ids}::integer[]) on conflict do nothing`.execute(tx)
    },
  }
}
