import { z } from 'zod'
import { planFeatureNames, planFeatures } from '#features/plans/features.rules.ts'
import {
  amountFromZero,
  currency,
  flagFilter,
  instant,
  optionalNumber,
  optionalProse,
  searchText,
  text,
} from '#shared/fields.ts'
import { defineResource } from '#shared/resource.ts'

const billingPeriod = z.enum(['MONTHLY', 'YEARLY'], 'La période est MONTHLY ou YEARLY')

const feature = z.enum(planFeatureNames, 'Une formule comprend des éléments que Ntalo ne connaît pas')

export const plan = z
  .object({
    id: z.int(),
    name: z.string(),
    description: z.string().nullable(),
    /** In `currency`, for one period; 0 is free. */
    price: z.number(),
    currency,
    billingPeriod,
    isActive: z.boolean(),
    /** Limits of calls by the keys of a subscriber. */
    callsPerMinute: z.int(),
    callsPerMonth: z.int(),
    /** Number of alerts by SMS that a subscriber may receive in a month. */
    smsPerMonth: z.int(),
    /** Number of readers of a subscription, including the payer. */
    seats: z.int(),
    /** Its features, as the public site compares them. */
    features: z.array(feature),
    created_at: instant,
    updated_at: instant,
  })
  .meta({ id: 'Plan' })
export type Plan = z.infer<typeof plan>

const yesOrNo = z.boolean('Oui ou non est attendu (true, false)')

const whole = (most: number, message: string) =>
  z
    .number(message)
    .int('Un nombre entier est attendu')
    .min(0, 'Zéro au moins')
    .max(most, `${most.toLocaleString('fr-FR')} au plus`)
const count = (most: number, message = 'Un nombre d’appels est attendu') =>
  optionalNumber(whole(most, message))

export const plans = defineResource({
  name: 'plans',
  listed: 'plans',
  noun: { one: 'Plan', many: 'plans', gender: 'm' },
  permission: { read: 'public', write: 'plans.write' },
  // What uses the plan, without a count: plans are public.
  row: plan.extend({ usedBy: z.enum(['subscriptions', 'payments']).nullable() }).meta({ id: 'ListedPlan' }),
  // Both spellings are accepted. No defaults here: in the optional fields of PUT they would overwrite stored values.
  input: z
    .object({
      name: text(200),
      description: optionalProse(2000),
      price: amountFromZero,
      /** USD when absent. */
      currency: currency.optional(),
      /** MONTHLY when absent. */
      billingPeriod: billingPeriod.optional(),
      billing_period: billingPeriod.optional(),
      /** true when absent. */
      isActive: yesOrNo.optional(),
      is_active: yesOrNo.optional(),
      /** 60 when absent. */
      callsPerMinute: count(10_000),
      /** 10 000 when absent. */
      callsPerMonth: count(100_000_000),
      /** 20 when absent. */
      smsPerMonth: count(10_000, 'Un nombre de SMS est attendu'),
      /** 1 when absent. */
      seats: optionalNumber(whole(500, 'Un nombre de places est attendu').min(1, 'Une place au moins')),
      /** All of them when absent. */
      features: z
        .array(feature)
        .max(planFeatureNames.length * 2)
        .optional(),
    })
    .meta({ id: 'PlanBody' }),
  filters: {
    search: searchText,
    isActive: flagFilter,
  },
  sortable: ['name', 'price', 'created_at'],
  columns: [
    { key: 'name', title: 'Nom', value: ({ name }) => name },
    { key: 'description', title: 'Description', value: ({ description }) => description ?? '' },
    { key: 'price', title: 'Prix', kind: 'amount', value: ({ price }) => price },
    { key: 'currency', title: 'Devise', value: ({ currency }) => currency },
    {
      key: 'billingPeriod',
      title: 'Période',
      value: ({ billingPeriod }) => (billingPeriod === 'YEARLY' ? 'an' : 'mois'),
    },
    { key: 'isActive', title: 'Actif', value: ({ isActive }) => (isActive ? 'oui' : 'non') },
    {
      key: 'features',
      title: 'Comprend',
      value: ({ features }) => features.map((name) => planFeatures[name].label).join(', '),
    },
    {
      key: 'callsPerMinute',
      title: 'Appels par minute',
      kind: 'number',
      value: ({ callsPerMinute }) => callsPerMinute,
    },
    {
      key: 'callsPerMonth',
      title: 'Appels par mois',
      kind: 'number',
      value: ({ callsPerMonth }) => callsPerMonth,
    },
    {
      key: 'smsPerMonth',
      title: 'SMS par mois',
      kind: 'number',
      value: ({ smsPerMonth }) => smsPerMonth,
    },
    { key: 'seats', title: 'Places', kind: 'number', value: ({ seats }) => seats },
    { key: 'created_at', title: 'Créé le', kind: 'instant', value: ({ created_at }) => created_at },
  ],
})
