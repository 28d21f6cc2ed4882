import { z } from 'zod'
import { doubtReasons } from '#features/prices/doubt/doubt.rules.ts'
import { reviewAddresses } from '#features/reviews/reviews.addresses.ts'
import { outcomeWords, reasonTitles } from '#features/reviews/reviews.rules.ts'
import { bytes, defineEndpoint, pagination } from '#shared/contract.ts'
import { type ExportColumn, fileMedia, listFormat } from '#shared/export.ts'
import {
  amount,
  currency,
  dayFilter,
  dayInput,
  inOrder,
  instant,
  listQuery,
  optionalQuery,
  optionalText,
  reversedPeriod,
  version,
} from '#shared/fields.ts'

const reviewReason = z.enum(doubtReasons, `Motif attendu\u00a0: ${doubtReasons.join(', ')}`)

const productShown = z.object({ id: z.int(), name: z.string(), weight: z.string() })
const marketShown = z.object({ id: z.int(), name: z.string(), location: z.string() })
const person = z.object({ id: z.int(), name: z.string() })

/** A price that waits for review. */
const review = z
  .object({
    priceId: z.int(),
    /** The most serious first, each with a sentence that gives its evidence. */
    reasons: z.array(z.object({ code: reviewReason, message: z.string() })),
    /** `returned`: it is in its agent's list. */
    state: z.enum(['waiting', 'returned']),
    product: productShown,
    market: marketShown,
    priceValue: z.number(),
    currency,
    /** Usual price of the series in CDF; null where unknown. */
    usual: z.number().nullable(),
    /** The price most likely meant, when a zero too many or too few explains it. */
    likely: z.number().nullable(),
    observedOn: z.string(),
    collectorName: z.string(),
    /** The agent it can be returned to; null for a price that no account wrote. */
    agent: person.nullable(),
    /** Why it was returned, and the day by which an answer is expected. */
    comment: z.string().nullable(),
    dueOn: z.string().nullable(),
    /** Whether its agent maintains it after a return. */
    isMaintained: z.boolean(),
    createdAt: instant,
    /** Version of the price, to send back with the decision. */
    updatedAt: instant,
  })
  .meta({ id: 'Review' })
export type Review = z.infer<typeof review>

export const reviewOutcomes = ['confirmed', 'accepted', 'corrected', 'rejected', 'withdrawn'] as const

/** A decision about a doubtful price: a line of the cleaning log. */
const reviewDecision = z
  .object({
    priceId: z.int(),
    reasons: z.array(reviewReason),
    /** `confirmed`: by two quotes, without a reviewer; `withdrawn`: the price was deleted elsewhere. */
    state: z.enum(reviewOutcomes),
    product: productShown,
    market: marketShown,
    observedOn: z.string(),
    /** The price when it was doubted. */
    priceValue: z.number(),
    currency,
    /** The corrected price; null otherwise. */
    newValue: z.number().nullable(),
    newCurrency: currency.nullable(),
    comment: z.string().nullable(),
    agent: person.nullable(),
    /** Null where no user decided. */
    decidedBy: person.nullable(),
    decidedAt: instant,
  })
  .meta({ id: 'ReviewDecision' })
export type ReviewDecision = z.infer<typeof reviewDecision>

const columns: readonly (ExportColumn<ReviewDecision> & { key: string })[] = [
  { key: 'decidedAt', title: 'Quand', kind: 'instant', value: ({ decidedAt }) => decidedAt },
  { key: 'decidedBy', title: 'Qui', value: ({ decidedBy }) => decidedBy?.name ?? null },
  { key: 'priceId', title: 'Prix (n°)', kind: 'number', value: ({ priceId }) => priceId },
  { key: 'product', title: 'Produit', value: ({ product }) => `${product.name}, ${product.weight}` },
  { key: 'market', title: 'Marché', value: ({ market }) => `${market.name}, ${market.location}` },
  { key: 'observedOn', title: 'Relevé le', value: ({ observedOn }) => observedOn },
  { key: 'agent', title: 'Agent', value: ({ agent }) => agent?.name ?? null },
  {
    key: 'reasons',
    title: 'Pourquoi',
    value: ({ reasons }) => reasons.join(' '),
    words: ({ reasons }) => reasons.map((reason) => reasonTitles[reason]).join(', '),
  },
  { key: 'state', title: 'Décision', value: ({ state }) => state, words: ({ state }) => outcomeWords[state] },
  { key: 'comment', title: 'Commentaire', value: ({ comment }) => comment },
  { key: 'priceValue', title: 'Ancien prix', kind: 'amount', value: ({ priceValue }) => priceValue },
  { key: 'currency', title: 'Ancienne devise', value: ({ currency }) => currency },
  { key: 'newValue', title: 'Nouveau prix', kind: 'amount', value: ({ newValue }) => newValue },
  { key: 'newCurrency', title: 'Nouvelle devise', value: ({ newCurrency }) => newCurrency },
]

