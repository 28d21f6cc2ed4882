import { type Expression, type RawBuilder, sql } from 'kysely'
import { categories } from '#features/categories/categories.contract.ts'
import { deleteRow } from '#server/db/delete-row.ts'
import { conflictClause, type OnDuplicate, unlessExists } from '#server/db/duplicates.ts'
import type { Db } from '#server/db/pool.ts'
import { defineRows } from '#server/db/rows.ts'
import { hasWords, inFrench } from '#server/db/selection.ts'
import { updateRow } from '#server/db/write-row.ts'
import type { Use } from '#server/writes.ts'
import type { BodyOf, QueryOf } from '#shared/contract.ts'
import type { ChangeOf } from '#shared/resource.ts'

const productCount = sql<number>`(select coalesce(sum(n), 0) from product_count
  join product_type on product_type.id = type_id where product_type.category_id = category.id)`
const totalProducts = productCount.as('totalProducts')
const counts = sql<{ types: number }>`json_build_object('types', (
  select count(*) from product_type where product_type.category_id = category.id))`.as('_count')
const columns = ['id', 'name', 'description', 'created_at', 'updated_at', totalProducts, counts] as const
const sorts = {
  name: inFrench('name'),
  created_at: sql`created_at`,
  totalProducts: productCount,
}

export const categoryRows = defineRows(categories, {
  table: 'category',
  columns,
  sorts,
  defaultSort: 'name',
  from: (db: Db) => db.selectFrom('category'),
  filters: {
    search: hasWords(sql`fold(category.name)`),
  },
  isPageFirst: true,
})

export function countCategories(db: Db, query: QueryOf<typeof categories.figures>) {
  return countIn(db, categoryRows.select(db, query).select('category.id'))
}

export async function insertCategory(tx: Db, input: BodyOf<typeof categories.create>): Promise<number> {
  const { name, description = null } = input
  const wanted = sql`select ${name}::text as name, ${description}::text as description, 1 as place`
  const [id = 0] = await createCategories(tx, wanted)
  return id
}

/**
 * Creates categories.
 * @param wanted a query of `name`, `description` and `place`, the order in which they are created
 * @param onDuplicate what to do for a name that exists: fail, or skip it
 */
export async function createCategories(
  tx: Db,
  wanted: RawBuilder<unknown>,
  onDuplicate: OnDuplicate = 'fail',
): Promise<number[]> {
  const existing = sql`select from category where fold(category.name) = fold(wanted.name)`
  const { rows } = await sql<{ id: number }>`
    insert into category (name, description)
    select name, description
      from (select distinct on (fold(name)) * from (${wanted}) wanted
             where ${unlessExists(onDuplicate, existing)}
             order by fold(name), place) chosen
     order by place
    ${conflictClause(onDuplicate)} returning id`.execute(tx)
  return rows.map(({ id }) => id)
}

export async function updateCategory(tx: Db, id: number, changes: ChangeOf<typeof categories>) {
  await updateRow(tx, 'category', id, changes)
}

/**
 * Deletes a category, after its types and the filters that select it have moved to another category. Types of the same
 * name are merged.
 */
export async function mergeCategory(tx: Db, id: number, intoId: number): Promise<void> {
  // Waits for products being created in these types: they are moved with the others.
  await sql`select from product_type where category_id in (${id}, ${intoId}) order by id for update`.execute(
    tx,
  )
  await sql`
    select merge_product_type(mine.id, other.id)
      from product_type mine join product_type other
        on other.category_id = ${intoId} and fold(other.name) = fold(mine.name)
     where mine.category_id = ${id}`.execute(tx)
  await tx.updateTable('product_type').set({ category_id: intoId }).where('category_id', '=', id).execute()
  await sql`select move_selections('categoryId', ${id}, ${intoId})`.execute(tx)
  await deleteRow(tx, 'category', id)
}

export async function countUsesOfCategory(tx: Db, id: number): Promise<Use[]> {
  const { types, products } = await countIn(tx, tx.selectFrom('category').select('id').where('id', '=', id))
  return [
    { count: types, one: 'type de produit', many: 'types de produit' },
    { count: products, one: 'produit', many: 'produits' },
  ]
}

/** Counts the contents of the chosen categories. */
function countIn(db: Db, chosen: Expression<unknown>) {
  return db
    .selectNoFrom([
      sql<number>`(select count(*) from (${chosen}) chosen)`.as('categories'),
      sql<number>`(select count(*) from product_type where category_id in (${chosen}))`.as('types'),
      sql<number>`(select coalesce(sum(n), 0) from product_count
        join product_type on product_type.id = type_id where category_id in (${chosen}))`.as('products'),
    ])
    .executeTakeFirstOrThrow()
}
