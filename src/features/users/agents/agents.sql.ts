import { sql } from 'kysely'
import {
  type Agent,
  type agentFigures,
  type agents,
  silentAfterDays,
} from '#features/users/agents/agents.contract.ts'
import { accountColumns, accountSorts, selectAccounts } from '#features/users/users.sql.ts'
import { isoInstant } from '#server/db/instant.ts'
import { setLinks } from '#server/db/links.ts'
import type { Db } from '#server/db/pool.ts'
import { countOf, offsetOf, orderOf } from '#server/db/selection.ts'
import type { QueryOf, SelectionOf } from '#shared/contract.ts'

const lately = (days: number) =>
  sql`written_by = app_user.id and collected_at >= now() - make_interval(days => ${days})`
const collectedIn = (days: number) => sql<number>`(select count(*) from price where ${lately(days)})`
const lastCollectedAt = sql<
  string | null
>`(select max(collected_at) from price where written_by = app_user.id)`
const isSilent = sql<boolean>`(app_user.status = 'ACTIVE' and not exists (select from price where ${lately(silentAfterDays)}))`
const seen = (held: 'before' | 'after') => {
  const facts = ['priceValue', 'currency', 'productId', 'marketId', 'collectedAt']
  return sql`(${sql.join(facts.map((fact) => sql`${sql.ref(held)} -> ${sql.lit(fact)}`))})`
}
const correctedShare = sql<number | null>`(
  select avg((exists (select from audit_entry
                       where entity = 'prices' and entity_id = price.id and action = 'update'
                         and ${seen('before')} is distinct from ${seen('after')}))::int)::float8
    from price where ${lately(30)})`
const lastPrice = sql<Agent['lastPrice']>`(
  select json_build_object('id', price.id, 'collectedAt', ${isoInstant('price.collected_at')}, 'priceValue', price.price_value,
           'currency', price.currency, 'product', product.name, 'market', market.name)
    from price join product on product.id = product_id join market on market.id = market_id
   where written_by = app_user.id order by collected_at desc, price.id desc limit 1)`
const markets = sql<Agent['markets']>`coalesce((
  select json_agg(json_build_object('id', market.id, 'name', market.name, 'location', market.location) order by market.name, market.id)
    from agent_market join market on market.id = market_id where user_id = app_user.id), '[]')`

const columns = [
  ...accountColumns,
  collectedIn(7).as('collected7'),
  collectedIn(30).as('collected30'),
  sql<number>`(select count(distinct market_id) from price where ${lately(30)})`.as('marketsCovered'),
  correctedShare.as('correctedShare'),
  lastPrice.as('lastPrice'),
  isSilent.as('isSilent'),
  markets.as('markets'),
  sql<number[]>`array(select market_id from agent_market where user_id = app_user.id order by market_id)`.as(
    'marketIds',
  ),
] as const
const sorts = {
  ...accountSorts,
  collected30: collectedIn(30),
  lastPrice: lastCollectedAt,
}

export async function listAgents(db: Db, query: QueryOf<typeof agents.list>) {
  const order = orderOf(sorts, query.sort, 'app_user.id', 'name')
  const selection = select(db, query)
  // What each collected is counted for the agents of the page alone.
  const page = selection.selectAll('app_user').orderBy(order).limit(query.limit).offset(offsetOf(query))
  const rows = await db.selectFrom(page.as('app_user')).select(columns).orderBy(order).execute()
  return { rows, total: await countOf(selection) }
}

export function selectAllAgents(db: Db, query: SelectionOf<typeof agents.list>) {
  return select(db, query)
    .select(columns)
    .orderBy(orderOf(sorts, query.sort, 'app_user.id', 'name'))
}

export function countAgents(db: Db, query: QueryOf<typeof agentFigures>) {
  return select(db, query)
    .select([
      sql<number>`count(*)`.as('agents'),
      sql<number>`(count(*) filter (where app_user.status = 'ACTIVE'))`.as('active'),
      sql<number>`(count(*) filter (where app_user.status <> 'ACTIVE'))`.as('inactive'),
      sql<number>`(count(*) filter (where ${isSilent}))`.as('silent'),
    ])
    .executeTakeFirstOrThrow()
}

export function findAgent(db: Db, id: number) {
  return select(db, {})
    .select(columns)
    .where('app_user.id', '=', sql<number>`${id}::bigint`)
    .executeTakeFirst()
}

/** The role that makes an agent. */
export async function findAgentRole(tx: Db): Promise<number> {
  const { id } = await tx
    .selectFrom('role')
    .select('id')
    .where('name', '=', 'agent')
    .executeTakeFirstOrThrow()
  return id
}

/** Sends an agent to exactly these markets. */
export const setMarkets = (tx: Db, userId: number, ids: readonly number[]): Promise<void> =>
  setLinks(tx, { table: 'agent_market', of: 'user_id', to: 'market_id' }, userId, ids)

function select(db: Db, query: QueryOf<typeof agentFigures>) {
  return selectAccounts(db, { ...query, roleId: undefined }).where(
    sql<boolean>`exists (select from user_role join role on role.id = role_id
                          where user_id = app_user.id and fold(role.name) in ('agent', 'agent recenseur'))`,
  )
}
