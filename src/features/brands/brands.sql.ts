import { type RawBuilder, sql } from 'kysely'
import { brands } from '#features/brands/brands.contract.ts'
import { deleteRow } from '#server/db/delete-row.ts'
import { conflictClause, type OnDuplicate, unlessExists } from '#server/db/duplicates.ts'
import type { Db } from '#server/db/pool.ts'
import { defineRows } from '#server/db/rows.ts'
import { countReferences, hasWords, inFrench } from '#server/db/selection.ts'
import { updateRow } from '#server/db/write-row.ts'
import type { Use } from '#server/writes.ts'
import type { BodyOf } from '#shared/contract.ts'
import type { ChangeOf } from '#shared/resource.ts'

const productCount = sql<number>`(select count(*) from product where product.brand_id = brand.id)`
const counts = sql<{ products: number }>`json_build_object('products', ${productCount})`.as('_count')
const columns = ['id', 'name', 'country', 'created_at', 'updated_at', counts] as const
const sorts = {
  name: inFrench('name'),
  country: inFrench('country'),
  created_at: sql`created_at`,
  products: productCount,
}

export const brandRows = defineRows(brands, {
  table: 'brand',
  columns,
  sorts,
  defaultSort: 'name',
  from: (db: Db) => db.selectFrom('brand'),
  filters: {
    search: hasWords(sql`fold(name)`),
    country: hasWords(sql`fold(country)`),
  },
  isPageFirst: true,
})

export async function insertBrand(tx: Db, input: BodyOf<typeof brands.create>): Promise<number> {
  const wanted = sql`select ${input.name}::text as name, ${input.country}::text as country, 1 as place`
  const [id = 0] = await createBrands(tx, wanted)
  return id
}

/**
 * Creates brands; one without a country gets the country of a brand of the same name, otherwise none.
 * @param wanted a query of `name`, `country` and `place`, the order in which they are created
 * @param onDuplicate what to do for a name that exists: fail, or skip it
 */
export async function createBrands(
  tx: Db,
  wanted: RawBuilder<unknown>,
  onDuplicate: OnDuplicate = 'fail',
): Promise<number[]> {
  const existing = sql`select from brand where fold(brand.name) = fold(wanted.name)`
  const { rows } = await sql<{ id: number }>`
    insert into brand (name, country)
    select name, coalesce(country, 'Non précisé')
      from (select distinct on (fold(name)) * from (${wanted}) wanted
             where ${unlessExists(onDuplicate, existing)}
             order by fold(name), country is null, place) chosen
     order by place
    ${conflictClause(onDuplicate)} returning id`.execute(tx)
  return rows.map(({ id }) => id)
}

export async function updateBrand(tx: Db, id: number, changes: ChangeOf<typeof brands>): Promise<void> {
  await updateRow(tx, 'brand', id, changes)
}

/** Deletes a brand, after its products and the filters that select it have moved to another brand. */
export async function mergeBrand(tx: Db, id: number, intoId: number): Promise<void> {
  await tx.updateTable('product').set({ brand_id: intoId }).where('brand_id', '=', id).execute()
  await sql`select move_selections('brandId', ${id}, ${intoId})`.execute(tx)
  await deleteRow(tx, 'brand', id)
}

export async function countUsesOfBrand(tx: Db, id: number): Promise<Use[]> {
  const count = await countReferences(tx, 'product', 'brand_id', id)
  return [{ count, one: 'produit', many: 'produits' }]
}
