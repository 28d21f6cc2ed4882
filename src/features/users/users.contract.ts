import { z } from 'zod'
import {
  accountFilters,
  accountInput,
  accountLabels,
  accountRow,
  passwordChange,
  userStatuses,
} from '#features/users/accounts/accounts.contract.ts'
import { idFilter, idList } from '#shared/fields.ts'
import { defineResource } from '#shared/resource.ts'

const userRole = z.object({ role_id: z.int(), role: z.object({ id: z.int(), name: z.string() }) })

export const user = accountRow
  .extend({
    auth_provider: z.string(),
    email_verified: z.boolean(),
    user_roles: z.array(userRole),
    /** Ids of the roles, as they are written. */
    roleIds: z.array(z.int()),
    hasSecondFactor: z.boolean(),
  })
  .meta({ id: 'User' })
export type User = z.infer<typeof user>

const input = accountInput.extend({ roleIds: idList.optional() })

export const users = defineResource({
  name: 'users',
  listed: 'data',
  noun: { one: 'Utilisateur', many: 'utilisateurs', gender: 'm' },
  permission: { read: 'users.manage', write: 'users.manage' },
  row: user,
  input: input.meta({ id: 'NewUser' }),
  change: input.partial().extend({ password: passwordChange }).meta({ id: 'UserChange' }),
  filters: { ...accountFilters, roleId: idFilter },
  sortable: ['name', 'email', 'status', 'created_at'],
  columns: [
    { key: 'name', title: 'Nom', value: ({ name }) => name },
    { key: 'email', title: 'E-mail', value: ({ email }) => email },
    { key: 'location', title: 'Localité', value: ({ location }) => location },
    {
      key: 'roles',
      title: 'Rôles',
      value: ({ user_roles }) => user_roles.map(({ role }) => role.name).join(', '),
    },
    {
      key: 'status',
      title: 'Statut',
      value: ({ status }) => status,
      words: ({ status }) => userStatuses[status],
    },
    { key: 'created_at', title: 'Créé le', kind: 'instant', value: ({ created_at }) => created_at },
  ],
  labels: { ...accountLabels, roleId: 'Rôle' },
  figures: { users: 'Total', active: 'Actifs', agents: 'Agents', enterprises: 'Entreprises' },
})
