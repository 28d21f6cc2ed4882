import { z } from 'zod'
import { authAddresses } from '#features/auth/auth.addresses.ts'
import { acknowledgement, defineEndpoint } from '#shared/contract.ts'
import { instant, secondFactorCode, text } from '#shared/fields.ts'

/** The signed-in user, as their own browser needs it. */
export const account = z
  .object({
    id: z.int(),
    name: z.string(),
    email: z.string(),
    status: z.string(),
    location: z.string().nullable(),
    avatar: z.string().nullable(),
    avatar_url: z.string().nullable(),
    auth_provider: z.string(),
    email_verified: z.boolean(),
    created_at: instant,
    updated_at: instant,
    user_roles: z.array(z.object({ role_id: z.int(), role: z.object({ id: z.int(), name: z.string() }) })),
    /** Names of the roles and all their permissions, which menus and buttons depend on. */
    roles: z.array(z.string()),
    permissions: z.array(z.string()),
    /** False for an account that signs in by other means and has not chosen a password yet. */
    hasPassword: z.boolean(),
    /** Whether the permissions are suspended until the user turns on the second factor that they require. */
    needsSecondFactor: z.boolean(),
  })
  .meta({ id: 'Account' })
export type Account = z.infer<typeof account>

const ownSubscription = z
  .object({
    id: z.int(),
    userId: z.int(),
    planId: z.int().nullable(),
    plan: z.string().nullable(),
    startDate: instant,
    endDate: instant,
    status: z.enum(['TRIAL', 'ACTIVE', 'EXPIRED', 'CANCELED', 'PAUSED']),
  })
  .meta({ id: 'OwnSubscription' })
export type OwnSubscription = z.infer<typeof ownSubscription>

// Not trimmed or normalised: spaces and unusual characters are part of a password.
const typedPassword = z
  .string('Ce champ est obligatoire')
  .min(1, 'Ce champ est obligatoire')
  .max(1000, '1000 caractères au plus')

/** The response to a successful sign-in. */
export const opened = z
  .object({
    user: account,
    token: z.string(),
    isFirstLogin: z.boolean(),
    daysSinceAccountCreation: z.int(),
    /** The subscription in force, otherwise the last one. */
    subscription: ownSubscription.nullable(),
    allSubscriptions: z.array(ownSubscription),
    message: z.string(),
  })
  .meta({ id: 'OpenedSession' })
export type OpenedSession = z.infer<typeof opened>

export const login = defineEndpoint({
  ...authAddresses.login,
  right: 'public',
  summary: 'Se connecter',
  description: 'Ouvre une session par un cookie, pour un navigateur. Un programme emploie plutôt une clé.',
  body: z
    .object({ email: text(254), password: typedPassword, code: secondFactorCode })
    .meta({ id: 'Credentials' }),
  response: opened,
})

export const me = defineEndpoint({
  method: 'GET',
  path: '/api/auth/me',
  right: 'session',
  summary: 'Qui je suis',
  description: 'Le compte de la session, avec ses droits et son abonnement.',
  response: z.object({
    user: account,
    isFirstLogin: z.boolean(),
    daysSinceAccountCreation: z.int(),
    subscription: ownSubscription.nullable(),
  }),
})

export const refresh = defineEndpoint({
  ...authAddresses.refresh,
  right: 'public',
  summary: 'Changer le cookie de session contre un nouveau jeton',
  description: 'Prolonge la session du cookie. Un programme qui a une clé n’en a pas besoin.',
  response: z.object({
    user: account,
    token: z.string(),
    isFirstLogin: z.boolean(),
    daysSinceAccountCreation: z.int(),
    subscription: ownSubscription.nullable(),
  }),
})

export const logout = defineEndpoint({
  ...authAddresses.logout,
  right: 'public',
  summary: 'Se déconnecter',
  description: 'Ferme la session du cookie. Répond de même quand il n’y en a pas.',
  response: acknowledgement,
})
