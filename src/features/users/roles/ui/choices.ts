import { isAdministering } from '#features/auth/auth.rules.ts'
import { roles } from '#features/users/roles/roles.contract.ts'
import { beyond } from '#features/users/users.rules.ts'
import { choicesOf, namedOption } from '#web/forms/choices.ts'
import { useAnswer } from '#web/query.ts'
import { useUser } from '#web/session.ts'

export const roleChoices = choicesOf(roles, namedOption, 'Rôle inconnu')

/**
 * Returns every role as a checkbox for an account. Fixed are roles beyond the user's own permissions, and the user's
 * own administering roles.
 * @param account absent for a new account
 */
export function useRoleOptions(account: { id: number; roleIds: readonly number[] } | undefined) {
  const own = useUser()
  const { data } = useAnswer(roles.list, { query: { limit: 200, sort: 'name' } })
  const held = account?.id === own.id ? account.roleIds : []
  return (data?.data ?? []).map(({ id, name, description, permissions }) => {
    const given = permissions.map((permission) => permission.name)
    const isKept = held.includes(id) && isAdministering(given)
    return {
      value: id,
      label: name,
      hint: isKept ? 'Un autre administrateur peut vous le retirer' : (description ?? undefined),
      isFixed: isKept || beyond(own.permissions, given).length > 0,
    }
  })
}
