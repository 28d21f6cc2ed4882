import { z } from 'zod'
import { collectionAddresses } from '#features/collection/collection.addresses.ts'
import { absenceReason } from '#features/prices/absence/absence.contract.ts'
import { oldestPriceDay } from '#features/prices/prices.rules.ts'
import { defineEndpoint } from '#shared/contract.ts'
import { amount, currency, dayInput, instant, instantInput, reference, text } from '#shared/fields.ts'

/** How many entries a batch may hold. */
const mostEntries = 100

// Programs write it by hand, with or without the accent.
const typedReason = z.preprocess(
  (value) => (value === 'marche ferme' || value === 'marche_ferme' ? 'marché fermé' : value),
  absenceReason,
)
const clientId = z.uuid('Un identifiant UUID est attendu')

/** An agent's entry for one product. For a price, `priceValue` is the amount typed or confirmed as unchanged. */
export const collectionEntry = z
  .object({
    id: clientId,
    productId: reference('Choisissez un produit'),
    marketId: reference('Choisissez un marché'),
    /** `withdrawn` is valid only in an answer: the agent does not remember the price. */
    kind: z.enum(
      ['typed', 'unchanged', 'absent', 'withdrawn'],
      'typed, unchanged, absent ou withdrawn est attendu',
    ),
    /** Required when typed; when unchanged, defaults to the last price of the series. */
    priceValue: amount.nullish(),
    /** CDF when absent. */
    currency: currency.nullish(),
    reason: typedReason.nullish(),
    /** Whether the last price was hidden from the agent. */
    isBlind: z.boolean('true ou false est attendu').nullish(),
    /** Id of the earlier entry of the same agent that this one corrects. */
    replaces: clientId.nullish(),
    /**
     * Id of the price returned to this agent that this entry answers: the same amount maintains it, another corrects
     * it.
     */
    answers: reference('Un prix est attendu').nullish(),
    /** Position of the phone, if allowed. Only the distance from the market is stored, and only a large one. */
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
    /** Server minus device, measured at the last response before the entry. */
    clockOffsetMs: z.int('Un entier est attendu').nullish(),
    /** Server time when the phone fetched its list: no entry is earlier. */
    fetchedAt: instantInput.nullish(),
    /** Whether the phone saw its clock go back after that. */
    hasGoneBack: z.boolean('true ou false est attendu').nullish(),
    /** The day given by the agent when it could not be determined. */
    day: dayInput
      .refine((value) => value >= oldestPriceDay, 'Un prix d’avant 1990 n’est pas accepté')
      .nullish(),
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
    /** `day_needed`: send it again with its `day`; `refused`: `message` gives the reason. Neither is stored. */
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
      /** Account that made the entries; the session of another account is refused. */
      agentId: reference('Un compte est attendu').nullish(),
      /** Device clock at sending. */
      sentAt: instantInput.nullish(),
      entries: z
        .array(collectionEntry.or(z.unknown()), 'Une liste est attendue')
        .max(mostEntries, `${mostEntries} relevés au plus`),
    })
    .meta({ id: 'CollectionBatch' }),
  response: z.object({ receipts: z.array(receipt), serverTime: instant }),
})
