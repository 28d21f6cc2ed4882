import { z } from 'zod'
import { collectionAddresses } from '#features/collection/collection.addresses.ts'
import { absenceReason } from '#features/prices/absence/absence.contract.ts'
import { defineEndpoint } from '#shared/contract.ts'
import { amount, currency, dayInput, instant, instantInput, reference, text } from '#shared/fields.ts'

/** How many entries a batch may hold. */
export const mostEntries = 100

// Written by hand on the other side: with or without the accent.
const typedReason = z.preprocess(
  (value) => (value === 'marche ferme' || value === 'marche_ferme' ? 'marché fermé' : value),
  absenceReason,
)
const clientId = z.uuid('Un identifiant UUID est attendu')

/** What an agent saw of one product. Of a price, `priceValue` is what he typed or found unchanged. */
export const collectionEntry = z
  .object({
    id: clientId,
    productId: reference('Choisissez un produit'),
    marketId: reference('Choisissez un marché'),
    /** `withdrawn` is an answer alone: the agent does not remember. */
    kind: z.enum(
      ['typed', 'unchanged', 'absent', 'withdrawn'],
      'typed, unchanged, absent ou withdrawn est attendu',
    ),
    /** Needed when typed; the last price of the series where it is unchanged and left out. */
    priceValue: amount.nullish(),
    /** CDF when absent. */
    currency: currency.nullish(),
    reason: typedReason.nullish(),
    /** The last price was hidden. */
    isBlind: z.boolean('true ou false est attendu').nullish(),
    /** The entry of the same agent that this one corrects. */
    replaces: clientId.nullish(),
    /** The price, returned to this agent, that this is the answer about: the same amount maintains it, another corrects it. */
    answers: reference('Un prix est attendu').nullish(),
    /** Where the phone was, if it says so. Only a distance from the market is stored, and only a great one. */
    position: z
      .object({
        latitude: z.number('Un nombre est attendu').min(-90, 'Entre -90 et 90').max(90, 'Entre -90 et 90'),
        longitude: z
          .number('Un nombre est attendu')
          .min(-180, 'Entre -180 et 180')
          .max(180, 'Entre -180 et 180'),
        accuracyM: z.number('Un nombre est attendu').min(0, 'Au moins 0').nullish(),
      })
      .nullish(),
    deviceAt: instantInput,
    /** Server minus device, when the phone last heard from the server before the entry. */
    clockOffsetMs: z.int('Un entier est attendu').nullish(),
    /** The server's time when the phone got its list: nothing was seen before. */
    fetchedAt: instantInput.nullish(),
    /** The phone's clock was seen going back since then. */
    hasGoneBack: z.boolean('true ou false est attendu').nullish(),
    /** What the agent answered when the day could not be found out. */
    day: dayInput.nullish(),
  })
  .refine(({ kind, priceValue }) => kind !== 'typed' || priceValue, {
    path: ['priceValue'],
    error: 'Ce champ est obligatoire',
  })
  .refine(
    ({ kind, answers }) => (answers ? kind === 'typed' || kind === 'withdrawn' : kind !== 'withdrawn'),
    {
      path: ['kind'],
      error: 'Une réponse est un prix saisi (typed) ou retiré (withdrawn)',
    },
  )
  .meta({ id: 'CollectionEntry' })
export type CollectionEntry = z.infer<typeof collectionEntry>

const receipt = z
  .object({
    id: z.string(),
    /** `day_needed`: send it again with its `day`; `refused`: `message` says why. Neither is stored. */
    state: z.enum(['received', 'day_needed', 'refused']),
    priceId: z.int().nullable(),
    message: z.string().nullable(),
  })
  .meta({ id: 'EntryReceipt' })
export type EntryReceipt = z.infer<typeof receipt>

export const sendBatch = defineEndpoint({
  ...collectionAddresses.batches,
  right: ['prices.collect', 'prices.write'],
  summary: 'Envoyer des relevés de terrain',
  description: `${mostEntries} au plus. Chacun est jugé seul et a son reçu\u202f; un relevé déjà reçu garde le sien, si souvent qu’on l’envoie.`,
  body: z
    .object({
      deviceId: z.union([z.int(), text(64)], 'Un identifiant est attendu').transform(String),
      /** Who entered them: refused in the session of another. */
      agentId: reference('Un compte est attendu').nullish(),
      /** The phone's own clock when it sends. */
      sentAt: instantInput.nullish(),
      entries: z
        .array(collectionEntry.or(z.unknown()), 'Une liste est attendue')
        .max(mostEntries, `${mostEntries} relevés au plus`),
    })
    .meta({ id: 'CollectionBatch' }),
  response: z.object({ receipts: z.array(receipt), serverTime: instant }),
})
