// Inserts rows that tests of other features need.

import { randomUUID } from 'node:crypto'
import type { Db } from '#server/db/pool.ts'

let made = 0
const unlike = (word: string) => `${word} ${++made}`
/** A name of letters only: a search for a number in a name must not find the code of another product. */
const unlikeCode = () =>
  `P-${String(++made).replace(/\d/g, (digit) => 'ABCDEFGHIJ'[Number(digit)] as string)}`

export async function insertCategory(db: Db, name = unlike('Catégorie')): Promise<number> {
  const { id } = await db.insertInto('category').values({ name }).returning('id').executeTakeFirstOrThrow()
  return id
}

export async function insertType(
  db: Db,
  more: { category_id?: number; name?: string; kind?: string } = {},
): Promise<number> {
  const { id } = await db
    .insertInto('product_type')
    .values({ name: unlike('Type'), category_id: more.category_id ?? (await insertCategory(db)), ...more })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function insertBrand(db: Db, name = unlike('Marque')): Promise<number> {
  const { id } = await db
    .insertInto('brand')
    .values({ name, country: 'RD Congo' })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function insertProduct(
  db: Db,
  more: {
    type_id?: number
    brand_id?: number | null
    code?: string
    name?: string
    weight?: string
    format?: string
    currency?: string
  } = {},
): Promise<number> {
  const { id } = await db
    .insertInto('product')
    .values({
      code: unlikeCode(),
      name: unlike('Produit'),
      type_id: more.type_id ?? (await insertType(db)),
      weight: '1kg',
      origin: 'RD Congo',
      format: 'Détail',
      ...more,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function insertMarket(
  db: Db,
  more: {
    name?: string
    location?: string
    province?: string
    latitude?: number
    longitude?: number
    time_zone?: string
  } = {},
): Promise<number> {
  const { id } = await db
    .insertInto('market')
    .values({ name: unlike('Marché'), location: 'Kinshasa', ...more })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** @param more the local `day`, and the instant `at` when noon UTC does not fit */
export async function insertPrice(
  db: Db,
  more: {
    product_id?: number
    market_id?: number
    price_value?: number
    currency?: string
    collector_name?: string
    day?: string
    at?: string
  } = {},
): Promise<number> {
  const { day = '2026-01-15', at = `${day}T12:00:00Z`, ...price } = more
  const { id } = await db
    .insertInto('price')
    .values({
      product_id: more.product_id ?? (await insertProduct(db)),
      market_id: more.market_id ?? (await insertMarket(db)),
      price_value: 1000,
      collector_name: 'Collecteur',
      collected_at: at,
      observed_on: day,
      ...price,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Inserts what an agent sends about a product that is absent from a market. */
export async function insertAbsence(
  db: Db,
  { product_id, market_id }: { product_id?: number; market_id?: number },
): Promise<void> {
  const at = '2026-01-15T12:00:00Z'
  await db
    .insertInto('collection_entry')
    .values({
      product_id: product_id ?? (await insertProduct(db)),
      market_id: market_id ?? (await insertMarket(db)),
      client_id: randomUUID(),
      device: 'essai',
      kind: 'absent',
      reason: 'rupture',
      is_blind: false,
      body_hash: Buffer.alloc(32),
      device_at: at,
      captured_at: at,
    })
    .execute()
}
