import { type RawBuilder, sql } from 'kysely'
import type { PriceDoubt } from '#features/prices/doubt/doubt.rules.ts'
import { readDoubts } from '#features/prices/doubt/doubt.sql.ts'
import type { Price } from '#features/prices/prices.contract.ts'
import type { Author } from '#server/audit.sql.ts'
import { isoInstant } from '#server/db/instant.ts'
import type { Db } from '#server/db/pool.ts'
import { contains, inFrench } from '#server/db/selection.ts'
import type { Currency } from '#shared/fields.ts'

/** A price as the API returns it, with its author instead of the field that depends on the caller. */
export type PriceRow = Omit<Price, 'canEdit'> & { writtenBy: number | null }

/** When and on which local day a price was collected. */
export type Collection = { collectedAt: string; observedOn: string; isFuture: boolean }

/** The fields of a new price that its author fills in. */
export type PriceInput = {
  productId: number
  marketId: number
  priceValue: number
  currency: Currency
  collectorName: string
  source: string | null
}

/**
 * Reads prices with the names of their products and markets.
 * @param chosen a query of ids (`id`) of prices: an index can answer it alone, and rows that it skips are not read
 * @param order by columns of `price`
 */
export async function readPrices(
  db: Db,
  chosen: RawBuilder<unknown>,
  order: RawBuilder<unknown> = sql`price.id`,
): Promise<PriceRow[]> {
  const { rows } = await sql<PriceRow>`
    ${shown(sql`(${chosen}) chosen join price on price.id = chosen.id`)} order by ${order}`.execute(db)
  return rows
}

/**
 * Returns the query of `PriceRow`.
 * @param prices the beginning of a `from` clause: rows of `price`, under that name
 */
function shown(prices: RawBuilder<unknown>): RawBuilder<PriceRow> {
  return sql`
    select price.id, price.product_id as "productId", price.market_id as "marketId",
           price.price_value as "priceValue", price.currency, price.collector_name as "collectorName", price.source,
           price.collected_at as "collectedAt", price.observed_on as "observedOn", price.flag,
           price.created_at as "createdAt", price.updated_at as "updatedAt", price.written_by as "writtenBy",
           exists (select from price_review review
                    where review.price_id = price.id and review.state in ('waiting', 'returned')) as "isUnderReview",
           exists (select from price_photo photo where photo.price_id = price.id) as "hasPhoto",
           json_build_object(
             'id', product.id, 'name', product.name, 'code', product.code, 'weight', product.weight,
             'format', product.format, 'price', product.price,
             'brand', case when brand.id is not null then json_build_object('id', brand.id, 'name', brand.name) end,
             'type', json_build_object('id', type.id, 'name', type.name,
               'category', json_build_object('id', category.id, 'name', category.name))) as product,
           json_build_object('id', market.id, 'name', market.name, 'location', market.location) as market
      from ${prices}
      join product on product.id = price.product_id
      join product_type type on type.id = product.type_id
      join category on category.id = type.category_id
      left join brand on brand.id = product.brand_id
      join market on market.id = price.market_id`
}

export async function findPrice(db: Db, id: number): Promise<PriceRow | undefined> {
  const [row] = await readPrices(db, sql`select ${id}::bigint as id`)
  return row
}

/**
 * Returns the instant and the local day of a collection at a market, or undefined when the market does not exist. Locks
 * the market's row until the transaction ends, so that its time zone cannot change in the meantime.
 * @param when an instant, a calendar day in the market's zone (now if that is today, else its noon), or null for now
 */
export async function locateCollection(
  tx: Db,
  marketId: number,
  when: string | null,
): Promise<Collection | undefined> {
  const isDay = when?.length === 10
  // JavaScript accepts UTC offsets that PostgreSQL refuses.
  const instant = when === null || isDay ? sql`now()` : sql`${new Date(when).toISOString()}::timestamptz`
  const collectedAt = isDay ? onDay(sql`${when}::date`) : instant
  const isFuture = isDay
    ? sql`${when}::date > (now() at time zone time_zone)::date`
    : sql`${instant} > now() + interval '5 minutes'`
  const { rows } = await sql<Collection>`
    select ${collectedAt}::timestamptz(3) as "collectedAt", ${isFuture} as "isFuture",
           (${collectedAt} at time zone time_zone)::date as "observedOn"
      from market where id = ${marketId} for share`.execute(tx)
  return rows[0]
}

/**
 * Returns the instant of a collection given only its day: now if the day is today, since the price has just been seen,
 * otherwise noon.
 */
function onDay(day: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`case ${day} when (now() at time zone time_zone)::date then now() else noon_of(${day}, time_zone) end`
}

export type NewPrice = PriceInput & {
  /** As in `locateCollection`. */
  when: string | null
  author: Author
  /** Doubts raised on the author's phone; the series is always checked as well. */
  doubt?: PriceDoubt | null
}

/** The price that was written, or why it was refused: an unknown product or market, or a collection in the future. */
export type Written = PriceRow | 'no product' | 'no market' | 'future'

/**
 * Writes prices, their reviews where they are doubtful, and their entries in the journal, in one statement: agents
 * write all day, and each further statement would add a round trip during which the locked rows stay locked. An entry
 * that cannot be written does not stop the others.
 * @returns in the order of `entries`
 */
