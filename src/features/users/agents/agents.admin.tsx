import { type Agent, agentFigures, agents, silentAfterDays } from '#features/users/agents/agents.contract.ts'
import { AgentMarkets } from '#features/users/agents/ui/agent-markets.tsx'
import { AccountFields } from '#features/users/ui/account-fields.tsx'
import { accountLimits } from '#features/users/ui/account-limits.ts'
import { Contact, Person } from '#features/users/ui/person.tsx'
import { statusFilter, UserStatusBadge } from '#features/users/ui/user-status.tsx'
import { adminScreens } from '#web/crud/admin-screens.tsx'
import {
  formatDate,
  formatDateTime,
  formatMoney,
  formatNumber,
  formatPercent,
  NOT_AVAILABLE,
} from '#web/format.ts'
import { Badge } from '#web/ui/badge.tsx'

export const { ListPage: AgentsPage } = adminScreens(agents, {
  path: '/agents',
  layout: 'table',
  title: 'Agents',
  description: `Qui relève les prix sur le terrain, où, et combien. Silencieux\u00a0: actif, mais sans relevé depuis ${silentAfterDays} jours.`,
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
    { key: 'lastPrice', header: 'Dernière activité', cell: (agent) => formatDateTime(lastActivity(agent)) },
    {
      key: 'collected30',
      header: 'Relevés, 30 j',
      align: 'end',
      cell: ({ collected30 }) => formatNumber(collected30),
    },
  ],
  filters: [statusFilter],
  figures: {
    endpoint: agentFigures,
    labels: { agents: 'Total', active: 'Actifs', inactive: 'Inactifs', silent: 'Silencieux' },
  },
  ...accountLimits,
  blank: { name: '', email: '', password: '', status: 'ACTIVE' as const, location: '', marketIds: [] },
  form: (form, agent) => (
    <>
      <AccountFields field={form.field} id={agent?.id} />
      <AgentMarkets control={form.control} markets={agent?.markets ?? []} />
    </>
  ),
  details: (agent) => [
    { key: 'email', value: agent.email },
    { key: 'location', value: agent.location ?? NOT_AVAILABLE },
    { key: 'status', value: <AgentStatus {...agent} /> },
    { key: 'collected7', value: formatNumber(agent.collected7) },
    { key: 'collected30', value: formatNumber(agent.collected30) },
    { key: 'marketsCovered', value: formatNumber(agent.marketsCovered) },
    {
      label: 'Corrigés depuis',
      value: agent.correctedShare === null ? NOT_AVAILABLE : formatPercent(agent.correctedShare),
    },
    { label: 'Dernier relevé', value: <LastPrice of={agent} /> },
    {
      key: 'markets',
      value: agent.markets.map(({ name, location }) => `${name} (${location})`).join(', ') || 'Aucun',
    },
    { key: 'created_at', value: formatDateTime(agent.created_at) },
    { key: 'updated_at', value: formatDateTime(agent.updated_at) },
  ],
})

function AgentStatus({ status, isSilent }: Agent) {
  return (
    <span className="flex flex-wrap gap-1.5">
      <UserStatusBadge status={status} />
      {isSilent && <Badge tone="ochre">Silencieux</Badge>}
    </span>
  )
}

function LastPrice({ of: { lastPrice } }: { of: Agent }) {
  if (!lastPrice) return 'Aucun'
  const { product, market, priceValue, currency, collectedAt } = lastPrice
  return `${product}, ${market}\u00a0: ${formatMoney(priceValue, currency)}, le ${formatDateTime(collectedAt)}`
}

/** The later of what was changed of his account and what he collected. */
function lastActivity({ updated_at, lastPrice }: Agent): string {
  return lastPrice && lastPrice.collectedAt > updated_at ? lastPrice.collectedAt : updated_at
}
