import { z } from 'zod'
import { operator } from '#features/payments/checkout/checkout.contract.ts'
import { acknowledgement, defineEndpoint } from '#shared/contract.ts'
import { amount, currency, idParams, instant, reference, tokenInAddress } from '#shared/fields.ts'

const link = z
  .object({
    id: z.int(),
    /** Absolute. */
    url: z.string(),
    plan: z.string(),
    amount: z.number(),
    currency,
    createdAt: instant,
    expiresAt: instant,
  })
  .meta({ id: 'PaymentLink' })
export type PaymentLink = z.infer<typeof link>

/** Links by which someone else pays for a subscriber. */
export const paymentLinks = {
  list: defineEndpoint({
    method: 'GET',
    path: '/api/payments/links',
    right: 'session',
    summary: 'Ses liens de paiement',
    description: 'Ceux qui valent encore, le dernier d’abord.',
    response: z.object({ data: z.array(link) }),
  }),
  create: defineEndpoint({
    method: 'POST',
    path: '/api/payments/links',
    right: 'session',
    summary: 'Faire payer son abonnement par quelqu’un d’autre',
    description:
      'Une adresse qui ne montre que le plan et son montant, sans nom ni e-mail. Elle vaut 14 jours, et se retire.',
    body: z.object({ planId: reference('Choisissez un plan') }).meta({ id: 'PaymentLinkBody' }),
    status: 201,
    response: link.extend({ message: z.string() }),
  }),
  remove: defineEndpoint({
    method: 'DELETE',
    path: '/api/payments/links/{id}',
    right: 'session',
    summary: 'Retirer un lien de paiement',
    description: 'Personne ne peut plus payer par lui. Ce qui est déjà payé le reste.',
    params: idParams,
    response: acknowledgement,
  }),
}

export const payByLink = defineEndpoint({
  method: 'POST',
  path: '/api/public/payment-links/{token}',
  right: 'public',
  summary: 'Payer par un lien',
  description:
    'Sans compte, par mobile money avec son propre numéro, ou par carte (VISA) où elle est prise\u00a0: la page du lien mène alors à celle de la carte.',
  params: z.object({ token: z.string().regex(tokenInAddress, 'Lien invalide') }),
  body: z
    .object({
      /** Mobile money when absent. */
      method: z.enum(['MOBILE_MONEY', 'VISA'], 'Le moyen de paiement est MOBILE_MONEY ou VISA').nullish(),
      /** For mobile money, in any usual format. */
      phone: z.string('Indiquez le numéro à débiter').max(40, '40 caractères au plus').nullish(),
      /** Guessed from the number when absent. */
      operator: operator.nullish(),
      /** The amount shown to the payer; the request is refused if the amount due differs. */
      amount: amount.nullish(),
    })
    .meta({ id: 'LinkPaymentBody' }),
  status: 201,
  response: z
    .object({
      /** Reference with which the link's page follows the payment. */
      reference: z.string(),
      message: z.string(),
    })
    .meta({ id: 'LinkPayment' }),
})
