import { sql } from 'kysely'
import { deleteUnused } from '#features/imports/prices/staging.sql.ts'
import { wfpSource } from '#features/imports/prices/wfp.rules.ts'
import { type RateCounts, writeRates } from '#features/imports/rates/imports.sql.ts'
import type { Author } from '#server/audit.sql.ts'
import type { Db } from '#server/db/pool.ts'

const parallel = 'unofficial|parall[eè]le'

// Each market gives a rate: the rate of the day is their median, of the official rates if there are any.
const rates = sql`
  select day, round(percentile_cont(0.5) within group (order by cents)::numeric / 100, 6) as cdf_per_usd,
         min(source) as source
    from (
      select day, cents, product.name ~* ${parallel} as is_parallel,
             bool_or(product.name !~* ${parallel}) over (partition by day) as has_official,
             case origin.source when ${wfpSource} then 'WFP' else origin.source end as source
        from staged_price price join staged_product product on product.key = price.product
        join staged_origin origin on origin.key = price.origin
       where product.kind = 'rate' and price.currency = 'CDF') observed
   where not (is_parallel and has_official)
   group by day`

/**
 * Removes the exchange rates from the staged prices, and writes them as rates; days with a rate from another source are
 * left unchanged.
 *
 * @returns the number of days added and revised, and of rows taken
 */
export async function moveRates(
  tx: Db,
  writing: { isDryRun: boolean; importId: number | null; author: Author },
): Promise<RateCounts & { rows: number }> {
  const ofRates = sql`product in (select key from staged_product where kind = 'rate')`
  const counted = await sql<{ n: number }>`select count(*) as n from staged_price where ${ofRates}`.execute(
    tx,
  )
  const rows = counted.rows[0]?.n ?? 0
  if (rows === 0) return { rows, added: 0, revised: 0 }
  const counts = await writeRates(tx, rates, { ...writing, replaces: 'same source' })
  await sql`delete from staged_price where ${ofRates}`.execute(tx)
  await deleteUnused(tx)
  return { rows, ...counts }
}
