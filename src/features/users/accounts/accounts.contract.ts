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

/** What an account may be; only ACTIVE signs in. */
export const userStatus = z.enum(
  ['ACTIVE', 'INACTIVE', 'SUSPENDED', 'PENDING', 'BANNED'],
  'Le statut est ACTIVE, INACTIVE, SUSPENDED, PENDING ou BANNED',
)
export type UserStatus = z.infer<typeof userStatus>

/** What every list of accounts shows of one. */
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
  /** What he may do: somebody who may not do all of it does not touch the account. */
  permissions: z.array(z.string()),
  _count: z.object({ payments: z.int() }),
})
export type AccountRow = z.infer<typeof accountRow>

export const accountFilters = { search: searchText, status: optionalQuery(userStatus) }

/** The fields of an account for its managers, whatever list it stands in. */
export const accountInput = z.object({
  name: text(200),
  email: emailAddress,
  password: newPassword,
  status: userStatus.optional(),
  location: optionalText(200),
})
export type NewAccount = z.output<typeof accountInput>
/** The same to change one: what is given. Only some lists say roles. */
export type AccountChange = { [Field in keyof NewAccount]?: NewAccount[Field] | undefined } & {
  roleIds?: readonly number[] | undefined
}

/** A form sends an empty password for an unchanged one. */
export const passwordChange = z.union([z.literal('').transform(() => undefined), newPassword]).optional()

/** Of the fields of an account that no file has. */
export const accountLabels = { password: 'Mot de passe' }
