import { z } from 'zod'
import { defineEndpoint, pagination } from '#shared/contract.ts'
import { idList, instant, optionalProse, searchText, text } from '#shared/fields.ts'
import { defineResource } from '#shared/resource.ts'

export const role = z
  .object({
    id: z.int(),
    name: z.string(),
    description: z.string().nullable(),
    permissions: z.array(z.object({ id: z.int(), name: z.string() })),
    /** Ids of the permissions, as they are written. */
    permissionIds: z.array(z.int()),
    /** Whether the program created it: it can be neither renamed nor deleted. */
    isSeeded: z.boolean(),
    _count: z.object({ users: z.int() }),
    created_at: instant,
    updated_at: instant,
  })
  .meta({ id: 'Role' })
export type Role = z.infer<typeof role>

const resource = defineResource({
  name: 'roles',
  listed: 'data',
  noun: { one: 'Rôle', many: 'rôles', gender: 'm' },
  // Users with `users.manage` choose roles, so they may read them.
  permission: { read: ['roles.manage', 'users.manage'], write: 'roles.manage' },
  row: role,
  input: z
    .object({ name: text(100), description: optionalProse(500), permissionIds: idList.optional() })
    .meta({ id: 'RoleBody' }),
  filters: { search: searchText },
  sortable: ['name', 'created_at', 'permissions', 'users'],
  columns: [
    { key: 'name', title: 'Nom', value: ({ name }) => name },
    { key: 'description', title: 'Description', value: ({ description }) => description },
    {
      key: 'permissions',
      title: 'Permissions',
      value: ({ permissions }) => permissions.map(({ name }) => name).join(', '),
    },
    { key: 'users', title: 'Utilisateurs', kind: 'number', value: ({ _count }) => _count.users },
    { key: 'created_at', title: 'Créé le', kind: 'instant', value: ({ created_at }) => created_at },
  ],
})

/** The list returns its page in two formats, since clients were written for either. */
export const roles = {
  ...resource,
  list: defineEndpoint({
    ...resource.list,
    response: resource.list.response.extend(pagination.shape),
  }),
}
