import { z } from 'zod'
import {
  accountFilters,
  accountInput,
  accountLabels,
  accountRow,
  passwordChange,
  userStatuses,
} from '#features/users/accounts/accounts.contract.ts'
import { collected, collectedColumns } from '#features/users/agents/collected/collected.contract.ts'
import { flagFilter, idList } from '#shared/fields.ts'
import { defineResource } from '#shared/resource.ts'

export const agent = accountRow
  .extend({
    ...collected.shape,
    /** Markets assigned to the agent. */
    markets: z.array(z.object({ id: z.int(), name: z.string(), location: z.string() })),
    marketIds: z.array(z.int()),
  })
  .meta({ id: 'Agent' })
export type Agent = z.infer<typeof agent>

const input = accountInput.extend({ marketIds: idList.optional() })

export const agents = defineResource({
  name: 'agents',
  listed: 'data',
  noun: { one: 'Agent', many: 'agents', gender: 'm' },
  permission: { read: 'users.manage', write: 'users.manage' },
  row: agent,
  input: input.meta({ id: 'NewAgent' }),
  change: input.partial().extend({ password: passwordChange }).meta({ id: 'AgentChange' }),
  filters: { ...accountFilters, silent: flagFilter },
  sortable: ['name', 'email', 'status', 'created_at', 'collected30', 'lastPrice'],
  columns: [
    { key: 'name', title: 'Nom', value: ({ name }) => name },
    { key: 'email', title: 'E-mail', value: ({ email }) => email },
    { key: 'location', title: 'Localité', value: ({ location }) => location },
    {
      key: 'status',
      title: 'Statut',
      value: ({ status }) => status,
      words: ({ status }) => userStatuses[status],
    },
    { key: 'created_at', title: 'Inscrit le', kind: 'instant', value: ({ created_at }) => created_at },
    ...collectedColumns,
    {
      key: 'markets',
      title: 'Marchés attribués',
      value: ({ markets }) => markets.map(({ name, location }) => `${name} (${location})`).join(', '),
    },
  ],
  labels: accountLabels,
  figures: { agents: 'Total', active: 'Actifs', inactive: 'Inactifs', silent: 'Silencieux' },
})
