import { sql } from 'kysely'
import type { products } from '#features/products/products.contract.ts'
import { productRows, selectProducts } from '#features/products/products.sql.ts'
import type { Db } from '#server/db/pool.ts'
import type { QueryOf } from '#shared/contract.ts'

/** Returns the number of products, types, brands and categories of a selection. */
export async function countProducts(db: Db, query: QueryOf<typeof products.figures>) {
  return productRows.isWhole(query) ? countCatalogue(db) : countSelected(db, query)
}

/** Same as `countSelected` for all products, from the counts stored per type. */
function countCatalogue(db: Db) {
  return db
    .with('counted', (from) =>
      from
        .selectFrom('product_count')
        .select(({ fn }) => ['type_id', fn.sum<number>('n').as('n')])
        .groupBy('type_id')
        .having(({ fn }) => fn.sum('n'), '>', 0),
    )
    .selectFrom('counted')
    .innerJoin('product_type', 'product_type.id', 'counted.type_id')
    .select(({ fn, lit }) => [
      fn.coalesce(fn.sum<number>('n'), lit(0)).as('products'),
      fn.countAll<number>().as('types'),
      fn.count<number>('product_type.category_id').distinct().as('categories'),
      sql<number>`(select count(*) from brand
        where exists (select from product where product.brand_id = brand.id))`.as('brands'),
    ])
    .executeTakeFirstOrThrow()
}

async function countSelected(db: Db, query: QueryOf<typeof products.figures>) {
  const cells = selectProducts(db, query)
    .select(({ fn }) => ['type_id', 'brand_id', fn.countAll<number>().as('n')])
    .groupBy(['type_id', 'brand_id'])
  return db
    .selectFrom(cells.as('cell'))
    .innerJoin('product_type', 'product_type.id', 'cell.type_id')
    .select(({ fn, lit }) => [
      fn.coalesce(fn.sum<number>('n'), lit(0)).as('products'),
      fn.count<number>('cell.type_id').distinct().as('types'),
      fn.count<number>('cell.brand_id').distinct().as('brands'),
      fn.count<number>('product_type.category_id').distinct().as('categories'),
    ])
    .executeTakeFirstOrThrow()
}
