import { sql } from 'kysely'
import { deleteUnused } from '#features/imports/prices/staging.sql.ts'
import type { Db } from '#server/db/pool.ts'

type Refused = { line: number; text: string }

/** What settled the decimal mark of the ambiguous amounts of a file; `open` when they remain ambiguous. */
export type DecimalSettled = {
  by: 'none' | 'column' | 'series' | 'open'
  mark: ',' | '.' | null
  refused: Refused[]
}

/**
 * Settles the staged amounts that can be read in two ways, such as `58,000`: by the decimal mark of the other amounts
 * of the file, if they agree; else by the last prices of the same products. Rows that stay ambiguous are removed from
 * staging.
 *
 * @param shown number of amounts of the file that show each decimal mark
 */
export async function settleAmounts(
  tx: Db,
  shown: { comma: number; point: number } | undefined,
): Promise<DecimalSettled> {
  const { rows } = await sql`select from staged_price where other_cents is not null limit 1`.execute(tx)
  if (rows.length === 0) return { by: 'none', mark: null, refused: [] }
  const ofColumn = markOf(shown ?? { comma: 0, point: 0 }, 0)
  const mark = ofColumn ?? markOf(await countNearer(tx), 0.1)
  if (mark === null) {
    const open = await sql<Refused>`
      delete from staged_price where other_cents is not null returning line, coalesce(text, '') as text`.execute(
      tx,
    )
    await deleteUnused(tx)
    return { by: 'open', mark, refused: open.rows.sort((a, b) => a.line - b.line) }
  }
  if (mark === '.') {
    await sql`update staged_price set cents = other_cents where other_cents is not null`.execute(tx)
  }
  return { by: ofColumn ? 'column' : 'series', mark, refused: [] }
}

/** Returns the mark that has all but a share of the votes, or null. */
function markOf({ comma, point }: { comma: number; point: number }, share: number): ',' | '.' | null {
  if (comma > 0 && point <= share * comma) return ','
  return point > 0 && comma <= share * point ? '.' : null
}

/**
 * Counts the ambiguous amounts that are nearer, with each decimal mark, to the last price of their series: in its
 * market, else in any market, else elsewhere in the file. An amount ten times away from it in both readings has no
 * vote.
 */
async function countNearer(tx: Db): Promise<{ comma: number; point: number }> {
  const { rows } = await sql<{ comma: number; point: number }>`
    with asked as (
      select distinct market, product, currency from staged_price where other_cents is not null limit 5000),
    series as materialized (
      select asked.*, coalesce(
        (select ln(price_value * 100) from price
          where product_id = any (products.ids) and market_id = any (markets.ids) and price.currency = asked.currency
          order by observed_on desc, id desc limit 1),
        (select ln(price_value * 100) from price
          where product_id = any (products.ids) and price.currency = asked.currency
          order by observed_on desc, id desc limit 1),
        (select avg(ln(cents)) from staged_price plain
          where plain.product = asked.product and plain.currency = asked.currency and other_cents is null)
      )::float8 as log
        from asked
        join staged_product on staged_product.key = asked.product
        join staged_market on staged_market.key = asked.market
       cross join lateral (
        select array_agg(id) as ids from product
         where fold(product.name) = fold(staged_product.name)
           and (staged_product.weight is null or fold(product.weight) = fold(staged_product.weight))) products
       cross join lateral (
        select array_agg(id) as ids from market where fold(market.name) = fold(staged_market.name)) markets),
    compared as (
      select abs(ln(cents) - log) as comma, abs(ln(other_cents) - log) as point
        from staged_price join series using (market, product, currency) where other_cents is not null)
    select count(*) filter (where comma < point)::int as comma, count(*) filter (where point < comma)::int as point
      from compared where least(comma, point) < ln(10)`.execute(tx)
  return rows[0] ?? { comma: 0, point: 0 }
}
