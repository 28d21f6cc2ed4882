import { sql } from 'kysely'
import { accountColumns, accountConditions, accountSorts } from '#features/users/accounts/accounts.sql.ts'
import { type Agent, agents } from '#features/users/agents/agents.contract.ts'
import {
  collectedFacts,
  collectedIn,
  isSilent,
  lastCollectedAt,
} from '#features/users/agents/collected/collected.sql.ts'
import { links } from '#server/db/links.ts'
import type { Db } from '#server/db/pool.ts'
import { defineRows } from '#server/db/rows.ts'
import type { QueryOf } from '#shared/contract.ts'

/** The markets assigned to an agent. */
export const ownMarkets = links({
  table: 'agent_market',
  owner: 'app_user',
  ownerId: 'user_id',
  other: 'market',
  otherId: 'market_id',
})
const market = sql`json_build_object('id', market.id, 'name', market.name, 'location', market.location)`
const columns = [
  ...accountColumns,
  ...collectedFacts,
  ownMarkets.list<Agent['markets']>(market, sql`market.name, market.id`).as('markets'),
  ownMarkets.ids.as('marketIds'),
] as const
const sorts = {
  ...accountSorts,
  collected30: collectedIn(30),
  // As displayed: the later of the account's last change and its last price.
  lastPrice: sql`greatest(app_user.updated_at, ${lastCollectedAt})`,
}

export const agentRows = defineRows(agents, {
  table: 'app_user',
  columns,
  sorts,
  defaultSort: 'name',
  from: (db: Db) =>
    db.selectFrom('app_user').where(
      sql<boolean>`exists (select from user_role join role on role.id = role_id
                              where user_id = app_user.id and fold(role.name) in ('agent', 'agent recenseur'))`,
    ),
  filters: {
    ...accountConditions,
    silent: (silent) => sql`${isSilent} = ${silent}`,
  },
  isPageFirst: true,
})

export function countAgents(db: Db, query: QueryOf<typeof agents.figures>) {
  return agentRows
    .select(db, query)
    .select([
      sql<number>`count(*)`.as('agents'),
      sql<number>`(count(*) filter (where app_user.status = 'ACTIVE'))`.as('active'),
      sql<number>`(count(*) filter (where app_user.status <> 'ACTIVE'))`.as('inactive'),
      sql<number>`(count(*) filter (where ${isSilent}))`.as('silent'),
    ])
    .executeTakeFirstOrThrow()
}

/** Returns the id of the agent role. */
export async function findAgentRole(tx: Db): Promise<number> {
  const { id } = await tx
    .selectFrom('role')
    .select('id')
    .where('name', '=', 'agent')
    .executeTakeFirstOrThrow()
  return id
}
