import { z } from 'zod'
import { alertAddresses } from '#features/alerts/alerts.addresses.ts'
import {
  alertChannels,
  impossibleThresholdWords,
  isPossibleThreshold,
  mostRules,
  type ThresholdInput,
} from '#features/alerts/alerts.rules.ts'
import { withCursor } from '#shared/changes.ts'
import { acknowledgement, defineEndpoint, pagination } from '#shared/contract.ts'
import { amount, idParams, instant, instantInput, listQuery, reference, version } from '#shared/fields.ts'

const kind = z.enum(['level', 'change', 'unusual', 'silence'], 'Choisissez ce qui fait sonner l’alerte')
const direction = z.enum(['above', 'below'], 'Choisissez un sens')
const channels = z.array(z.enum(alertChannels, 'Ce canal n’existe pas')).max(5)
const chosenChannels = channels.transform((chosen) => [...new Set(chosen)])
const product = z.object({ id: z.int(), name: z.string(), weight: z.string() })
const market = z.object({ id: z.int(), name: z.string(), location: z.string() })

const condition = {
  productId: reference('Choisissez un produit'),
  marketId: reference('Choisissez un marché').nullish(),
  kind,
  direction: direction.default('above'),
  threshold: amount.optional(),
  periodDays: z
    .union(
      [z.literal(7), z.literal(30), z.literal(90), z.literal(365)],
      'Une période de 7, 30, 90 ou 365\u00a0jours',
    )
    .default(30),
}
/** An alert on unusual prices has no threshold. */
const hasThreshold = ({ kind: asked, threshold }: ThresholdInput) =>
  asked === 'unusual' || threshold !== undefined
const thresholdMissing = { path: ['threshold'], error: 'Donnez un seuil' }
const impossibleThreshold = {
  path: ['threshold'],
  error: ({ input }: { input?: unknown }) => impossibleThresholdWords(input as ThresholdInput),
}

const rule = z
  .object({
    id: z.int(),
    productId: z.int(),
    marketId: z.int().nullable(),
    product,
    market: market.nullable(),
    kind,
    direction,
    threshold: z.number(),
    periodDays: z.int(),
    channels,
    mutedUntil: instant.nullable(),
    isRinging: z.boolean(),
    lastRangAt: instant.nullable(),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'AlertRule' })
export type AlertRule = z.infer<typeof rule>

const event = z
  .object({
    id: z.int(),
    ruleId: z.int().nullable(),
    product,
    market,
    sentence: z.string(),
    price: z.number(),
    day: z.string(),
    quotes: z.int(),
    createdAt: instant,
    isRead: z.boolean(),
  })
  .meta({ id: 'AlertEvent' })
export type AlertEvent = z.infer<typeof event>

/** A user's own alerts: the rules, and the events of those that rang. */
export const alerts = {
  list: defineEndpoint({
    ...alertAddresses.list,
    right: 'prices.read',
    summary: 'Ses alertes de prix',
    description: 'Chaque alerte, et si elle sonne en ce moment.',
    response: z.object({ data: z.array(rule), unread: z.int() }),
  }),
  create: defineEndpoint({
    ...alertAddresses.create,
    right: 'prices.read',
    writes: 'own',
    summary: 'Créer une alerte de prix',
    description: `${mostRules} alertes au plus. Deux relevés de suite la font sonner\u202f; sans \`marketId\`, dans chaque marché. Le seuil est en francs (level), en pour cent (change) ou en jours (silence).`,
    body: z
      .object({ ...condition, channels: chosenChannels.default(['mail']) })
      .refine(hasThreshold, thresholdMissing)
      .refine(isPossibleThreshold, impossibleThreshold)
      .meta({ id: 'AlertRuleBody' }),
    status: 201,
    response: rule.extend({ message: z.string() }),
  }),
  update: defineEndpoint({
    ...alertAddresses.update,
    right: 'prices.read',
    writes: 'own',
    summary: 'Modifier une alerte de prix',
    description: 'Son seuil, ses canaux, ou jusqu’à quand elle se tait.',
    params: idParams,
    body: z
      .object({
        threshold: condition.threshold,
        channels: chosenChannels.optional(),
        mutedUntil: instantInput.nullish(),
        updatedAt: version,
      })
      .meta({ id: 'AlertRuleChange' }),
    response: rule.extend({ message: z.string() }),
  }),
  remove: defineEndpoint({
    ...alertAddresses.remove,
    right: 'prices.read',
    writes: 'own',
    summary: 'Supprimer une alerte de prix',
    description: 'Ce qui a sonné reste dans la liste.',
    params: idParams,
    response: acknowledgement,
  }),
  preview: defineEndpoint({
    ...alertAddresses.preview,
    right: 'prices.read',
    writes: 'nothing',
    summary: 'Ce qu’une alerte aurait fait depuis un an',
    description: 'Combien de fois elle aurait sonné, et quand. Rien n’est enregistré.',
    body: z
      .object({ ...condition, channels: chosenChannels.optional() })
      .refine(hasThreshold, thresholdMissing)
      .refine(isPossibleThreshold, impossibleThreshold)
      .meta({ id: 'AlertPreviewBody' }),
    response: z.object({
      count: z.int(),
      dates: z.array(z.string()),
      isRinging: z.boolean(),
      rings: z.array(z.object({ day: z.string(), marketId: z.int(), price: z.number() })),
      /** The number of rings with nearby thresholds. */
      others: z.array(z.object({ threshold: z.number(), count: z.int() })),
      /** With one market: the mean of each day of the past year, in CDF. */
      points: z.array(z.object({ date: z.string(), value: z.number() })),
    }),
  }),
  events: withCursor(
    defineEndpoint({
      ...alertAddresses.events,
      right: 'prices.read',
      summary: 'Ce qui a sonné',
      description:
        'La dernière alerte d’abord\u202f; avec `cursor`, la première, puis ce qui a sonné depuis.',
      query: listQuery(['createdAt']),
      response: z.object({ data: z.array(event), pagination }),
    }),
    event,
  ),
  unread: defineEndpoint({
    ...alertAddresses.unread,
    right: 'session',
    summary: 'Combien d’alertes ne sont pas lues',
    description: 'Le nombre que porte la cloche.',
    response: z.object({ unread: z.int() }),
  }),
  read: defineEndpoint({
    ...alertAddresses.read,
    right: 'prices.read',
    writes: 'own',
    summary: 'Marquer ses alertes comme lues',
    description: 'Toutes celles qui ont sonné jusqu’ici, ou celles de `ids`.',
    body: z
      .object({ ids: z.array(reference('Choisissez une alerte')).max(200, '200 au plus').optional() })
      .meta({ id: 'ReadAlerts' }),
    /** With the number of alerts that stay unread. */
    response: acknowledgement.extend({ unread: z.int() }),
  }),
}
