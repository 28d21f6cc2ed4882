import { sql } from 'kysely'
import { createBrands } from '#features/brands/brands.sql.ts'
import { createCategories } from '#features/categories/categories.sql.ts'
import type { Created } from '#features/imports/report.contract.ts'
import { createProductTypes } from '#features/product-types/product-types.sql.ts'
import type { Db } from '#server/db/pool.ts'

/** Assigns to every staged market its id, creating the missing ones. Names are compared without case or accents. */
export async function resolveMarkets(tx: Db): Promise<Pick<Created, 'markets'>> {
  await matchMarkets(tx)
  const { numAffectedRows } = await sql`
    insert into market (name, location, province, latitude, longitude, time_zone)
    select distinct on (fold(name), fold(location)) name, location, province, latitude, longitude, time_zone
      from staged_market staged where id is null and not exists (
        select from staged_market other where other.wfp_id = staged.wfp_id and other.key < staged.key)
     order by fold(name), fold(location), key
    on conflict do nothing`.execute(tx)
  await matchMarkets(tx)
  await sql`update staged_market staged set time_zone = market.time_zone
    from market where market.id = staged.id and market.time_zone <> staged.time_zone`.execute(tx)
  return { markets: Number(numAffectedRows) }
}

/**
 * Locks the staged markets until the transaction ends, so that a change of time zone cannot miss the prices it has
 * written. Call it last in a long transaction: nobody can edit these markets meanwhile.
 *
 * @returns whether all their time zones are still those by which the prices were dated
 */
export async function lockTimeZones(tx: Db): Promise<boolean> {
  const { rows } = await sql<{ isSame: boolean }>`
    select market.time_zone = staged.time_zone as "isSame"
      from staged_market staged join market on market.id = staged.id
     order by market.id for share of market`.execute(tx)
  return rows.every(({ isSame }) => isSame)
}

// WFP's number of a market first, so that a renamed market is still matched; the others by name.
async function matchMarkets(tx: Db): Promise<void> {
  await matchNumberedMarkets(tx)
  await sql`update staged_market staged set id = market.id from market
    where staged.id is null
      and fold(market.name) = fold(staged.name) and fold(market.location) = fold(staged.location)`.execute(tx)
  await sql`insert into wfp_market (wfp_id, market_id)
    select distinct on (wfp_id) wfp_id, id from staged_market where wfp_id is not null and id is not null order by wfp_id, key
    on conflict do nothing`.execute(tx)
  await matchNumberedMarkets(tx)
}

async function matchNumberedMarkets(tx: Db): Promise<void> {
  await sql`update staged_market staged set id = wfp.market_id from wfp_market wfp
    where staged.id is null and wfp.wfp_id = staged.wfp_id`.execute(tx)
}

/**
 * Assigns to every staged product its id, creating the missing ones with their category, type and brand: by its code if
 * it has one, also that of a product merged into another, else by its name, weight and format, preferring products without a brand.
 */
export async function resolveProducts(tx: Db): Promise<Omit<Created, 'markets'>> {
  const created = { categories: 0, types: 0, brands: 0, products: 0 }
  // Rows that another transaction creates meanwhile under the same name or code are matched at the next attempt.
  for (let attempt = 1; (await matchProducts(tx)) > 0; attempt++) {
    if (attempt > attempts) throw new Error('products of a price file could neither be found nor created')
    created.categories += (
      await createCategories(
        tx,
        sql`
      select category as name, null as description, key as place from staged_product where id is null`,
        'skip',
      )
    ).length
    created.types += (
      await createProductTypes(
        tx,
        sql`
      select type as name, category.id as category_id, kind, key as place
        from staged_product staged join category on fold(category.name) = fold(staged.category)
       where staged.id is null`,
        'skip',
      )
    ).length
    created.brands += (
      await createBrands(
        tx,
        sql`
      select brand as name, brand_country as country, key as place
        from staged_product where id is null and brand is not null`,
        'skip',
      )
    ).length
    created.products += await createProducts(tx)
  }
  return created
}

const attempts = 3

const matchNumberedProducts = (tx: Db) =>
  sql`update staged_product staged set id = wfp.product_id from wfp_product wfp
    where staged.id is null and wfp.wfp_id = staged.wfp_id and wfp.unit = fold(staged.weight)
      and wfp.format = fold(staged.format)`.execute(tx)

/** @returns the number of staged products still without a product */
async function matchProducts(tx: Db): Promise<number> {
  await matchNumberedProducts(tx)
  await sql`update staged_product staged set id = product.id from product
    where staged.id is null and staged.code is not null and fold(product.code) = fold(staged.code)`.execute(
    tx,
  )
  await sql`update staged_product staged set id = alias.product_id from product_alias alias
    where staged.id is null and staged.code is not null and fold(alias.code) = fold(staged.code)`.execute(tx)
  await sql`update staged_product staged set id = (
      select product.id from product
       where fold(product.name) = fold(staged.name) and fold(product.weight) = fold(staged.weight)
         and fold(product.format) = fold(staged.format)
       order by product.brand_id is not null, product.id limit 1)
    where staged.id is null and staged.code is null`.execute(tx)
  await sql`insert into wfp_product (wfp_id, unit, format, product_id)
    select distinct on (wfp_id, fold(weight), fold(format)) wfp_id, fold(weight), fold(format), id
      from staged_product where wfp_id is not null and id is not null order by wfp_id, fold(weight), fold(format), key
    on conflict do nothing`.execute(tx)
  await matchNumberedProducts(tx)
  const { rows } = await sql<{
    n: number
  }>`select count(*) as n from staged_product where id is null`.execute(tx)
  return rows[0]?.n ?? 0
}

// If its code is taken, or wanted by two new products, a product gets a code with a digest of its name.
async function createProducts(tx: Db): Promise<number> {
  const { numAffectedRows } = await sql`
    with missing as (
      select distinct on (fold(code), by_name.name, by_name.weight, by_name.format) staged.*
        from staged_product staged
        left join lateral (select fold(staged.name) as name, fold(staged.weight) as weight, fold(staged.format) as format)
          by_name on staged.code is null
       where staged.id is null and not exists (
         select from staged_product other where other.wfp_id = staged.wfp_id and other.key < staged.key
            and fold(other.weight) = fold(staged.weight) and fold(other.format) = fold(staged.format))
       order by fold(code), by_name.name, by_name.weight, by_name.format, key),
    ranked as (
      select missing.*, row_number() over (partition by fold(new_code) order by code is null, key) as rank from missing)
    insert into product (code, name, type_id, brand_id, weight, origin, format)
    select case
             when rank = 1 and not exists (select from product where fold(product.code) = fold(new_code)) then new_code
             else new_code || '-' || left(md5(concat_ws(e'\\x1f', fold(ranked.name), fold(weight), fold(format))), 8)
           end,
           ranked.name, type.id, brand.id, weight, origin, format
      from ranked
      join category on fold(category.name) = fold(ranked.category)
      join product_type type on type.category_id = category.id and fold(type.name) = fold(ranked.type)
      left join brand on fold(brand.name) = fold(ranked.brand)
     order by key
    on conflict do nothing`.execute(tx)
  return Number(numAffectedRows)
}
