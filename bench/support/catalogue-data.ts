import type { Database } from '#server/db/pool.ts'

/** Size of the data for benchmarks of the catalogue; about one price in a market every twelve days. */
export const catalogueShape = {
  categories: 20,
  types: 500,
  brands: 2_000,
  products: 100_000,
  markets: 5_000,
  days: 365,
}

const { categories, types, brands, products, markets, days } = catalogueShape

/** Fills an empty database with a large catalogue and some prices, through the same triggers as any writer. */
export async function fillCatalogue(pool: Database['pool']): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('set statement_timeout = 0')
    for (const statement of statements)
      await client.query({ text: statement, query_timeout: 2 ** 31 - 1 } as { text: string })
  } finally {
    client.release(true)
  }
}

// A hundred pairs of words: a search for one pair finds a hundredth of the rows.
const words = `
  create temp table word as
  select a || ' ' || b as words, row_number() over (order by a, b) - 1 as i
    from unnest(array['Maïs', 'Riz', 'Éclair', 'Farine', 'Savon', 'Huile', 'Haricot', 'Sucre', 'Sel', 'Thé']) a,
         unnest(array['étoile', 'du lac', 'parfumé', 'doré', 'Kivu', 'fin', 'royal', 'du fleuve', 'blanc', 'Équateur']) b`

const statements = [
  words,
  `insert into category (name) select 'Rayon ' || words from word where i < ${categories}`,
  `insert into product_type (name, category_id)
   select words || ' ' || n, (select min(id) from category) + n % ${categories}
     from generate_series(1, ${types}) n join word on i = n % 100`,
  `insert into brand (name, country)
   select words || ' ' || n, 'Pays ' || n % 30 from generate_series(1, ${brands}) n join word on i = n % 100`,
  `insert into product (code, name, type_id, brand_id, weight, price, origin, format)
   select 'P-' || n, words || ' ' || n * 7919 % ${products}, (select min(id) from product_type) + n % ${types},
          case when n % 50 > 0 then (select min(id) from brand) + n % ${brands} end, n % 40 + 1 || ' kg',
          case when n % 10 > 0 then 500 + n * 7919 % 90000 end, 'Pays ' || n % 30, 'Format ' || n % 20
     from generate_series(1, ${products}) n join word on i = n % 100`,
  `insert into market (name, location, province)
   select words || ' ' || n, 'Ville ' || n % 400, 'Province ' || n % 26
     from generate_series(1, ${markets}) n join word on i = n % 100`,
  `insert into price (product_id, market_id, price_value, collector_name, collected_at, observed_on, lane)
   select (select min(id) from product) + n * 7919 % ${products}, (select min(id) from market) + n % ${markets},
          500 + n % 9000, 'Collecteur', current_date - n / ${markets} * 12 + time '10:00', current_date - n / ${markets} * 12, 15
     from generate_series(0, ${Math.floor((markets * days) / 12) - 1}) n`,
  'vacuum analyze',
]
