// Exchange rates, written without the API.
import type { Db } from '#server/db/pool.ts'

export type DayRate = { day: string; cdfPerUsd: number }

/** Sets or corrects the rate of a day. */
export async function setRate(db: Db, { day, cdfPerUsd }: DayRate): Promise<void> {
  await db
    .insertInto('exchange_rate')
    .values({ day, cdf_per_usd: cdfPerUsd })
    .onConflict((conflict) => conflict.column('day').doUpdateSet({ cdf_per_usd: cdfPerUsd }))
    .execute()
}

export async function forgetRate(db: Db, day: string): Promise<void> {
  await db.deleteFrom('exchange_rate').where('day', '=', day).execute()
}
