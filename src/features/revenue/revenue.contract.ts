import { z } from 'zod'
import { paymentMethod } from '#features/payments/payments.contract.ts'
import { bytes, defineEndpoint } from '#shared/contract.ts'
import { fileMedia, listFormat } from '#shared/export.ts'
import { currency, instant, optionalQuery } from '#shared/fields.ts'

export const revenueQuery = z.object({
  /** The current month in Kinshasa when absent. */
  month: optionalQuery(
    z.string('Mois attendu (aaaa-mm)').regex(/^20\d\d-(0[1-9]|1[0-2])$/, 'Mois attendu (aaaa-mm)'),
  ),
})

const sum = { currency, count: z.int(), amount: z.number() }

export const departureReasons = {
  refunded: 'Remboursé',
  canceled: 'Résilié',
  'not renewed': 'Non renouvelé',
} as const

const departureReason = z.enum(['refunded', 'canceled', 'not renewed'])

const comer = { userId: z.int(), name: z.string(), plan: z.string(), at: instant }

export const revenue = z
  .object({
    month: z.string(),
    /** End of the period counted: the end of the month, or now. */
    until: instant,
    /** The twelve months up to this one, for each currency received. */
    months: z.array(
      z.object({
        month: z.string(),
        currency,
        received: z.number(),
        receivedCount: z.int(),
        refunded: z.number(),
        refundedCount: z.int(),
      }),
    ),
    /** Payments pending now, the longest waiting first, by age in days of Kinshasa. */
    waiting: z.array(z.object({ age: z.enum(['older', 'week', 'day']), oldestAt: instant, ...sum })),
    byPlan: z.array(z.object({ plan: z.string().nullable(), ...sum })),
    byMethod: z.array(z.object({ paymentMethod, ...sum })),
    /** Monthly revenue of current subscribers, at today's prices of their plans. */
    recurring: z.array(z.object(sum)),
    active: z.int(),
    /** The periods of the 200 latest current subscribers; `amount` is what their plan brings in a month. */
    running: z.array(z.object({ ...comer, amount: z.number(), currency })),
    /** The 200 latest new and lost subscribers. */
    added: z.object({ count: z.int(), rows: z.array(z.object(comer)) }),
    lost: z.object({
      count: z.int(),
      reasons: z.array(z.object({ why: departureReason, count: z.int() })),
      rows: z.array(
        z.object({
          ...comer,
          why: departureReason,
          /** Given by the team or the subscriber. */
          reason: z.string().nullable(),
        }),
      ),
    }),
    /** Trials that ended in the month; `plan` is the first one paid within 30 days of the end, null when there is none. */
    trials: z.object({
      ended: z.int(),
      converted: z.int(),
      /** The 200 latest. */
      rows: z.array(z.object({ ...comer, plan: z.string().nullable() })),
    }),
  })
  .meta({ id: 'Revenue' })
export type Revenue = z.infer<typeof revenue>

export const revenues = {
  read: defineEndpoint({
    method: 'GET',
    path: '/api/payments/revenue',
    right: 'subscriptions.read',
    summary: 'Recettes d’un mois',
    description:
      'Reçu, remboursé, en attente, abonnés, revenu mensuel récurrent et conversion des essais, chaque devise à part. Les mois sont ceux de Kinshasa.',
    query: revenueQuery,
    response: revenue,
  }),
  exportAll: defineEndpoint({
    method: 'GET',
    path: '/api/payments/revenue/export',
    right: 'subscriptions.read',
    summary: 'Recettes d’un mois, en fichier',
    description: 'Une ligne par chiffre, avec sa définition.',
    query: revenueQuery.extend({ fileFormat: listFormat }),
    media: fileMedia,
    response: bytes,
  }),
}
