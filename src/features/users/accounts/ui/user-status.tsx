import type { UserStatus } from '#features/users/accounts/accounts.contract.ts'
import type { FilterControlProps } from '#web/forms/suggestions.tsx'
import { Badge, type Tone } from '#web/ui/badge.tsx'
import { FilterSelect } from '#web/ui/filter-controls.tsx'

const words: Record<UserStatus, [label: string, tone: Tone]> = {
  ACTIVE: ['Actif', 'green'],
  INACTIVE: ['Inactif', 'grey'],
  SUSPENDED: ['Suspendu', 'amber'],
  PENDING: ['En attente', 'blue'],
  BANNED: ['Banni', 'red'],
}

const statusOptions = Object.entries(words).map(([value, [label]]) => ({ value, label }))

/** Returns the statuses that a form offers: BANNED only for an account that already is. */
export function statusChoices(held: UserStatus | undefined) {
  return statusOptions.filter(({ value }) => value !== 'BANNED' || held === 'BANNED')
}

/** The status of an account. */
export function UserStatusBadge({ status }: { status: UserStatus }) {
  const [label, tone] = words[status]
  return (
    <Badge tone={tone} dot>
      {label}
    </Badge>
  )
}

/** A filter of accounts by their status. */
export const statusFilter = {
  key: 'status' as const,
  control: (props: FilterControlProps) => <FilterSelect {...props} options={statusOptions} />,
  chip: ({ value }: { value: string }) =>
    statusOptions.find((option) => option.value === value)?.label ?? value,
}
