import { z } from 'zod'
import type { ExportColumn } from '#shared/export.ts'
import { currency, instant } from '#shared/fields.ts'

/** Number of days without a price after which an active agent is silent. */
export const silentAfterDays = 7

/** The collection figures of an agent. */
export const collected = z.object({
  /** Prices of the last 7 and 30 days. */
  collected7: z.int(),
  collected30: z.int(),
  /** Number of markets in the last 30 days. */
  marketsCovered: z.int(),
  /** Share of those 30 days' prices whose amount, product, market or date was corrected later; null without any. */
  correctedShare: z.number().nullable(),
  lastPrice: z
    .object({
      id: z.int(),
      collectedAt: instant,
      priceValue: z.number(),
      currency,
      product: z.string(),
      market: z.string(),
    })
    .nullable(),
  isSilent: z.boolean(),
})
export type AgentWork = z.infer<typeof collected>

export const collectedColumns = [
  { key: 'collected7', title: 'Relevés en 7 jours', kind: 'number', value: ({ collected7 }) => collected7 },
  {
    key: 'collected30',
    title: 'Relevés en 30 jours',
    kind: 'number',
    value: ({ collected30 }) => collected30,
  },
  {
    key: 'marketsCovered',
    title: 'Marchés couverts en 30 jours',
    kind: 'number',
    value: ({ marketsCovered }) => marketsCovered,
  },
] as const satisfies readonly (ExportColumn<AgentWork> & { key: string })[]
