import { z } from 'zod'
import { defineEndpoint } from '#shared/contract.ts'
import {
  emailAddress,
  idFilter,
  instant,
  newPassword,
  optionalQuery,
  optionalText,
  reference,
  searchText,
  text,
} from '#shared/fields.ts'
import { defineResource } from '#shared/resource.ts'

/** What an account may be; only ACTIVE signs in. */
export const userStatus = z.enum(
  ['ACTIVE', 'INACTIVE', 'SUSPENDED', 'PENDING', 'BANNED'],
  'Le statut est ACTIVE, INACTIVE, SUSPENDED, PENDING ou BANNED',
)
export type UserStatus = z.infer<typeof userStatus>

const userRole = z.object({ role_id: z.int(), role: z.object({ id: z.int(), name: z.string() }) })

/** What every list of accounts shows of one. */
export const accountRow = {
  id: z.int(),
  name: z.string(),
  email: z.string(),
  status: userStatus,
  location: z.string().nullable(),
  avatar: z.string().nullable(),
  avatar_url: z.string().nullable(),
  created_at: instant,
  updated_at: instant,
  /** What he may do: somebody who may not do all of it does not touch the account. */
  permissions: z.array(z.string()),
  _count: z.object({ payments: z.int() }),
}

export const user = z
  .object({
    ...accountRow,
    auth_provider: z.string(),
    email_verified: z.boolean(),
    user_roles: z.array(userRole),
    /** The same as they are written. */
    roleIds: z.array(z.int()),
    hasSecondFactor: z.boolean(),
  })
  .meta({ id: 'User' })
export type User = z.infer<typeof user>

/** Ids of other rows, each once. */
export const idList = z
  .array(reference('Identifiant invalide'), 'Une liste est attendue')
  .max(200, '200 au plus')
  .transform((ids) => [...new Set(ids)])

export const accountFilters = { search: searchText, status: optionalQuery(userStatus) }
export const userFilters = { ...accountFilters, roleId: idFilter }

/** What whoever manages accounts says of one, whatever list it stands in. */
export const accountInput = z.object({
  name: text(200),
  email: emailAddress,
  password: newPassword,
  status: userStatus.optional(),
  location: optionalText(200),
})

/** Of the fields of an account that no file has. */
export const accountLabels = { password: 'Mot de passe' }

const input = accountInput.extend({ roleIds: idList.optional() })

/** A form sends an empty password for an unchanged one. */
export const passwordChange = z.union([z.literal('').transform(() => undefined), newPassword]).optional()

export const users = defineResource({
  name: 'users',
  listed: 'data',
  noun: { one: 'Utilisateur', many: 'utilisateurs', gender: 'm' },
  permission: { read: 'users.manage', write: 'users.manage' },
  row: user,
  input: input.meta({ id: 'NewUser' }),
  change: input.partial().extend({ password: passwordChange }).meta({ id: 'UserChange' }),
  filters: userFilters,
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
    { key: 'status', title: 'Statut', value: ({ status }) => status },
    { key: 'created_at', title: 'Créé le', kind: 'instant', value: ({ created_at }) => created_at },
  ],
  labels: { ...accountLabels, roleId: 'Rôle' },
})

export type UserChange = z.output<typeof users.change>

/** Figures of the whole selection, whatever page is shown. */
export const userFigures = defineEndpoint({
  method: 'GET',
  path: '/api/users/figures',
  right: 'users.manage',
  summary: 'Chiffres des utilisateurs',
  query: z.object(userFilters),
  response: z
    .object({ users: z.int(), active: z.int(), agents: z.int(), enterprises: z.int() })
    .meta({ id: 'UserFigures' }),
})
