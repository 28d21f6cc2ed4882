import type { z } from 'zod'
import { usePermissionGroups } from '#features/users/permissions/ui/choices.ts'
import { type Role, roles } from '#features/users/roles/roles.contract.ts'
import { RoleBadge } from '#features/users/roles/ui/role-badge.tsx'
import { beyond } from '#features/users/users.rules.ts'
import { adminScreens } from '#web/crud/admin-screens.tsx'
import type { Fields } from '#web/crud/screens.ts'
import { formatDateTime, formatNumber, notAvailable } from '#web/format.ts'
import { CheckboxList } from '#web/forms/checkbox-list.tsx'
import { TextareaField, TextField } from '#web/ui/inputs.tsx'

const names = ({ permissions }: Role) => permissions.map(({ name }) => name)

export const { ListPage: RolesPage } = adminScreens(roles, {
  path: '/roles',
  layout: 'table',
  description:
    'Ce que chacun peut faire\u00a0: un changement vaut dès la prochaine action de ceux qui ont le rôle.',
  nameOf: ({ name }) => name,
  columns: [
    { key: 'name', cell: ({ name }) => <RoleBadge role={name} /> },
    { key: 'description', cell: ({ description }) => description ?? notAvailable },
    {
      key: 'permissions',
      align: 'end',
      cell: ({ permissions }) => formatNumber(permissions.length),
    },
    { key: 'users', align: 'end', cell: ({ _count }) => formatNumber(_count.users) },
  ],
  isLocked: (role, user) =>
    user.roles.includes(role.name) || beyond(user.permissions, names(role)).length > 0,
  usedBy: ({ id, _count }) =>
    _count.users > 0
      ? {
          count: _count.users,
          one: 'utilisateur',
          many: 'utilisateurs',
          to: '/users',
          search: { roleId: id },
        }
      : null,
  isKept: ({ isSeeded }) => isSeeded,
  blank: { name: '', description: '', permissionIds: [] },
  requiredToSubmit: ['name'],
  form: (form, role) => <RoleFields form={form} role={role} />,
  formSize: 'lg',
  details: (role) => [
    { key: 'name', value: role.name },
    { key: 'description', value: role.description ?? notAvailable },
    { key: 'users', value: formatNumber(role._count.users) },
    { key: 'permissions', value: names(role).join(', ') || 'Aucune' },
    { key: 'created_at', value: formatDateTime(role.created_at) },
    { key: 'updated_at', value: formatDateTime(role.updated_at) },
  ],
})

function RoleFields({ form, role }: { form: Fields<z.input<typeof roles.input>>; role: Role | undefined }) {
  const { field, control } = form
  const groups = usePermissionGroups()
  return (
    <>
      <TextField
        required
        maxLength={100}
        readOnly={role?.isSeeded}
        hint={role?.isSeeded && 'Le programme le connaît sous ce nom, qui ne change pas.'}
        {...field('name')}
      />
      <TextareaField maxLength={500} {...field('description')} />
      <CheckboxList control={control} name="permissionIds" label={roles.labels.permissions} groups={groups} />
    </>
  )
}
