import { sql } from 'kysely'
import { demonstrationBrands, demonstrationCategories } from '#demonstration/facts/catalogue.ts'
import { cities, demonstrationMarkets, type MarketFacts } from '#demonstration/facts/places.ts'
import { demonstrationProducts } from '#demonstration/facts/products.ts'
import { idOf } from '#demonstration/ids.ts'
import type { Quote } from '#demonstration/quotes.ts'
import { timeZoneOfProvince } from '#features/markets/markets.rules.ts'
import type { Bulk } from '#server/db/bulk-transaction.ts'
import type { Db } from '#server/db/pool.ts'
import { withoutIndexes } from '#server/db/without-indexes.ts'

/** Source recorded with each made-up price and rate. */
const source = 'Données de démonstration'

/** Whether markets or products already exist, for instance from an import. */
export async function hasCatalogue(tx: Db): Promise<boolean> {
  const market = await tx.selectFrom('market').select('id').limit(1).executeTakeFirst()
  const product = await tx.selectFrom('product').select('id').limit(1).executeTakeFirst()
  return market !== undefined || product !== undefined
}

/**
 * Inserts categories, types, brands and products; returns the ids of the products by code.
 *
 * @param referencePrices in CDF, by code
 */
export async function insertCatalogue(
  tx: Db,
  createdAt: Date,
  referencePrices: Map<string, number>,
): Promise<Map<string, number>> {
  const dates = { created_at: createdAt, updated_at: createdAt }
  const insertedCategories = await tx
    .insertInto('category')
    .values(demonstrationCategories.map(({ name, description }) => ({ name, description, ...dates })))
    .returning(['id', 'name'])
    .execute()
  const categoryIds = new Map(insertedCategories.map(({ id, name }) => [name, id]))
  const insertedTypes = await tx
    .insertInto('product_type')
    .values(
      demonstrationCategories.flatMap(({ name: category, types }) =>
        types.map((name) => ({ name, category_id: idOf(categoryIds, category), ...dates })),
      ),
    )
    .returning(['id', 'name'])
    .execute()
  const typeIds = new Map(insertedTypes.map(({ id, name }) => [name, id]))
  const insertedBrands = await tx
    .insertInto('brand')
    .values(Object.entries(demonstrationBrands).map(([name, country]) => ({ name, country, ...dates })))
    .returning(['id', 'name'])
    .execute()
  const brandIds = new Map(insertedBrands.map(({ id, name }) => [name, id]))
  const insertedProducts = await tx
    .insertInto('product')
    .values(
      demonstrationProducts.map(({ code, name, type, brand, weight, format, origin }) => ({
        code,
        name,
        weight,
        format,
        origin,
        type_id: idOf(typeIds, type),
        brand_id: brand && idOf(brandIds, brand),
        price: referencePrices.get(code) ?? null,
        ...dates,
      })),
    )
    .returning(['id', 'code'])
    .execute()
  return new Map(insertedProducts.map(({ id, code }) => [code, id]))
}

/** Inserts the markets and returns their ids. */
export async function insertMarkets(tx: Db, createdAt: Date): Promise<Map<MarketFacts, number>> {
  const ids = new Map<MarketFacts, number>()
  for (const market of demonstrationMarkets) {
    const { province } = cities[market.city]
    const { id } = await tx
      .insertInto('market')
      .values({
        name: market.name,
        location: market.city,
        province,
        latitude: market.latitude,
        longitude: market.longitude,
        time_zone: timeZoneOfProvince(province),
        created_at: createdAt,
        updated_at: createdAt,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    ids.set(market, id)
  }
  return ids
}

/** Inserts the exchange rates, except those of days that already have one. */
export async function insertRates(tx: Db, rates: readonly { day: string; rate: number }[]): Promise<void> {
  await tx
    .insertInto('exchange_rate')
    .values(rates.map(({ day, rate }) => ({ day, cdf_per_usd: rate, source })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export type Ids = {
  products: Map<string, number>
  markets: Map<MarketFacts, number>
  users: Map<string, number>
}

/** Copies the quotes into the database as the generator yields them, and returns their number. */
export async function copyPrices({ tx, copy }: Bulk, quotes: Iterable<Quote>, ids: Ids): Promise<number> {
  let count = 0
  function* lines(): Generator<string> {
    for (const quote of quotes) {
      count += 1
      yield line(quote, ids)
    }
  }
  // biome-ignore format: in the order of the values below
  const columns = ['product_id', 'market_id', 'written_by', 'price_value', 'currency', 'collector_name', 'source', 'collected_at', 'observed_on', 'lane', 'created_at', 'updated_at']
  await withoutIndexes(tx, 'price', () => copy(`price (${columns})`, lines()))
  return count
}

// The lane of the rollups that is reserved for bulk loads.
const bulkLane = 15

function line(quote: Quote, ids: Ids): string {
  const { product, market, collector, value, currency, observedOn } = quote
  const createdAt = new Date(quote.createdAt).toISOString()
  const written = `${idOf(ids.products, product.code)}\t${idOf(ids.markets, market)}\t${idOf(ids.users, collector.email)}`
  const what = `${value}\t${currency}\t${collector.name}\t${source}`
  return `${written}\t${what}\t${new Date(quote.collectedAt).toISOString()}\t${observedOn}\t${bulkLane}\t${createdAt}\t${createdAt}\n`
}

/** Updates the statistics of the query planner immediately instead of waiting minutes for autovacuum. */
export async function analyze(tx: Db): Promise<void> {
  await sql`analyze`.execute(tx)
}
