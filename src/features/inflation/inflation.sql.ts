import { sql } from 'kysely'
import type { Kind } from '#features/inflation/measured.rules.ts'
import type { TypeWeight } from '#features/inflation/weighing.rules.ts'
import type { Db } from '#server/db/pool.ts'

/** Reads the type and category of products, by product id. */
export async function readKinds(db: Db, products: readonly number[]): Promise<Map<number, Kind>> {
  const { rows } = await sql<Kind & { product: number }>`
    select product.id as product, type.id as type, type.name as "typeName",
           category.id as category, category.name as "categoryName"
      from product join product_type type on type.id = product.type_id
      join category on category.id = type.category_id
     where product.id = any(${products}::integer[])`.execute(db)
  return new Map(rows.map(({ product, ...kind }) => [product, kind]))
}

/** Reads all weights, the earliest first. */
export async function readWeights(db: Db): Promise<TypeWeight[]> {
  const { rows } = await sql<TypeWeight>`
    select type_id as type, day, weight::float8 as weight, source from product_type_weight order by day, type_id`.execute(
    db,
  )
  return rows
}
