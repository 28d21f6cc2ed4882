import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import { type Product, products } from '#features/products/products.contract.ts'
import { priceTypes } from '#features/products/products.rules.ts'
import { lockContent } from '#server/db/lock-content.ts'
import type { Db } from '#server/db/pool.ts'
import { defineRows } from '#server/db/rows.ts'
import {
  countOf,
  countReferences,
  hasWords,
  inFrench,
  isAtLeast,
  isAtMost,
  isId,
  isText,
  isValue,
  offsetOf,
} from '#server/db/selection.ts'
import type { Tables } from '#server/db/tables.ts'
import { mostTouchedIds, type Touched, touchedBy } from '#server/db/touched.ts'
import type { Use } from '#server/writes.ts'
import type { BodyOf, QueryOf } from '#shared/contract.ts'

type Input = Omit<BodyOf<typeof products.create>, 'image'>

const type = sql<Product['type']>`json_build_object('id', product_type.id, 'name', product_type.name,
  'category', json_build_object('id', category.id, 'name', category.name))`
const brand = sql<Product['brand']>`case when brand.id is not null
  then json_build_object('id', brand.id, 'name', brand.name, 'country', brand.country) end`
const columns = [
  'product.id',
  'product.code',
  'product.name',
  'product.type_id as typeId',
  type.as('type'),
  'product.brand_id as brandId',
  brand.as('brand'),
  'product.weight',
  'product.price',
  sql<Product['currency']>`product.currency`.as('currency'),
  'product.origin',
  'product.format',
  sql<string | null>`'/uploads/' || product.image || '.webp'`.as('image_url'),
  'product.created_at',
  'product.updated_at',
] as const
// Summed from the daily rollup: counting prices one by one would read millions of them.
const counts = sql<Product['_count']>`json_build_object('prices', (
  select coalesce(sum(n), 0) from price_day_product where product_id = product.id))`.as('_count')
const sorts = {
  code: inFrench('product.code'),
  name: inFrench('product.name'),
  type: inFrench('product_type.name'),
  category: inFrench('category.name'),
  brand: inFrench('brand.name'),
  price: sql`product.price`,
  origin: inFrench('product.origin'),
  format: inFrench('product.format'),
  created_at: sql`product.created_at`,
}

export const productRows = defineRows(products, {
  table: 'product',
  columns: [...columns, counts],
  sorts,
  defaultSort: 'name',
  from: (db: Db) => withNames(db.selectFrom('product')),
  filters: {
    search: hasWords(sql`product.folded`),
    typeId: isId('product.type_id'),
    brandId: isId('product.brand_id'),
    branded: (branded) => (branded ? sql`product.brand_id is not null` : sql`product.brand_id is null`),
    categoryId: (id) =>
      sql`product.type_id in (select type.id from product_type type where type.category_id = ${id}::bigint)`,
    minPrice: isAtLeast('product.price'),
    maxPrice: isAtMost('product.price'),
    currency: isValue('product.currency'),
    origin: isText('product.origin'),
    format: isText('product.format'),
  },
})

/** Returns the query of the selected products, without order and without names of related rows. */
export function selectProducts(db: Db, query: QueryOf<typeof products.figures>): Joined {
  return db.selectFrom('product').where(productRows.conditionOf(query))
}

const mostSorted = 10_000

/** Weight of a row of `product` as shown after its name, like `weightShown`. */
export const weightNamed = sql<string>`
  product.weight || case when lower(product.format) in (${sql.join(priceTypes.map((type) => sql.lit(type)))})
                         then ', ' || lower(product.format) else '' end`

/** JSON name of a row of `product`: its id, name and weight as shown. */
export const productNamed = sql`json_build_object('id', product.id, 'name', product.name, 'weight', ${weightNamed})`

/**
 * Returns a page of products, read from the nearer end of the list, so that the last page costs as much as the first.
 */
