import { z } from 'zod'
import { operators } from '#features/payments/mobile-money.rules.ts'
import { payment, paymentMethod } from '#features/payments/payments.contract.ts'
import { defineEndpoint } from '#shared/contract.ts'
import { amount, currency, optionalQuery, reference } from '#shared/fields.ts'

export const operator = z.enum(operators, 'L’opérateur est MPESA, AIRTEL ou ORANGE')

export const checkout = defineEndpoint({
  method: 'POST',
  path: '/api/payments/checkout',
  right: 'session',
  summary: 'Payer un abonnement pour soi-même',
  description:
    'Par mobile money, ou par carte (VISA)\u00a0: sa page est alors deposit.pageUrl\u202f; la réponse vient avant celle de l’opérateur\u00a0: suivre GET /api/payments/{id}. Avec Idempotency-Key, une demande répétée ne paie qu’une fois.',
  body: z
    .object({
      planId: reference('Choisissez un plan'),
      /**
       * `now`: a dearer plan begins at once, less the unused days of the current one; `term`: after the paid period.
       */
      when: z.enum(['now', 'term'], 'Tout de suite (now) ou au terme (term)').nullish(),
      method: paymentMethod,
      /** For mobile money, in any usual format. */
      phone: z.string('Un texte est attendu').max(40, '40 caractères au plus').nullish(),
      /** Guessed from the number when absent. */
      operator: operator.nullish(),
      /** The plan's currency when absent; another one is converted at the rate of the day. */
      currency: currency.nullish(),
      /** The amount shown to the payer; the request is refused if the amount due differs. */
      amount: amount.nullish(),
    })
    .meta({ id: 'CheckoutBody' }),
  status: 201,
  response: payment.extend({ message: z.string() }),
})

export const upgradePrice = defineEndpoint({
  method: 'GET',
  path: '/api/payments/upgrade',
  right: 'session',
  summary: 'Prix d’un plan qui commence tout de suite',
  description:
    'Le prix moins les jours qui restent de la période en cours (jours restants ÷ jours en tout × montant payé)\u202f; null pour un plan qui n’est pas plus cher.',
  query: z.object({
    planId: z
      .string('Choisissez un plan')
      .regex(/^\d{1,9}$/, 'Identifiant invalide')
      .meta({ type: 'integer', pattern: undefined, minimum: 1 })
      .transform(Number),
    /** The plan's currency when absent. */
    currency: optionalQuery(currency),
  }),
  response: z.object({
    upgrade: z
      .object({
        plan: z.string().nullable(),
        daysLeft: z.int(),
        totalDays: z.int(),
        price: z.number(),
        credit: z.number(),
        due: z.number(),
        currency,
      })
      .meta({ id: 'UpgradePrice' })
      .nullable(),
  }),
})

export const waysToPay = defineEndpoint({
  method: 'GET',
  path: '/api/payments/methods',
  right: 'session',
  summary: 'Moyens de payer un abonnement',
  description: 'Les opérateurs ouverts en ce moment, avec leurs montants.',
  response: z
    .object({
      /** Whether payments are simulated, without money. */
      isSimulated: z.boolean(),
      /** Rate that converts a plan to the other currency; null where there is none. */
      rate: z.object({ day: z.string(), cdfPerUsd: z.number() }).nullable(),
      /** Phone, operator and currency of the last payment by mobile money; null before the first. */
      lastPayer: z.object({ phone: z.string(), operator, currency }).nullable(),
      /** Currencies of the card page; null where none is configured. */
      card: z.object({ currencies: z.array(currency) }).nullable(),
      mobileMoney: z.array(
        z.object({
          operator,
          currency,
          minAmount: z.string(),
          maxAmount: z.string(),
          decimals: z.literal([0, 2]),
          isOpen: z.boolean(),
        }),
      ),
    })
    .meta({ id: 'WaysToPay' }),
})
