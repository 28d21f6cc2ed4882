import { z } from 'zod'
import {
  emailAddress,
  instant,
  newPassword,
  optionalQuery,
  optionalText,
  searchText,
  text,
} from '#shared/fields.ts'

/** Status of an account; only ACTIVE can sign in. */
export const userStatus = z.enum(
  ['ACTIVE', 'INACTIVE', 'SUSPENDED', 'PENDING', 'BANNED'],
  'Le statut est ACTIVE, INACTIVE, SUSPENDED, PENDING ou BANNED',
)
export type UserStatus = z.infer<typeof userStatus>

/** Words for statuses on screen. */
export const userStatuses: Record<UserStatus, string> = {
  ACTIVE: 'Actif',
  INACTIVE: 'Inactif',
  SUSPENDED: 'Suspendu',
  PENDING: 'En attente',
  BANNED: 'Banni',
}

/** Columns that every list of accounts shows. */
export const accountRow = z.object({
  id: z.int(),
  name: z.string(),
  email: z.string(),
  status: userStatus,
  location: z.string().nullable(),
  avatar: z.string().nullable(),
  avatar_url: z.string().nullable(),
  created_at: instant,
  updated_at: instant,
  /** Permissions of the account; only a user who has all of them may change it. */
  permissions: z.array(z.string()),
  _count: z.object({ payments: z.int() }),
})
export type AccountRow = z.infer<typeof accountRow>

export const accountFilters = { search: searchText, status: optionalQuery(userStatus) }

/** Fields of an account that its managers write, in every list. */
export const accountInput = z.object({
  name: text(200),
  email: emailAddress,
  password: newPassword,
  status: userStatus.optional(),
  location: optionalText(200),
})
export type NewAccount = z.output<typeof accountInput>
/** A partial change of an account. Only some lists include roles. */
export type AccountChange = { [Field in keyof NewAccount]?: NewAccount[Field] | undefined } & {
  roleIds?: readonly number[] | undefined
}

/** A form sends an empty password for an unchanged one. */
export const passwordChange = z.union([z.literal('').transform(() => undefined), newPassword]).optional()

/** Label of a field that no file contains. */
export const accountLabels = { password: 'Mot de passe' }
