import type { Database } from '#server/db/pool.ts'

/** Size of the data for benchmarks of prices: 200 markets, 500 products, 3 years, one price in fifty in dollars. */
export const shape = { markets: 200, products: 500, days: 3 * 365 }

const rowsPerStatement = 1_000_000

/**
 * Fills an empty database with a catalogue, rates and prices up to today, day after day, through the same triggers as
 * any writer. Each day quotes other series, each at most once.
 */
export async function fillPrices(pool: Database['pool'], count: number): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('set statement_timeout = 0')
    const patient = (text: string, values: unknown[] = []) =>
      client.query({ text, values, query_timeout: 2 ** 31 - 1 } as { text: string; values: unknown[] })
    await patient(catalogue)
    for (let start = 0; start < count; start += rowsPerStatement) {
      const end = Math.min(count, start + rowsPerStatement) - 1
      await patient(prices, [start, end, Math.ceil(count / shape.days)])
    }
    await patient('vacuum analyze')
  } finally {
    client.release(true)
  }
}

const catalogue = `
  insert into category (name) select 'Catégorie ' || i from generate_series(1, 8) i;
  insert into product_type (name, category_id)
  select 'Type ' || i, (select min(id) from category) + i % 8 from generate_series(1, 40) i;
  insert into brand (name, country) select 'Marque ' || i, 'RD Congo' from generate_series(1, 50) i;
  insert into product (code, name, type_id, brand_id, weight, origin, format)
  select 'P-' || i, 'Produit ' || i, (select min(id) from product_type) + i % 40, (select min(id) from brand) + i % 50,
         '1 kg', 'RD Congo', 'Sac' from generate_series(1, ${shape.products}) i;
  insert into market (name, location, province, time_zone)
  select 'Marché ' || i, 'Ville ' || i % 40, 'Kinshasa', 'Africa/Kinshasa' from generate_series(1, ${shape.markets}) i;
  insert into exchange_rate (day, cdf_per_usd)
  select current_date - i, 2000 + i % 700 from generate_series(0, ${shape.days}) i`

// 7919 and 101 have no common factor with the number of series, so that a day has each series at most once.
const prices = `
  insert into price (product_id, market_id, price_value, currency, collector_name, collected_at, observed_on, lane)
  select (select min(id) from product) + series / ${shape.markets}, (select min(id) from market) + series % ${shape.markets},
         case when in_dollars then 1 + i * 7919 % 90000 / 10000.0 else 500 + i * 7919 % 9000 + day end,
         case when in_dollars then 'USD' else 'CDF' end, 'Collecteur ' || i % 30,
         current_date - (${shape.days} - 1 - day) + time '10:00', current_date - (${shape.days} - 1 - day), 15
    from (select i, (i / $3)::int as day, ((i / $3) * 7919 + i % $3 * 101) % ${shape.markets * shape.products} as series
            from generate_series($1::bigint, $2::bigint) i) placed,
         lateral (select series / ${shape.markets} % 50 = 0 as in_dollars) priced
   order by day, series`
