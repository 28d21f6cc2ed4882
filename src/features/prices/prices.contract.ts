import { z } from 'zod'
import { priceFilterShape } from '#features/figures/filters/filters.contract.ts'
import { priceAddresses } from '#features/prices/prices.addresses.ts'
import { oldestPriceDay } from '#features/prices/prices.rules.ts'
import { changesAnswer, changesQuery } from '#shared/changes.ts'
import { acknowledgement, defineEndpoint, pagination } from '#shared/contract.ts'
import {
  amount,
  currency,
  idParams,
  inOrder,
  instant,
  instantInput,
  listQuery,
  optionalText,
  reference,
  reversedPeriod,
  searchText,
  text,
  version,
} from '#shared/fields.ts'
import type { Noun } from '#shared/resource.ts'

export const priceNoun: Noun = { one: 'Prix', many: 'prix', gender: 'm' }

const named = z.object({ id: z.int(), name: z.string() })

export const price = z
  .object({
    id: z.int(),
    productId: z.int(),
    marketId: z.int(),
    /** In `currency`, as collected. */
    priceValue: z.number(),
    currency,
    collectorName: z.string(),
    source: z.string().nullable(),
    collectedAt: instant,
    /** Local day of collection in the market's time zone, `yyyy-mm-dd`; date filters compare it. */
    observedOn: z.string(),
    /** `aggregate`: an average published by the source instead of a single quote. */
    flag: z.enum(['actual', 'aggregate']),
    createdAt: instant,
    updatedAt: instant,
    /** Whether the caller may edit it now. */
    canEdit: z.boolean(),
    /** Whether it looks doubtful and waits for review; until then it is not the last price of its series. */
    isUnderReview: z.boolean(),
    /** Whether it has photos; /photos returns them to users who check prices. */
    hasPhoto: z.boolean(),
    product: named.extend({
      code: z.string(),
      weight: z.string(),
      format: z.string(),
      price: z.number().nullable(),
      brand: named.nullable(),
      type: named.extend({ category: named }),
    }),
    market: named.extend({ location: z.string() }),
  })
  .meta({ id: 'Price' })
export type Price = z.infer<typeof price>

/** The days of a selection, both inclusive, compared with the price's local day. */
export const periodFilters = { startDate: priceFilterShape.startDate, endDate: priceFilterShape.endDate }

/**
 * Filters, order and page, shared by the list and the endpoints derived from it. The order of the two days is not yet
 * checked.
 */
export const priceQuery = listQuery(['observedOn', 'priceValue']).extend(priceFilterShape)

/** When a price was collected: not before `oldestPriceDay`. */
const collectionInput = instantInput.refine(
  (value) => String(value) >= oldestPriceDay,
  'Un prix d’avant 1990 n’est pas accepté',
)

// No default here: in the optional body of PUT, it would overwrite the currency that a client omits.
const input = z
  .object({
    productId: reference('Choisissez un produit'),
    marketId: reference('Choisissez un marché'),
    priceValue: amount,
    /** CDF when absent. */
    currency: currency.optional(),
    collectorName: text(200),
    source: optionalText(500),
    /** Now when absent. A calendar day without an hour means that day in the market's time zone. */
    collectedAt: collectionInput.nullish(),
    // Other names of the same field, read in this order.
    collected_at: collectionInput.nullish(),
    createdAt: collectionInput.nullish(),
    created_at: collectionInput.nullish(),
  })
  .meta({ id: 'PriceBody' })

const written = price.extend({ message: z.string() })

export const prices = {
  list: defineEndpoint({
    ...priceAddresses.list,
    right: 'prices.read',
    summary: 'Liste\u00a0: prix',
    description:
      'Les filtres se combinent. Sans tri, du relevé le plus récent au plus ancien. Avec `format=csv`, toute la sélection en un fichier pour programmes, comme l’export.',
    query: priceQuery.extend(changesQuery).refine(inOrder, reversedPeriod),
    response: z.object({ data: z.array(price), pagination }),
    changes: changesAnswer(price),
  }),
  collectors: defineEndpoint({
    ...priceAddresses.collectors,
    right: ['prices.write', 'prices.collect'],
    summary: 'Collecteurs à proposer à la saisie d’un prix, 200 au plus',
    description: 'Les noms des comptes qui peuvent relever des prix, par ordre alphabétique.',
    query: z.object({ search: searchText }),
    response: z.object({ data: z.array(named) }),
  }),
  find: defineEndpoint({
    ...priceAddresses.find,
    right: 'prices.read',
    summary: 'Une fiche\u00a0: prix',
    description: 'Le relevé, avec son produit et son marché.',
    params: idParams,
    response: price,
  }),
  create: defineEndpoint({
    method: 'POST',
    path: '/api/prices',
    right: ['prices.write', 'prices.collect'],
    summary: 'Créer\u00a0: prix',
    description: 'Enregistre un relevé.',
    body: input,
    status: 201,
    response: written,
  }),
  update: defineEndpoint({
    method: 'PUT',
    path: '/api/prices/{id}',
    right: ['prices.write', 'prices.collect'],
    summary: 'Modifier\u00a0: prix (les siens pendant 48 heures, ou tous)',
    description: 'Les champs absents ne changent pas. L’ancienne valeur reste dans le journal.',
    params: idParams,
    // In a PUT, a client that sends a whole row back gives the creation time in `createdAt`, not the collection time.
    body: input
      .omit({ createdAt: true, created_at: true })
      .partial()
      .extend({ updatedAt: version, updated_at: version }),
    response: written,
  }),
  remove: defineEndpoint({
    method: 'DELETE',
    path: '/api/prices/{id}',
    right: 'prices.write',
    summary: 'Supprimer\u00a0: prix',
    description: 'Retire le relevé des listes et des chiffres. Le journal garde ce qu’il disait.',
    params: idParams,
    response: acknowledgement,
  }),
}
