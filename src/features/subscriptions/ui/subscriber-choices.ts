import { users } from '#features/users/users.contract.ts'
import { call } from '#web/api.ts'
import type { SearchOptions } from '#web/ui/use-options.ts'

const staff = ['admin', 'collector', 'super admin', 'superadmin', 'super_admin', 'manager']

/** Users who may be given a subscription: the staff need none. */
export const subscriberChoices: SearchOptions = async (search, signal) => {
  const { data } = await call(users.list, { query: { search, limit: 200 }, signal })
  return data
    .filter(
      ({ user_roles }) => !user_roles.some(({ role }) => staff.includes(role.name.trim().toLowerCase())),
    )
    .slice(0, 30)
    .map(({ id, name, email }) => ({ value: id, label: `${name} (${email})` }))
}
