import { z } from 'zod'
import { instant, optionalProse, searchText, text } from '#shared/fields.ts'
import { defineResource } from '#shared/resource.ts'

export const permission = z
  .object({
    id: z.int(),
    name: z.string(),
    description: z.string().nullable(),
    /** Whether the program refers to it: it can be neither renamed nor deleted. */
    isSeeded: z.boolean(),
    _count: z.object({ role_permissions: z.int() }),
    created_at: instant,
    updated_at: instant,
  })
  .meta({ id: 'Permission' })

export const permissionRows = defineResource({
  name: 'permissions',
  listed: 'permissions',
  noun: { one: 'Permission', many: 'permissions', gender: 'f' },
  permission: { read: 'roles.manage', write: 'roles.manage' },
  row: permission,
  input: z.object({ name: text(100), description: optionalProse(500) }).meta({ id: 'PermissionBody' }),
  filters: { search: searchText },
  sortable: ['name', 'created_at', 'roles'],
  columns: [
    { key: 'name', title: 'Nom', value: ({ name }) => name },
    { key: 'description', title: 'Description', value: ({ description }) => description },
    { key: 'roles', title: 'Rôles', kind: 'number', value: ({ _count }) => _count.role_permissions },
    { key: 'created_at', title: 'Créée le', kind: 'instant', value: ({ created_at }) => created_at },
  ],
})
