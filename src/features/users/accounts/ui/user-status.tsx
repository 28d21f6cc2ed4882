import { type UserStatus, userStatuses } from '#features/users/accounts/accounts.contract.ts'
import { optionsOf } from '#shared/options.ts'
import type { FilterControlProps } from '#web/forms/suggestions.tsx'
import { Badge, type Tone } from '#web/ui/badge.tsx'
import { FilterSelect } from '#web/ui/filter-controls.tsx'

const tones: Record<UserStatus, Tone> = {
  ACTIVE: 'green',
  INACTIVE: 'grey',
  SUSPENDED: 'amber',
  PENDING: 'blue',
  BANNED: 'red',
}

const statusOptions = optionsOf(userStatuses)

/** Returns the statuses that a form offers: BANNED only for an account that already is. */
export function statusChoices(held: UserStatus | undefined) {
  return statusOptions.filter(({ value }) => value !== 'BANNED' || held === 'BANNED')
}

/** The status of an account. */
export function UserStatusBadge({ status }: { status: UserStatus }) {
  return (
    <Badge tone={tones[status]} dot>
      {userStatuses[status]}
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
