import { sql } from 'kysely'
import { exchangeRates } from '#features/rates/rates.contract.ts'
import type { Db } from '#server/db/pool.ts'
import { defineRows } from '#server/db/rows.ts'
import { hasWords, inFrench, isAtLeast, isAtMost } from '#server/db/selection.ts'
import type { BodyOf } from '#shared/contract.ts'
import type { ChangeOf } from '#shared/resource.ts'

const columns = [
  'id',
  'day',
  'cdf_per_usd as cdfPerUsd',
  'source',
  'created_at as createdAt',
  'updated_at as updatedAt',
] as const
const sorts = { day: sql`day`, cdfPerUsd: sql`cdf_per_usd`, source: inFrench('source') }

export const rateRows = defineRows(exchangeRates, {
  table: 'exchange_rate',
  columns,
  sorts,
  defaultSort: '-day',
  from: (db: Db) => db.selectFrom('exchange_rate'),
  filters: {
    search: hasWords(sql`fold(coalesce(source, ''))`),
    startDate: isAtLeast('day'),
    endDate: isAtMost('day'),
  },
})

/** Returns the rate in force at an instant; undefined before the first one. */
export async function findRateAt(db: Db, at: Date): Promise<{ day: string; cdfPerUsd: number } | undefined> {
  const day = sql<string>`(${at.toISOString()}::timestamptz at time zone 'Africa/Kinshasa')::date`
  return db
    .selectFrom('exchange_rate')
    .select(['day', 'cdf_per_usd as cdfPerUsd'])
    .where('day', '<=', day)
    .orderBy('day', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Inserts a rate. Triggers recompute the cells that depend on the rates of the days on which it is in force. */
export async function insertRate(tx: Db, input: BodyOf<typeof exchangeRates.create>): Promise<number> {
  const { day, cdfPerUsd, source } = input
  const { id } = await tx
    .insertInto('exchange_rate')
    .values({ day, cdf_per_usd: cdfPerUsd, source: source ?? null })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function updateRate(
  tx: Db,
  id: number,
  { day, cdfPerUsd, source }: ChangeOf<typeof exchangeRates>,
): Promise<void> {
  await tx
    .updateTable('exchange_rate')
    .set({ day, cdf_per_usd: cdfPerUsd, source })
    .where('id', '=', id)
    .execute()
}
