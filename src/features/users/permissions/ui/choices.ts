import { byArea } from '#features/users/permissions/areas.rules.ts'
import { permissionRows } from '#features/users/permissions/permissions.contract.ts'
import { beyond } from '#features/users/users.rules.ts'
import { useAnswer } from '#web/query.ts'
import { useUser } from '#web/session.ts'

/**
 * Returns every permission as a checkbox, grouped by part of the platform; those that the actor lacks cannot be
 * changed.
 */
export function usePermissionGroups() {
  const { permissions: own } = useUser()
  const { data } = useAnswer(permissionRows.list, { query: { limit: 200, sort: 'name' } })
  return byArea(data?.permissions ?? []).map(({ label, permissions }) => ({
    label,
    options: permissions.map(({ id, name, description }) => ({
      value: id,
      label: description ?? name,
      hint: name,
      isFixed: beyond(own, [name]).length > 0,
    })),
  }))
}
