import { sql } from 'kysely'
import { expect } from 'vitest'
import type { Db } from '#server/db/pool.ts'

const sums = {
  n: 'count(*)',
  total: 'sum(price_value)',
  lowest: 'min(price_value)',
  highest: 'max(price_value)',
  sum_log: 'sum(log_value)',
}
const daily = [
  {
    table: 'price_day',
    keys: ['day', 'currency', 'lane'],
    figures: { ...sums, last_collected_at: 'max(collected_at)' },
  },
  { table: 'price_day_product', keys: ['product_id', 'day', 'currency', 'lane'], figures: sums },
  { table: 'price_day_market', keys: ['market_id', 'day', 'currency', 'lane'], figures: sums },
]

/** Compares every cell of every rollup with sums of the raw prices, computed by the plainest query. */
export async function expectExactRollups(db: Db): Promise<void> {
  for (const { table, keys, figures } of daily) {
    const fresh = Object.entries(figures).map(([name, figure]) => `${figure} as ${name}`)
    const raw = `select ${fresh}, ${keys} from (select *, observed_on as day from price) price group by ${keys}`
    expect(await differences(db, table, keys, Object.keys(figures), raw), table).toEqual([])
  }
  const keys = ['week', 'product_id', 'market_id', 'currency', 'lane']
  const raw = `
    select ${keys}, count(*) as n, sum(log_value + log_rate) as sum_log_cdf from (
      select price.*, date_trunc('week', observed_on)::date as week,
             case currency when 'CDF' then 0 else (select log_rate from exchange_rate
               where day = (select max(day) from exchange_rate where day <= observed_on)) end as log_rate
        from price) price where log_rate is not null group by ${keys}`
  expect(await differences(db, 'price_week_series', keys, ['n', 'sum_log_cdf'], raw), 'weeks').toEqual([])
}

// An emptied cell is left in the table and counts as absent, but all its figures must be 0.
async function differences(db: Db, table: string, keys: string[], figures: string[], raw: string) {
  const isEmpty = figures.map((figure) => `coalesce(${figure}::text, '0') ~ '^0[.0]*$'`).join(' and ')
  const tuple = (alias: string) => `(${figures.map((figure) => `${alias}.${figure}`)})`
  const { rows } = await sql
    .raw(
      `select to_jsonb(cell) as cell, to_jsonb(fresh) as fresh from (${raw}) fresh
         full join (select * from ${table} where not (${isEmpty})) cell using (${keys})
        where ${tuple('fresh')} is distinct from ${tuple('cell')} limit 5`,
    )
    .execute(db)
  return rows
}