export async function insertPrices(db: Db, entries: readonly NewPrice[]): Promise<Written[]> {
  const doubts = await readDoubts(db, entries)
  const { rows } = await sql<PriceRow & { hasProduct: boolean | null; isFuture: boolean; place: number }>`
    with asked as (select * from ${unnested(entries, doubts)}),
    located as (
      select asked.*, exists (select from product where product.id = asked.product_id) as has_product,
             case when day is null then coalesce(instant, now())
                  else ${onDay(sql`day`)} end as at,
             case when day is null then instant > now() + interval '5 minutes'
                  else day > (now() at time zone time_zone)::date end as is_future,
             time_zone
        from asked
             -- Looks up each market by its key: a join would read all of them for a single price.
       cross join lateral (select time_zone from market where market.id = asked.market_id for share) market),
    accepted as (
      select *, nextval('price_id_seq') as id, (at at time zone time_zone)::date as observed_on
        from located where has_product and is_future is not true order by place),
    price as (
      insert into price (id, product_id, market_id, price_value, currency, collector_name, source, collected_at,
                         observed_on, lane, written_by)
      overriding system value
      select id, product_id, market_id, price_value, currency, collector_name, source, at,
             observed_on, free_lane(observed_on), user_id
        from accepted
      returning *),
    review as (
      insert into price_review (price_id, product_id, market_id, observed_on, agent_id, reasons, evidence, price_value, currency)
      select id, product_id, market_id, observed_on, user_id,
             array(select jsonb_array_elements_text(doubt -> 'reasons')), doubt -> 'evidence', price_value, currency
        from accepted where doubt is not null),
    shown as (${shown(sql`price`)}),
    journal as (
      insert into audit_entry (action, entity, entity_id, after, user_id, request_id, address, user_agent)
      select 'create', 'prices', id,
             to_jsonb(shown) || jsonb_build_object(
               'isUnderReview', doubt is not null,
               'priceValue', trim_scale("priceValue"), 'collectedAt', ${isoInstant('collectedAt')},
               'createdAt', ${isoInstant('createdAt')}, 'updatedAt', ${isoInstant('updatedAt')}),
             user_id, request_id, address, user_agent
        from shown join accepted using (id))
    select located.has_product as "hasProduct", coalesce(located.is_future, false) as "isFuture", shown.*, asked.place
      from asked
      left join located using (place)
      left join accepted using (place)
      left join shown on shown.id = accepted.id
     order by asked.place`.execute(db)
  return rows.map(({ hasProduct, isFuture, place, ...price }) => {
    if (hasProduct === null) return 'no market'
    if (!hasProduct) return 'no product'
    // The statement does not see the rows that it writes itself.
    return isFuture ? 'future' : { ...price, isUnderReview: doubts[place - 1] != null }
  })
}

/**
 * Returns the entries as rows of a query, one array for each column, so that the text of the statement is the same for
 * any number of entries.
 */
function unnested(entries: readonly NewPrice[], doubts: readonly (PriceDoubt | null)[]): RawBuilder<unknown> {
  const column = <Value>(of: (entry: NewPrice) => Value) => sql`${entries.map(of)}`
  const isDay = (when: string | null) => when?.length === 10
  // JavaScript accepts UTC offsets that PostgreSQL refuses.
  const iso = (when: string | null) => (when === null || isDay(when) ? null : new Date(when).toISOString())
  return sql`unnest(
    ${column(({ productId }) => productId)}::integer[], ${column(({ marketId }) => marketId)}::integer[],
    ${column(({ priceValue }) => priceValue)}::numeric[], ${column(({ currency }) => currency)}::text[],
    ${column(({ collectorName }) => collectorName)}::text[], ${column(({ source }) => source)}::text[],
    ${column(({ when }) => iso(when))}::timestamptz[],
    ${column(({ when }) => (isDay(when) ? when : null))}::date[],
    ${column(({ author }) => author.actor?.userId ?? null)}::integer[],
    ${column(({ author }) => author.requestId)}::text[],
    ${column(({ author }) => author.address ?? null)}::text[], ${column(({ author }) => author.userAgent ?? null)}::text[],
    ${doubts.map((doubt) => doubt && JSON.stringify(doubt))}::jsonb[])
    with ordinality as asked (product_id, market_id, price_value, currency, collector_name, source, instant, day,
                              user_id, request_id, address, user_agent, doubt, place)`
}

/** Updates the given fields; the price keeps its lane. */
export async function updatePrice(
  tx: Db,
  id: number,
  changes: { [Field in keyof PriceInput]?: PriceInput[Field] | undefined },
  collection: Collection,
): Promise<void> {
  await tx
    .updateTable('price')
    .set({
      product_id: changes.productId,
      market_id: changes.marketId,
      price_value: changes.priceValue,
      currency: changes.currency,
      collector_name: changes.collectorName,
      source: changes.source,
      collected_at: collection.collectedAt,
      observed_on: collection.observedOn,
    })
    .where('id', '=', id)
    .execute()
}

/**
 * Returns the active users who may be named as the collector of a price, filtered by the letters typed: the caller
 * first, then the others in French order, at most 200.
 */
export async function listCollectors(
  db: Db,
  askedBy: number,
  search = '',
): Promise<{ id: number; name: string }[]> {
  return db
    .selectFrom('app_user')
    .select(['id', 'name'])
    .where('status', '=', 'ACTIVE')
    .where(contains(sql`fold(name)`, search))
    .where(({ eb, exists, or, selectFrom }) =>
      or([
        eb('app_user.id', '=', askedBy),
        exists(
          selectFrom('user_role')
            .innerJoin('role', 'role.id', 'user_role.role_id')
            .whereRef('user_role.user_id', '=', 'app_user.id')
            .where('role.name', 'in', ['collector', 'admin']),
        ),
      ]),
    )
    .orderBy(sql`app_user.id <> ${askedBy}`)
    .orderBy(inFrench('name'))
    .orderBy('id')
    .limit(200)
    .execute()
}