const logFilters = {
  state: optionalQuery(z.enum(reviewOutcomes, `Décision attendue\u00a0: ${reviewOutcomes.join(', ')}`)),
  startDate: dayFilter,
  endDate: dayFilter,
}
const logSortable = ['decidedAt'] as const
const logPages = listQuery(logSortable, 20)

const logQuery = logPages.extend(logFilters).refine(inOrder, reversedPeriod)

export const decisions = ['accept', 'correct', 'return', 'reject'] as const

/** Doubtful prices, decided by users who may edit any price. */
export const reviews = {
  list: defineEndpoint({
    ...reviewAddresses.list,
    right: 'collection.read',
    summary: 'Les prix à vérifier',
    description:
      'Ce que leur série, un autre relevé, la visite ou le lieu rend douteux, par motif, le plus gros écart d’abord. Deux relevés à moins de 8\u00a0% et de 14 jours en confirment un sans personne.',
    query: listQuery(['gap'], 50)
      .omit({ sort: true })
      .extend({ reason: optionalQuery(reviewReason) }),
    response: z.object({
      data: z.array(review),
      pagination,
      /** Number in the last seven days. */
      confirmed: z.int(),
    }),
  }),
  decide: defineEndpoint({
    ...reviewAddresses.decide,
    right: 'prices.write',
    summary: 'Trancher un prix à vérifier',
    description:
      'L’accepter, le corriger, le renvoyer à son agent avec un motif et un délai, ou l’écarter\u00a0: un prix écarté quitte toutes les listes et tous les chiffres. Un prix déjà tranché, ou modifié depuis sa lecture (`updatedAt`), est refusé (409).',
    params: z.object({
      priceId: z
        .string()
        .regex(/^\d{1,15}$/, 'Identifiant invalide')
        .meta({ type: 'integer', pattern: undefined, minimum: 0 })
        .transform(Number),
    }),
    body: z
      .object({
        decision: z.enum(decisions, `Décision attendue\u00a0: ${decisions.join(', ')}`),
        /** Required for a return. */
        reason: optionalText(300),
        /** Required for a correction. */
        priceValue: amount.nullish(),
        /** Defaults to the price's own currency. */
        currency: currency.nullish(),
        /** Day by which its agent must answer; in three days when absent. */
        dueOn: dayInput.nullish(),
        updatedAt: version,
      })
      .refine(({ decision, priceValue }) => decision !== 'correct' || priceValue, {
        path: ['priceValue'],
        error: 'Ce champ est obligatoire',
      })
      .refine(({ decision, reason }) => decision !== 'return' || reason, {
        path: ['reason'],
        error: 'Dites à l’agent ce qui est à revoir',
      })
      .meta({ id: 'ReviewBody' }),
    response: z.object({
      message: z.string(),
      state: z.enum(['accepted', 'corrected', 'returned', 'rejected']),
    }),
  }),
}

/** The cleaning log: the decision about each price, with its author and reason. */
export const reviewLog = {
  name: 'review-log',
  sortable: logSortable,
  listed: 'data',
  query: logQuery,
  noun: { one: 'Décision', many: 'décisions sur les prix', gender: 'f' as const },
  columns,
  list: defineEndpoint({
    method: 'GET',
    path: '/api/reviews/log',
    right: 'collection.read',
    summary: 'Le journal de nettoyage',
    description: 'Qui a décidé quoi de chaque prix douteux, pourquoi, avec l’ancienne et la nouvelle valeur.',
    query: logQuery,
    response: z.object({ data: z.array(reviewDecision), pagination }),
  }),
  exportAll: defineEndpoint({
    method: 'GET',
    path: '/api/reviews/log/export',
    right: 'collection.read',
    summary: 'Exporter le journal de nettoyage',
    description: 'Toute la sélection, sans pages.',
    query: logPages
      .omit({ page: true, limit: true })
      .extend({ ...logFilters, fileFormat: listFormat })
      .refine(inOrder, reversedPeriod),
    media: fileMedia,
    response: bytes,
  }),
}
