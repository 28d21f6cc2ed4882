import { sql } from 'kysely'
import { marketNamed } from '#features/markets/markets.sql.ts'
import { productNamed, weightNamed } from '#features/products/products.sql.ts'
import type { SharedFigures } from '#features/shares/shares.rules.ts'
import { isoInstant } from '#server/db/instant.ts'
import type { Db } from '#server/db/pool.ts'
import type { DrawnReport } from '#shared/drawing.ts'

export type ShareRow = {
  rowId: number
  token: string
  path: string
  search: string
  title: string
  isFrozen: boolean
  views: number
  createdAt: string
}

/** Returns the shared pages of a user, the latest first. */
export async function listShares(db: Db, userId: number, token?: string): Promise<ShareRow[]> {
  const { rows } = await sql<ShareRow>`
    select share.id as "rowId", token,
           coalesce(path, '/series/' || product_id || '/' || market_id) as path, coalesce(search, '') as search,
           coalesce(title, product.name || ', ' || ${weightNamed} || ', ' || market.name || ', ' || market.location) as title,
           frozen is not null as "isFrozen", views, ${isoInstant('share.created_at')} as "createdAt"
      from share left join product on product.id = product_id left join market on market.id = market_id
     where user_id = ${userId} and ${token === undefined ? sql`true` : sql`token = ${token}`}
     order by share.created_at desc, share.id desc limit 500`.execute(db)
  return rows
}

/**
 * Counts the shared pages of a user; locks the account, so that concurrent requests are counted one after the other.
 */
export async function countShares(tx: Db, userId: number): Promise<number> {
  await sql`select from app_user where id = ${userId} for no key update`.execute(tx)
  const { count } = await tx
    .selectFrom('share')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return count
}

/** A shared subject: a series, or a page with its filters. */
export type SharedSubject =
  | { productId: number; marketId: number }
  | { path: string; search: string; title: string }

type NewShare = { token: string; userId: number; subject: SharedSubject; frozen: Frozen | null }
type Frozen = SharedFigures | DrawnReport

export async function insertShare(tx: Db, share: NewShare): Promise<number> {
  const { id } = await tx
    .insertInto('share')
    .values({
      token: share.token,
      user_id: share.userId,
      ...('path' in share.subject
        ? share.subject
        : { product_id: share.subject.productId, market_id: share.subject.marketId }),
      frozen: share.frozen && JSON.stringify(share.frozen),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function deleteShare(tx: Db, rowId: number): Promise<void> {
  await tx.deleteFrom('share').where('id', '=', rowId).execute()
}

/** A shared page, with its figures if they are frozen. */
export type FoundShare = { isFrozen: boolean; userId: number } & (
  | { productId: number; marketId: number; path: null; frozen: SharedFigures | null }
  | { path: string; search: string; frozen: DrawnReport | null }
)
const shownColumns = sql`product_id as "productId", market_id as "marketId", path, search, user_id as "userId", frozen,
           frozen is not null as "isFrozen"`

const isOfActiveUser = sql`exists (select from app_user u where u.id = user_id and u.status = 'ACTIVE')`

/** Returns the content of a shared address and counts the visit; undefined when it does not exist or was removed. */
export async function openShare(db: Db, token: string): Promise<FoundShare | undefined> {
  const { rows } = await sql<FoundShare>`
    update share set views = views + 1 where token = ${token} and ${isOfActiveUser}
    returning ${shownColumns}`.execute(db)
  return rows[0]
}

/** Does the same without counting a visit, for its picture. */
export async function findShare(db: Db, token: string): Promise<FoundShare | undefined> {
  const { rows } = await sql<FoundShare>`
    select ${shownColumns} from share
     where token = ${token} and ${isOfActiveUser}`.execute(db)
  return rows[0]
}

type Named = Pick<SharedFigures, 'product' | 'market' | 'last' | 'elsewhere'>

/**
 * Reads the names of a series, its last price, and the recent prices of other markets; undefined when it does not
 * exist.
 */
export async function readNamed(
  db: Db,
  { productId, marketId, freshFrom }: { productId: number; marketId: number; freshFrom: string },
): Promise<Named | undefined> {
  const { rows } = await sql<Named>`
    select ${productNamed} as product,
           ${marketNamed} as market,
           (select json_build_object('price', price_value, 'currency', currency, 'day', observed_on) from settled_price
             where product_id = product.id and market_id = market.id
             order by observed_on desc, collected_at desc, id desc limit 1) as last,
           (select case when count(*) > 0 then json_build_object('lowest', min(price_value), 'highest', max(price_value),
                     'markets', count(*)) end
              from (select distinct on (market_id) price_value from settled_price
                     where product_id = product.id and market_id <> market.id and currency = 'CDF'
                       and observed_on >= ${freshFrom}::date
                     order by market_id, observed_on desc, collected_at desc, id desc) other) as elsewhere
      from product, market where product.id = ${productId} and market.id = ${marketId}`.execute(db)
  return rows[0]
}
