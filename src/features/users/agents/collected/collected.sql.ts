import { sql } from 'kysely'
import { type AgentWork, silentAfterDays } from '#features/users/agents/collected/collected.contract.ts'
import { isoInstant } from '#server/db/instant.ts'

const lately = (days: number) =>
  sql`written_by = app_user.id and collected_at >= now() - make_interval(days => ${days})`
export const collectedIn = (days: number) => sql<number>`(select count(*) from price where ${lately(days)})`
export const lastCollectedAt = sql<
  string | null
>`(select max(collected_at) from price where written_by = app_user.id)`
/** Whether an agent is silent; an account younger than the period is not. */
export const isSilent = sql<boolean>`(app_user.status = 'ACTIVE' and app_user.created_at < now() - make_interval(days => ${silentAfterDays})
  and not exists (select from price where ${lately(silentAfterDays)}))`
const seen = (held: 'before' | 'after') => {
  const facts = ['priceValue', 'currency', 'productId', 'marketId', 'collectedAt']
  return sql`(${sql.join(facts.map((fact) => sql`${sql.ref(held)} -> ${sql.lit(fact)}`))})`
}
const correctedShare = sql<number | null>`(
  select avg((exists (select from audit_entry
                       where entity = 'prices' and entity_id = price.id and action = 'update'
                         and ${seen('before')} is distinct from ${seen('after')}))::int)::float8
    from price where ${lately(30)})`
const lastPrice = sql<AgentWork['lastPrice']>`(
  select json_build_object('id', price.id, 'collectedAt', ${isoInstant('price.collected_at')}, 'priceValue', price.price_value,
           'currency', price.currency, 'product', product.name, 'market', market.name)
    from price join product on product.id = product_id join market on market.id = market_id
   where written_by = app_user.id order by collected_at desc, price.id desc limit 1)`

/** Collection figures of the accounts of a query. */
export const collectedFacts = [
  collectedIn(7).as('collected7'),
  collectedIn(30).as('collected30'),
  sql<number>`(select count(distinct market_id) from price where ${lately(30)})`.as('marketsCovered'),
  correctedShare.as('correctedShare'),
  lastPrice.as('lastPrice'),
  isSilent.as('isSilent'),
] as const
