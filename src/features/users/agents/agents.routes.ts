import {
  accountConstraints,
  changeAccount,
  openAccount,
  removeAccount,
} from '#features/users/accounts/accounts.routes.ts'
import { countUsesOfAccount } from '#features/users/accounts/accounts.sql.ts'
import { agents } from '#features/users/agents/agents.contract.ts'
import { agentRows, countAgents, findAgentRole, ownMarkets } from '#features/users/agents/agents.sql.ts'
import { followed } from '#features/users/guards.routes.ts'
import { crudRoutes } from '#server/crud-routes.ts'
import type { Db } from '#server/db/pool.ts'
import type { Exports } from '#server/exports.ts'
import type { Api } from '#server/http/endpoint.ts'
import type { Sessions } from '#server/session/sessions.ts'

export function agentRoutes(api: Api, db: Db, exports: Exports, sessions: Sessions): void {
  crudRoutes(followed(api, sessions), db, exports, agents, {
    ...agentRows,
    count: countAgents,
    async insert(tx, { marketIds = [], ...account }, actor) {
      const id = await openAccount(tx, account, [await findAgentRole(tx)], actor)
      await ownMarkets.set(tx, id, marketIds)
      return id
    },
    async update(tx, id, { marketIds, ...changes }, actor) {
      await changeAccount(tx, id, changes, actor)
      if (marketIds) await ownMarkets.set(tx, id, marketIds)
    },
    remove: removeAccount,
    uses: countUsesOfAccount,
    constraints: {
      ...accountConstraints,
      agent_market_market_fkey: { field: 'marketIds', message: 'Ce marché n’existe pas.' },
    },
  })
}
