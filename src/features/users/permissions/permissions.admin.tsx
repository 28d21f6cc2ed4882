import { permissionRows } from '#features/users/permissions/permissions.contract.ts'
import { adminScreens } from '#web/crud/admin-screens.tsx'
import { formatDateTime, formatNumber, notAvailable } from '#web/format.ts'
import { TextareaField, TextField } from '#web/ui/inputs.tsx'

export const { ListPage: PermissionsPage } = adminScreens(permissionRows, {
  path: '/roles',
  layout: 'table',
  description: 'Ce que la plateforme permet de faire\u202f; un rôle en rassemble plusieurs.',
  nameOf: ({ name }) => name,
  columns: [
    { key: 'name', cell: ({ name }) => <code className="inline-block min-w-42 wrap-anywhere">{name}</code> },
    { key: 'description', cell: ({ description }) => description ?? notAvailable },
    {
      key: 'roles',
      align: 'end',
      cell: ({ _count }) => formatNumber(_count.role_permissions),
    },
  ],
  usedBy: ({ _count }) =>
    _count.role_permissions > 0
      ? {
          count: _count.role_permissions,
          one: 'rôle',
          many: 'rôles',
          to: '/roles',
          search: { tab: 'roles' },
        }
      : null,
  isKept: ({ isSeeded }) => isSeeded,
  blank: { name: '', description: '' },
  requiredToSubmit: ['name'],
  form: ({ field }, permission) => (
    <>
      <TextField
        required
        maxLength={100}
        readOnly={permission?.isSeeded}
        hint={permission?.isSeeded && 'Le programme la connaît sous ce nom, qui ne change pas.'}
        {...field('name')}
      />
      <TextareaField maxLength={500} {...field('description')} />
    </>
  ),
  details: (permission) => [
    { key: 'name', value: permission.name },
    { key: 'description', value: permission.description ?? notAvailable },
    { key: 'roles', value: formatNumber(permission._count.role_permissions) },
    { key: 'created_at', value: formatDateTime(permission.created_at) },
    { key: 'updated_at', value: formatDateTime(permission.updated_at) },
  ],
})
