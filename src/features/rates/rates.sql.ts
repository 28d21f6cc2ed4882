import type { Db } from '#server/db/pool.ts'

/** CDF for one US dollar on a day. */
export type Rate = { day: string; cdfPerUsd: number; source: string | null }

/** The rate in force on a day, `yyyy-mm-dd`: that day's, else the last known before it; undefined before the first. */
export async function findRate(db: Db, day: string): Promise<Rate | undefined> {
  return db
    .selectFrom('exchange_rate')
    .select(['day', 'cdf_per_usd as cdfPerUsd', 'source'])
    .where('day', '<=', day)
    .orderBy('day', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Sets or corrects the rate of a day. Triggers recompute what rests on it. */
export async function upsertRate(tx: Db, { day, cdfPerUsd, source }: Rate): Promise<void> {
  const rate = { cdf_per_usd: cdfPerUsd, source }
  await tx
    .insertInto('exchange_rate')
    .values({ day, ...rate })
    .onConflict((conflict) => conflict.column('day').doUpdateSet(rate))
    .execute()
}

export async function deleteRate(tx: Db, day: string): Promise<void> {
  await tx.deleteFrom('exchange_rate').where('day', '=', day).execute()
}
