import { AccountFields } from '#features/users/accounts/ui/account-fields.tsx'
import { accountLimits } from '#features/users/accounts/ui/account-limits.ts'
import { Contact, Person } from '#features/users/accounts/ui/person.tsx'
import { statusFilter } from '#features/users/accounts/ui/user-status.tsx'
import { agents } from '#features/users/agents/agents.contract.ts'
import { silentAfterDays } from '#features/users/agents/collected/collected.contract.ts'
import {
  AgentStatus,
  collectedDetails,
  lastActivity,
} from '#features/users/agents/collected/ui/collected.tsx'
import { AgentMarkets } from '#features/users/agents/ui/agent-markets.tsx'
import { adminScreens } from '#web/crud/admin-screens.tsx'
import { formatDate, formatDateTime, formatNumber, notAvailable } from '#web/format.ts'
import { selectFilter } from '#web/forms/choice-filter.tsx'
import { DateTime } from '#web/ui/date-time.tsx'

export const { ListPage: AgentsPage } = adminScreens(agents, {
  path: '/agents',
  layout: 'table',
  title: 'Agents',
  description: `Qui relève les prix sur le terrain, où, et combien. Silencieux\u00a0: actif, mais sans relevé depuis ${silentAfterDays} jours.`,
  whenEmpty: 'Qui relève les prix sur le terrain apparaîtra ici, avec ce qu’il a relevé.',
  nameOf: ({ name }) => name,
  columns: [
    { key: 'name', header: 'Agent', cell: (agent) => <Person {...agent} /> },
    { key: 'email', header: 'Contact', cell: (agent) => <Contact {...agent} /> },
    { key: 'status', cell: (agent) => <AgentStatus {...agent} /> },
    {
      key: 'created_at',
      card: 'hidden',
      cell: ({ created_at }) => formatDate(created_at),
    },
    {
      key: 'lastPrice',
      header: 'Dernière activité',
      cell: (agent) => <DateTime value={lastActivity(agent)} />,
    },
    {
      key: 'collected30',
      header: 'Relevés, 30 j',
      align: 'end',
      cell: ({ collected30 }) => formatNumber(collected30),
    },
  ],
  filters: [
    statusFilter,
    {
      key: 'silent',
      label: 'Relevés',
      isExtra: true,
      ...selectFilter([{ value: 'true', label: 'Silencieux' }], 'Tous'),
    },
  ],
  ...accountLimits,
  blank: { name: '', email: '', password: '', status: 'ACTIVE' as const, location: '', marketIds: [] },
  form: (form, agent) => (
    <>
      <AccountFields field={form.field} account={agent} />
      <AgentMarkets control={form.control} markets={agent?.markets ?? []} />
    </>
  ),
  details: (agent) => [
    { key: 'email', value: agent.email },
    { key: 'location', value: agent.location ?? notAvailable },
    { key: 'status', value: <AgentStatus {...agent} /> },
    ...collectedDetails(agent),
    {
      key: 'markets',
      value: agent.markets.map(({ name, location }) => `${name} (${location})`).join(', ') || 'Aucun',
    },
    { key: 'created_at', value: formatDateTime(agent.created_at) },
    { key: 'updated_at', value: formatDateTime(agent.updated_at) },
  ],
})
