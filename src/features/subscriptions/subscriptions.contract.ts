import { z } from 'zod'
import { plan } from '#features/plans/plans.contract.ts'
import { cancelReasons } from '#features/subscriptions/changes/changes.rules.ts'
import { organisation } from '#features/subscriptions/seats/seats.contract.ts'
import { defineEndpoint, pagination } from '#shared/contract.ts'
import {
  blankIs,
  flagFilter,
  idFilter,
  instant,
  instantInput,
  listQuery,
  optionalQuery,
  reference,
  searchText,
} from '#shared/fields.ts'
import { defineResource } from '#shared/resource.ts'

/** Statuses that the team may set; pauses have their own endpoint. */
const givenStatus = z.enum(
  ['TRIAL', 'ACTIVE', 'EXPIRED', 'CANCELED'],
  'Le statut est TRIAL, ACTIVE, EXPIRED ou CANCELED',
)
const subscriptionStatus = z.enum(
  [...givenStatus.options, 'PAUSED'],
  'Le statut est TRIAL, ACTIVE, EXPIRED, CANCELED ou PAUSED',
)
export type SubscriptionStatus = z.infer<typeof subscriptionStatus>

/** Words for statuses on screen. */
export const subscriptionStatuses: Record<SubscriptionStatus, string> = {
  TRIAL: 'Essai',
  ACTIVE: 'Actif',
  EXPIRED: 'Expiré',
  CANCELED: 'Annulé',
  PAUSED: 'En pause',
}

export const subscription = z
  .object({
    id: z.int(),
    userId: z.int(),
    planId: z.int().nullable(),
    planRef: plan.nullable(),
    plan: z.string().nullable(),
    user: z.object({ id: z.int(), name: z.string(), email: z.string(), status: z.string() }),
    startDate: instant,
    /** First instant after the period. */
    endDate: instant,
    status: subscriptionStatus,
    paymentsCount: z.int(),
    /** When its user cancelled the renewal; null otherwise. */
    canceledAt: instant.nullable(),
    cancelReason: z.enum(Object.keys(cancelReasons) as (keyof typeof cancelReasons)[]).nullable(),
    cancelNote: z.string().nullable(),
    /** The plan chosen to follow it; null for the same. */
    nextPlan: z.object({ id: z.int(), name: z.string() }).nullable(),
    /** Since when it is paused, and why; null otherwise. */
    pausedAt: instant.nullable(),
    pauseReason: z.string().nullable(),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'Subscription' })
export type Subscription = z.infer<typeof subscription>

const resource = defineResource({
  name: 'subscriptions',
  listed: 'data',
  noun: { one: 'Abonnement', many: 'abonnements', gender: 'm' },
  permission: { read: 'subscriptions.read', write: 'subscriptions.write' },
  row: subscription,
  // A subscriber, who may only start their own trial, sends only a status; the team must send the other fields.
  input: z
    .object({
      userId: reference('Choisissez un utilisateur').nullish(),
      planId: reference('Choisissez un plan').nullish(),
      startDate: instantInput.nullish(),
      endDate: instantInput.nullish(),
      /** TRIAL when absent. */
      status: givenStatus.optional(),
    })
    .meta({ id: 'SubscriptionBody' }),
  change: z.object({
    planId: z.preprocess(blankIs(null), reference('Choisissez un plan').nullable()).optional(),
    startDate: instantInput.optional(),
    endDate: instantInput.optional(),
    status: givenStatus.optional(),
  }),
  filters: {
    search: searchText,
    status: optionalQuery(subscriptionStatus),
    userId: idFilter,
    planId: idFilter,
    /** Only those in force that end within a week. */
    ending: flagFilter,
  },
  sortable: ['startDate', 'endDate', 'user', 'plan'],
  defaultLimit: 50,
  versioned: 'updatedAt',
  columns: [
    { key: 'user', title: 'Utilisateur', value: ({ user }) => user.name },
    { key: 'email', title: 'E-mail', value: ({ user }) => user.email },
    { key: 'plan', title: 'Plan', value: ({ plan }) => plan ?? 'Essai gratuit' },
    { key: 'price', title: 'Prix', kind: 'amount', value: ({ planRef }) => planRef?.price ?? 0 },
    { key: 'currency', title: 'Devise', value: ({ planRef }) => planRef?.currency ?? '' },
    { key: 'startDate', title: 'Début', kind: 'instant', value: ({ startDate }) => startDate },
    { key: 'endDate', title: 'Fin', kind: 'instant', value: ({ endDate }) => endDate },
    { key: 'status', title: 'Statut', value: ({ status }) => subscriptionStatuses[status] },
    { key: 'paymentsCount', title: 'Paiements', kind: 'number', value: ({ paymentsCount }) => paymentsCount },
  ],
})

/** A user may read their own subscriptions and start their own trial; everything else is for managers. */
export const subscriptions = {
  ...resource,
  find: { ...resource.find, right: 'session' as const },
  create: { ...resource.create, right: 'session' as const },
}

export const subscriptionsOfUser = defineEndpoint({
  method: 'GET',
  path: '/api/subscriptions/user/{userId}',
  right: 'session',
  summary: 'Abonnements d’un utilisateur\u00a0: les siens, ou ceux de tous',
  description: 'Du plus récent au plus ancien.',
  params: z.object({
    userId: z
      .string()
      .regex(/^\d{1,15}$/, 'Identifiant invalide')
      .transform(Number),
  }),
  query: listQuery([], 50)
    .omit({ sort: true })
    .extend({ status: optionalQuery(subscriptionStatus) }),
  response: z.object({ data: z.array(subscription), pagination }),
})

export const subscribers = defineEndpoint({
  method: 'GET',
  path: '/api/subscriptions/subscribers',
  right: 'subscriptions.write',
  summary: 'Utilisateurs à qui donner un abonnement',
  description: 'Ceux dont le rôle n’ouvre pas déjà les données\u202f; 200 au plus, par nom.',
  query: z.object({ search: searchText }),
  response: z.object({ data: z.array(z.object({ id: z.int(), name: z.string(), email: z.string() })) }),
})

export const ownAccess = defineEndpoint({
  method: 'GET',
  path: '/api/subscriptions/access',
  right: 'session',
  summary: 'Jusqu’à quand les données me sont ouvertes',
  description: 'Ce qui ouvre les données, jusqu’à quand, et ce qui suit.',
  response: z
    .object({
      hasAccess: z.boolean(),
      /** Whether the role gives access without a subscription. */
      isExempt: z.boolean(),
      endsAt: instant.nullable(),
      remainingDays: z.int(),
      /** When free access ends unless the address is confirmed. */
      confirmBy: instant.nullable(),
      /** Whether the free trial is available. */
      mayStartTrial: z.boolean(),
      /** The subscription in force, otherwise the last one. */
      subscription: subscription.nullable(),
      /** The organisation whose subscription the user reads with. */
      membership: organisation.shape.membership,
      /** Future subscriptions, the soonest first. */
      upcoming: z.array(subscription),
    })
    .meta({ id: 'DataAccess' }),
})
