import { permissionRows } from '#features/users/permissions/permissions.contract.ts'
import { adminScreens } from '#web/crud/admin-screens.tsx'
import { formatDateTime, formatNumber, NOT_AVAILABLE } from '#web/format.ts'
import { TextareaField, TextField } from '#web/ui/inputs.tsx'

export const { ListPage: PermissionsPage } = adminScreens(permissionRows, {
  path: '/roles',
  layout: 'table',
  description: 'Ce que la plateforme permet de faire\u202f; un rôle en rassemble plusieurs.',
  nameOf: ({ name }) => name,
  columns: [
    { key: 'name', header: 'Nom', cell: ({ name }) => <code className="wrap-anywhere">{name}</code> },
    { key: 'description', header: 'Description', cell: ({ description }) => description ?? NOT_AVAILABLE },
    {
      key: 'roles',
      header: 'Rôles',
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
  awaited: ['name'],
  form: ({ register, formState: { errors } }, permission) => (
    <>
      <TextField
        label="Nom"
        required
        maxLength={100}
        readOnly={permission?.isSeeded}
        hint={permission?.isSeeded && 'Le programme la connaît sous ce nom, qui ne change pas.'}
        error={errors.name?.message}
        {...register('name')}
      />
      <TextareaField
        label="Description"
        maxLength={500}
        error={errors.description?.message}
        {...register('description')}
      />
    </>
  ),
  details: (permission) => [
    { label: 'Nom', value: permission.name },
    { label: 'Description', value: permission.description ?? NOT_AVAILABLE },
    { label: 'Rôles qui l’ont', value: formatNumber(permission._count.role_permissions) },
    { label: 'Créée le', value: formatDateTime(permission.created_at) },
    { label: 'Modifiée le', value: formatDateTime(permission.updated_at) },
  ],
})
