import { z } from 'zod'
import { collectionAddresses } from '#features/collection/collection.addresses.ts'
import { mostRoundMarkets } from '#features/collection/rounds/rounds.rules.ts'
import { absenceReason } from '#features/prices/absence/absence.contract.ts'
import { defineEndpoint } from '#shared/contract.ts'
import { currency, instant } from '#shared/fields.ts'

const roundMarket = z
  .object({
    id: z.int(),
    name: z.string(),
    location: z.string(),
    timeZone: z.string(),
    isOwn: z.boolean(),
    /** Due day of the agent's next planned visit not made yet, from this week's on; null without one within a week. */
    plannedOn: z.string().nullable(),
  })
  .meta({ id: 'RoundMarket' })
export type RoundMarket = z.infer<typeof roundMarket>

const roundGood = z
  .object({
    productId: z.int(),
    name: z.string(),
    weight: z.string(),
    quotesWanted: z.int(),
    /** In the currency it was collected in, with its local day. */
    lastPrice: z.object({ value: z.number(), currency, day: z.string() }).nullable(),
    /** Bounds in CDF, outside of which the phone asks for a confirmation. Null where no usual price is known. */
    usual: z.object({ low: z.number(), high: z.number() }).nullable(),
    /** Last report of its absence after the last price. */
    absence: z.object({ day: z.string(), reason: absenceReason.nullable() }).nullable(),
  })
  .meta({ id: 'RoundGood' })
export type RoundGood = z.infer<typeof roundGood>

const collects = ['prices.collect', 'prices.write'] as const

export const rounds = {
  list: defineEndpoint({
    ...collectionAddresses.rounds,
    right: collects,
    summary: 'Les marchés où relever',
    description: `Les siens d’abord, puis les autres, ${mostRoundMarkets} au plus.`,
    response: z.object({ data: z.array(roundMarket) }),
  }),
  find: defineEndpoint({
    ...collectionAddresses.round,
    right: collects,
    summary: 'La tournée d’un marché',
    description:
      'Les produits de sa liste, ou sans liste ceux qu’on y relève d’habitude, avec leur dernier prix. `serverTime` est l’heure du serveur, pour une horloge déréglée.',
    params: z.object({
      marketId: z
        .string()
        .regex(/^\d{1,15}$/, 'Identifiant invalide')
        .meta({ type: 'integer', pattern: undefined, minimum: 0 })
        .transform(Number),
    }),
    response: z.object({ market: roundMarket, goods: z.array(roundGood), serverTime: instant }),
  }),
}

/** Maximum number of products on a phone. */
export const mostGoods = 5000

export const catalogueOfPhones = defineEndpoint({
  ...collectionAddresses.catalogue,
  right: collects,
  summary: 'Le catalogue pour le téléphone',
  description: `Tous les produits par leur nom, ${mostGoods} au plus, pour relever sans réseau ce qui n’est pas dans la liste d’un marché.`,
  response: z.object({ data: z.array(roundGood.pick({ productId: true, name: true, weight: true })) }),
})
export type Round = z.infer<typeof rounds.find.response>
