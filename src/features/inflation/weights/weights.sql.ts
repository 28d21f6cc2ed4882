import { sql } from 'kysely'
import { typeWeights } from '#features/inflation/weights/weights.contract.ts'
import type { Db } from '#server/db/pool.ts'
import { defineRows } from '#server/db/rows.ts'
import { hasWords, inFrench, isId } from '#server/db/selection.ts'
import { insertRow, updateRow } from '#server/db/write-row.ts'
import type { BodyOf } from '#shared/contract.ts'
import type { ChangeOf } from '#shared/resource.ts'

type Type = { id: number; name: string; category: { id: number; name: string } }

const columns = [
  'product_type_weight.id',
  'type_id as typeId',
  'day',
  'weight',
  'source',
  'product_type_weight.created_at as createdAt',
  'product_type_weight.updated_at as updatedAt',
  sql<Type>`json_build_object('id', product_type.id, 'name', product_type.name,
    'category', json_build_object('id', category.id, 'name', category.name))`.as('type'),
] as const
const sorts = { type: inFrench('product_type.name'), day: sql`day`, weight: sql`weight` }

export const weightRows = defineRows(typeWeights, {
  table: 'product_type_weight',
  columns,
  sorts,
  defaultSort: '-weight',
  from: joined,
  filters: {
    search: hasWords(sql`fold(product_type.name)`),
    typeId: isId('type_id'),
    categoryId: isId('product_type.category_id'),
  },
})

export async function insertWeight(tx: Db, input: BodyOf<typeof typeWeights.create>): Promise<number> {
  const { typeId, ...values } = input
  return insertRow(tx, 'product_type_weight', { type_id: typeId, ...values })
}

export async function updateWeight(
  tx: Db,
  id: number,
  { typeId, ...changes }: ChangeOf<typeof typeWeights>,
): Promise<void> {
  await updateRow(tx, 'product_type_weight', id, { type_id: typeId, ...changes })
}

function joined(db: Db) {
  return db
    .selectFrom('product_type_weight')
    .innerJoin('product_type', 'product_type.id', 'type_id')
    .innerJoin('category', 'category.id', 'product_type.category_id')
}
