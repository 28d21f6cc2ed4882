import { agentFigures, agents } from '#features/users/agents/agents.contract.ts'
import {
  countAgents,
  findAgent,
  findAgentRole,
  listAgents,
  selectAllAgents,
  setMarkets,
} from '#features/users/agents/agents.sql.ts'
import { followed } from '#features/users/guards.routes.ts'
import { changeUser, insertAccount, removeUser, userConstraints } from '#features/users/users.routes.ts'
import { countUsesOfUser } from '#features/users/users.sql.ts'
import { crudRoutes } from '#server/crud-routes.ts'
import type { Db } from '#server/db/pool.ts'
import type { Exports } from '#server/exports.ts'
import type { Api } from '#server/http/endpoint.ts'
import type { Sessions } from '#server/session/sessions.ts'

export function agentRoutes(plain: Api, db: Db, exports: Exports, sessions: Sessions): void {
  const api = followed(plain, sessions)
  api.on(agentFigures, ({ query }) => countAgents(db, query))

  crudRoutes(api, db, exports, agents, {
    table: 'app_user',
    list: listAgents,
    selectAll: selectAllAgents,
    find: findAgent,
    async insert(tx, { marketIds = [], ...account }, actor) {
      const id = await insertAccount(tx, account, [await findAgentRole(tx)], actor)
      await setMarkets(tx, id, marketIds)
      return id
    },
    async update(tx, id, { marketIds, ...changes }, actor) {
      await changeUser(tx, id, changes, actor)
      if (marketIds) await setMarkets(tx, id, marketIds)
    },
    remove: removeUser,
    uses: countUsesOfUser,
    constraints: {
      ...userConstraints,
      agent_market_market_fkey: { field: 'marketIds', message: 'Ce marché n’existe pas.' },
    },
  })
}
