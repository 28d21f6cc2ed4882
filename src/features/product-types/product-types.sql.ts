import { type RawBuilder, sql } from 'kysely'
import type { ProductKind } from '#features/product-types/kinds.contract.ts'
import { productTypes } from '#features/product-types/product-types.contract.ts'
import { conflictClause, type OnDuplicate, unlessExists } from '#server/db/duplicates.ts'
import type { Db } from '#server/db/pool.ts'
import { defineRows } from '#server/db/rows.ts'
import { countReferences, hasWords, inFrench, isId } from '#server/db/selection.ts'
import { updateRow } from '#server/db/write-row.ts'
import type { Use } from '#server/writes.ts'
import type { BodyOf } from '#shared/contract.ts'
import type { ChangeOf } from '#shared/resource.ts'

const category = sql<{
  id: number
  name: string
}>`json_build_object('id', category.id, 'name', category.name)`
const kind = sql<ProductKind>`product_type.kind`
const counts = sql<{ products: number; weights: number }>`json_build_object(
  'products', (select coalesce(sum(n), 0) from product_count where type_id = product_type.id),
  'weights', (select count(*) from product_type_weight where type_id = product_type.id))`.as('_count')
const columns = [
  'product_type.id',
  'product_type.name',
  kind.as('kind'),
  'product_type.category_id as categoryId',
  'product_type.created_at',
  'product_type.updated_at',
  category.as('category'),
  counts,
] as const
const sorts = {
  name: inFrench('product_type.name'),
  category: inFrench('category.name'),
  created_at: sql`product_type.created_at`,
}

export const productTypeRows = defineRows(productTypes, {
  table: 'product_type',
  columns,
  sorts,
  defaultSort: 'name',
  from: (db: Db) => db.selectFrom('product_type').innerJoin('category', 'category.id', 'category_id'),
  filters: {
    search: hasWords(sql`fold(product_type.name)`),
    categoryId: isId('category_id'),
  },
})

export async function insertProductType(tx: Db, input: BodyOf<typeof productTypes.create>): Promise<number> {
  const { name, categoryId, kind = 'good' } = input
  const wanted = sql`select ${name}::text as name, ${categoryId}::integer as category_id,
    ${kind}::text as kind, 1 as place`
  const [id = 0] = await createProductTypes(tx, wanted)
  return id
}

/**
 * Creates product types.
 * @param wanted a query of `name`, `category_id`, `kind` and `place`, the order in which they are created
 * @param onDuplicate what to do for a name that exists in its category: fail, or skip it
 */
export async function createProductTypes(
  tx: Db,
  wanted: RawBuilder<unknown>,
  onDuplicate: OnDuplicate = 'fail',
): Promise<number[]> {
  const existing = sql`select from product_type type
    where type.category_id = wanted.category_id and fold(type.name) = fold(wanted.name)`
  const { rows } = await sql<{ id: number }>`
    insert into product_type (name, category_id, kind)
    select name, category_id, kind
      from (select distinct on (category_id, fold(name)) * from (${wanted}) wanted
             where ${unlessExists(onDuplicate, existing)}
             order by category_id, fold(name), place) chosen
     order by place
    ${conflictClause(onDuplicate)} returning id`.execute(tx)
  return rows.map(({ id }) => id)
}

export async function updateProductType(
  tx: Db,
  id: number,
  { name, categoryId, kind }: ChangeOf<typeof productTypes>,
): Promise<void> {
  await updateRow(tx, 'product_type', id, { name, category_id: categoryId, kind })
}

/** Deletes a type, after its products, its weights and the filters that select it have moved to another type. */
export async function mergeProductType(tx: Db, id: number, intoId: number): Promise<void> {
  await sql`select merge_product_type(${id}, ${intoId})`.execute(tx)
}

export async function countUsesOfProductType(tx: Db, id: number): Promise<Use[]> {
  const products = await countReferences(tx, 'product', 'type_id', id)
  const weights = await countReferences(tx, 'product_type_weight', 'type_id', id)
  return [
    { count: products, one: 'produit', many: 'produits' },
    { count: weights, one: 'pondération', many: 'pondérations' },
  ]
}
