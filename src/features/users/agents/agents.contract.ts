import { z } from 'zod'
import {
  accountFilters,
  accountInput,
  accountLabels,
  accountRow,
  idList,
  passwordChange,
} from '#features/users/users.contract.ts'
import { defineEndpoint } from '#shared/contract.ts'
import { currency, instant } from '#shared/fields.ts'
import { defineResource } from '#shared/resource.ts'

/** An active agent without a price for as many days is silent. */
export const silentAfterDays = 7

export const agent = z
  .object({
    ...accountRow,
    /** Prices of the last 7 and 30 days. */
    collected7: z.int(),
    collected30: z.int(),
    /** Where, in the last 30 days. */
    marketsCovered: z.int(),
    /** The part of those 30 days’ prices whose amount, product, market or date somebody corrected since; null without any. */
    correctedShare: z.number().nullable(),
    lastPrice: z
      .object({
        id: z.int(),
        collectedAt: instant,
        priceValue: z.number(),
        currency,
        product: z.string(),
        market: z.string(),
      })
      .nullable(),
    isSilent: z.boolean(),
    /** Where he is expected. */
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
  filters: accountFilters,
  sortable: ['name', 'email', 'status', 'created_at', 'collected30', 'lastPrice'],
  columns: [
    { key: 'name', title: 'Nom', value: ({ name }) => name },
    { key: 'email', title: 'E-mail', value: ({ email }) => email },
    { key: 'location', title: 'Localité', value: ({ location }) => location },
    { key: 'status', title: 'Statut', value: ({ status }) => status },
    { key: 'created_at', title: 'Inscrit le', kind: 'instant', value: ({ created_at }) => created_at },
    { key: 'collected7', title: 'Relevés en 7 jours', kind: 'number', value: ({ collected7 }) => collected7 },
    {
      key: 'collected30',
      title: 'Relevés en 30 jours',
      kind: 'number',
      value: ({ collected30 }) => collected30,
    },
    {
      key: 'marketsCovered',
      title: 'Marchés couverts en 30 jours',
      kind: 'number',
      value: ({ marketsCovered }) => marketsCovered,
    },
    {
      key: 'markets',
      title: 'Marchés attribués',
      value: ({ markets }) => markets.map(({ name, location }) => `${name} (${location})`).join(', '),
    },
  ],
  labels: accountLabels,
})

export const agentFigures = defineEndpoint({
  method: 'GET',
  path: '/api/agents/figures',
  right: 'users.manage',
  summary: 'Chiffres des agents',
  query: z.object(accountFilters),
  response: z
    .object({ agents: z.int(), active: z.int(), inactive: z.int(), silent: z.int() })
    .meta({ id: 'AgentFigures' }),
})
