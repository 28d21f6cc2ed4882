import { UserStatusBadge } from '#features/users/accounts/ui/user-status.tsx'
import type { Agent } from '#features/users/agents/agents.contract.ts'
import type { AgentWork } from '#features/users/agents/collected/collected.contract.ts'
import { formatDateTime, formatMoney, formatNumber, formatPercent, notAvailable } from '#web/format.ts'
import { Badge } from '#web/ui/badge.tsx'

/** The status of an agent, and whether they are silent. */
export function AgentStatus({ status, isSilent }: Pick<Agent, 'status' | 'isSilent'>) {
  return (
    <span className="flex flex-wrap gap-1.5">
      <UserStatusBadge status={status} />
      {isSilent && <Badge tone="ochre">Silencieux</Badge>}
    </span>
  )
}

/** Collection figures of an agent, one per line. */
export function collectedDetails({
  collected7,
  collected30,
  marketsCovered,
  correctedShare,
  lastPrice,
}: AgentWork) {
  return [
    { key: 'collected7' as const, value: formatNumber(collected7) },
    { key: 'collected30' as const, value: formatNumber(collected30) },
    { key: 'marketsCovered' as const, value: formatNumber(marketsCovered) },
    {
      label: 'Corrigés depuis',
      value: correctedShare === null ? notAvailable : formatPercent(100 * correctedShare, false),
    },
    { label: 'Dernier relevé', value: lastPrice ? textOf(lastPrice) : 'Aucun' },
  ]
}

/** Returns the later of the account's last change and its last price. */
export function lastActivity({ updated_at, lastPrice }: Agent): string {
  return lastPrice && lastPrice.collectedAt > updated_at ? lastPrice.collectedAt : updated_at
}

function textOf({ product, market, priceValue, currency, collectedAt }: NonNullable<AgentWork['lastPrice']>) {
  return `${product}, ${market}\u00a0: ${formatMoney(priceValue, currency)}, le ${formatDateTime(collectedAt)}`
}