export async function listProducts(db: Db, query: QueryOf<typeof products.list>) {
  const { limit, sort } = query
  const selection = selectProducts(db, query)
  const total = productRows.isWhole(query) ? await countAll(db) : await countOf(selection)
  const offset = offsetOf(query)
  const isFromEnd = offset > total / 2
  const order = (fromEnd: boolean) => orderBy(sort, fromEnd)
  // A small selection is filtered first, then sorted: scanning the index of the order could reach the rows only at its
  // end.
  const found = total > mostSorted ? selection : db.selectFrom(selection.selectAll().offset(0).as('product'))
  // Names are joined only to the products of the page, unless the order needs them.
  const page = (isByName(sort) ? withNames(found) : found)
    .select('product.id')
    .orderBy(order(isFromEnd))
    .limit(isFromEnd ? Math.max(0, Math.min(limit, total - offset)) : limit)
    .offset(isFromEnd ? Math.max(0, total - offset - limit) : offset)
  const rows = await withNames(db.selectFrom('product'))
    .where('product.id', 'in', page)
    .select([...columns, counts])
    .orderBy(order(false))
    .execute()
  return { rows, total }
}

/** Returns the number of products, from the counts stored per type. */
async function countAll(db: Db): Promise<number> {
  const { total } = await db
    .selectFrom('product_count')
    .select(({ fn, lit }) => fn.coalesce(fn.sum<number>('n'), lit(0)).as('total'))
    .executeTakeFirstOrThrow()
  return total
}

