import { sql } from 'kysely'
import { createBrands } from '#features/brands/brands.sql.ts'
import { createCategories } from '#features/categories/categories.sql.ts'
import type { ProductLine, TakenCode } from '#features/imports/products/lines.rules.ts'
import type { Created } from '#features/imports/report.contract.ts'
import { kindNamed } from '#features/mappings/concordance.rules.ts'
import { createProductTypes } from '#features/product-types/product-types.sql.ts'
import type { Db } from '#server/db/pool.ts'

export type StagedLine = ProductLine & { line: number }

/** Creates the temporary table that holds a file until it is matched with the database. */
export async function createProductStaging(tx: Db): Promise<void> {
  await sql`create temp table staged (
    line integer, code text, name text, category text, type text, brand text, country text, weight text, format text,
    origin text, kind text, price numeric(14, 2), currency text, is_new boolean not null default false) on commit drop`.execute(
    tx,
  )
}

export async function stageLines(tx: Db, lines: readonly StagedLine[]): Promise<void> {
  await sql`
    insert into staged (line, code, name, category, type, kind, brand, country, weight, format, origin, price, currency)
    select line, code, name, category, type, kind, brand, country, weight, format, origin, price, currency
      from json_populate_recordset(null::staged, ${JSON.stringify(lines.map((line) => ({ ...line, kind: kindNamed(line.type) })))})`.execute(
    tx,
  )
}

/**
 * Blocks other writers of the catalogue until the transaction ends, so that what is found missing stays missing. Locks
 * the tables in the order in which imports of prices write them, to avoid deadlocks.
 */
export async function lockCatalogue(tx: Db): Promise<void> {
  await sql`lock table category, product_type, brand, product in share row exclusive mode`.execute(tx)
  await sql`analyze staged`.execute(tx)
}

/** Marks as new the first line of each code that no product has, nor had before it was merged into another. */
export async function markNew(tx: Db): Promise<void> {
  await sql`
    update staged set is_new = true where line in (
      select distinct on (fold(code)) line from staged
       where not exists (select from product where fold(product.code) = fold(staged.code))
         and not exists (select from product_alias where fold(product_alias.code) = fold(staged.code))
       order by fold(code), line)`.execute(tx)
}

/** Creates the categories, types and brands that new products need. */
export async function createMissingReferences(
  tx: Db,
): Promise<Pick<Created, 'categories' | 'types' | 'brands'>> {
  const newCategories = await createCategories(
    tx,
    sql`select category as name, null as description, line as place from staged where is_new`,
    'skip',
  )
  const newTypes = await createProductTypes(
    tx,
    sql`select type as name, category.id as category_id, staged.kind, line as place
          from staged join category on fold(category.name) = fold(staged.category) where is_new`,
    'skip',
  )
  const newBrands = await createBrands(
    tx,
    sql`select brand as name, country, line as place from staged where is_new and brand is not null`,
    'skip',
  )
  return { categories: newCategories.length, types: newTypes.length, brands: newBrands.length }
}

/** @returns the number inserted */
export async function insertNewProducts(tx: Db): Promise<number> {
  const { numAffectedRows } = await sql`
    insert into product (code, name, type_id, brand_id, weight, price, currency, origin, format)
    select code, staged.name, type.id, brand.id, weight, price, coalesce(currency, 'CDF'), origin, format
      from staged
      join category on fold(category.name) = fold(staged.category)
      join product_type type on type.category_id = category.id and fold(type.name) = fold(staged.type)
      left join brand on fold(brand.name) = fold(staged.brand)
     where is_new
     order by line`.execute(tx)
  return Number(numAffectedRows)
}

/**
 * Returns the lines whose code belongs to a product with other values. Names of referred rows are compared without case
 * or accents, the product's own texts exactly.
 */
export async function listTakenCodes(tx: Db): Promise<TakenCode[]> {
  const { rows } = await sql<TakenCode>`
    select * from (
      select staged.line, staged.code, first.line as first,
             array_to_string(array[staged.code, staged.name, staged.category, staged.type, staged.brand, staged.country,
               staged.weight, staged.format, staged.origin, staged.price::text, staged.currency], ';', '') as text,
             array_remove(array[
               case when product.name <> staged.name then 'name' end,
               case when fold(category.name) <> fold(staged.category) then 'category' end,
               case when fold(type.name) <> fold(staged.type) then 'type' end,
               case when fold(brand.name) is distinct from fold(staged.brand) then 'brand' end,
               case when product.weight <> staged.weight then 'weight' end,
               case when product.format <> staged.format then 'format' end,
               case when product.origin <> staged.origin then 'origin' end,
               case when product.price is distinct from staged.price then 'price' end,
               case when product.currency <> staged.currency then 'currency' end], null) as differences
        from staged
        join product on fold(product.code) = fold(staged.code)
        join product_type type on type.id = product.type_id
        join category on category.id = type.category_id
        left join brand on brand.id = product.brand_id
        left join staged first on first.is_new and fold(first.code) = fold(staged.code)
       where not staged.is_new) compared
     where differences <> '{}' order by line`.execute(tx)
  return rows
}