/** @param image hash of its picture */
export async function insertProduct(tx: Db, input: Input, image: string | null): Promise<number> {
  const { typeId, brandId, ...product } = input
  const { id } = await tx
    .insertInto('product')
    .values({ ...product, type_id: typeId, brand_id: brandId, image })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** @param image hash of its new picture, null to remove it, undefined to leave it */
export async function updateProduct(
  tx: Db,
  id: number,
  changes: Partial<Omit<Input, 'brandId'>> & { brandId?: number | null | undefined },
  image: string | null | undefined,
): Promise<void> {
  const { typeId, brandId, ...product } = changes
  await tx
    .updateTable('product')
    .set({ ...product, type_id: typeId, brand_id: brandId, image })
    .where('id', '=', id)
    .execute()
}

/** @returns the hash of its picture */
export async function deleteProduct(tx: Db, id: number): Promise<string | null> {
  const { image } = await tx
    .deleteFrom('product')
    .where('id', '=', id)
    .returning('image')
    .executeTakeFirstOrThrow()
  return image
}

/** Number of prices moved by one statement, far below its time limit. */
const mostMoved = 2_000

async function movePrices(tx: Db, id: number, intoId: number): Promise<Touched> {
  const all: Touched = { count: 0, ids: [] }
  for (let moved = mostMoved; moved === mostMoved; ) {
    const { count, ids } = await touchedBy(
      tx,
      sql`update price set product_id = ${intoId}
           where id in (select id from price where product_id = ${id} order by id limit ${mostMoved}) returning id`,
    )
    moved = count
    all.count += count
    all.ids = [...all.ids, ...ids].slice(0, mostTouchedIds)
  }
  return all
}

/**
 * Moves the prices and the followers of a product to another, and deletes it. Its picture is moved too, if the other
 * has none.
 * @returns the hash of its picture
 */
export async function mergeProduct(
  tx: Db,
  id: number,
  intoId: number,
): Promise<{ prices: Touched; image: string | null }> {
  const prices = await movePrices(tx, id, intoId)
  await tx.updateTable('wfp_product').set({ product_id: intoId }).where('product_id', '=', id).execute()
  // A user who follows both keeps the follow of the remaining product.
  await sql`
    update follow set product_id = ${intoId}
     where product_id = ${id} and not exists (
       select from follow other where other.user_id = follow.user_id and other.product_id = ${intoId}
          and other.market_id is not distinct from follow.market_id)`.execute(tx)
  await sql`
    update market_list set product_id = ${intoId}
     where product_id = ${id} and not exists (
       select from market_list other
        where other.market_id = market_list.market_id and other.product_id = ${intoId})`.execute(tx)
  for (const table of ['alert_rule', 'alert_event', 'share', 'collection_entry', 'price_review'] as const) {
    await tx.updateTable(table).set({ product_id: intoId }).where('product_id', '=', id).execute()
  }
  await sql`select move_selections('productId', ${id}, ${intoId})`.execute(tx)
  await moveNames(tx, id, intoId)
  await tx.updateTable('merged_product').set({ product_id: intoId }).where('product_id', '=', id).execute()
  await tx.insertInto('merged_product').values({ id, product_id: intoId }).execute()
  const image = await deleteProduct(tx, id)
  if (image !== null) {
    await lockContent(tx, image)
    await tx
      .updateTable('product')
      .set({ image })
      .where('id', '=', intoId)
      .where('image', 'is', null)
      .execute()
  }
  return { prices, image }
}

/** Returns the id of a product, or of the product into which it was merged. */
export function remainingProduct(id: number | RawBuilder<unknown>): RawBuilder<number> {
  return sql`coalesce((select product_id from merged_product where merged_product.id = ${id}), ${id})`
}

/** Makes imports find the remaining product by the codes of the deleted one, and by the names mapped to it. */
async function moveNames(tx: Db, id: number, intoId: number): Promise<void> {
  await tx.updateTable('product_alias').set({ product_id: intoId }).where('product_id', '=', id).execute()
  await sql`
    insert into product_alias (code, product_id) select code, ${intoId} from product where id = ${id}
    on conflict (fold(code)) do update set product_id = excluded.product_id`.execute(tx)
  await sql`
    update import_mapping set content = jsonb_set(content, '{names,products}', (
        select jsonb_object_agg(key, case when value ->> 'id' = ${id}::text then kept.named else value end)
          from jsonb_each(content #> '{names,products}')))
      from (select jsonb_build_object('id', id, 'name', concat_ws(' · ', name, weight, format)) as named
              from product where id = ${intoId}) kept
     where exists (select from jsonb_each(content #> '{names,products}') where value ->> 'id' = ${id}::text)`.execute(
    tx,
  )
}

export async function countUsesOfProduct(tx: Db, id: number): Promise<Use[]> {
  const { count } = await tx
    .selectFrom('price_day_product')
    .select((e) => e.fn.coalesce(e.fn.sum<number>('n'), e.lit(0)).as('count'))
    .where('product_id', '=', id)
    .executeTakeFirstOrThrow()
  const entries = await countReferences(tx, 'collection_entry', 'product_id', id)
  return [
    { count, one: 'prix', many: 'prix' },
    { count: entries, one: 'relevé de terrain', many: 'relevés de terrain' },
  ]
}

export async function findImageOfProduct(tx: Db, id: number): Promise<string | null> {
  const row = await tx.selectFrom('product').select('image').where('id', '=', id).executeTakeFirst()
  return row?.image ?? null
}

/** Returns whether a picture is used by a product, as a user's avatar, or as the proof of a price. */
export async function isImageUsed(tx: Db, hash: string): Promise<boolean> {
  const { rows } = await sql`
    select from product where image = ${hash}
     union all select from app_user where avatar_url = ${`/uploads/${hash}.webp`}
     union all select from price_photo where image = ${hash} limit 1`.execute(tx)
  return rows.length > 0
}

type Joined = SelectQueryBuilder<Tables, 'product', object>

function withNames(selection: Joined) {
  return selection
    .innerJoin('product_type', 'product_type.id', 'product.type_id')
    .innerJoin('category', 'category.id', 'product_type.category_id')
    .leftJoin('brand', 'brand.id', 'product.brand_id')
}

function isByName(sort: string | undefined): boolean {
  return /^-?(type|category|brand)$/.test(sort ?? '')
}

// `orderOf` cannot reverse an order: read from the end, rows without a value come first.
function orderBy(sort: QueryOf<typeof products.list>['sort'] = 'name', isFromEnd: boolean) {
  const isDescending = sort.startsWith('-')
  // The contract only accepts these keys, with or without `-`.
  const key = (isDescending ? sort.slice(1) : sort) as keyof typeof sorts
  const way = isDescending === isFromEnd ? sql`asc` : sql`desc`
  const nulls = isFromEnd ? sql`nulls first` : sql`nulls last`
  const canBeNull = key === 'price' || key === 'brand'
  return sql`${sorts[key]} ${way} ${canBeNull ? nulls : sql``}, product.id ${way}`
}
