import type { PlanFeature } from '#features/plans/features.rules.ts'

export type PlanFacts = {
  name: string
  description: string
  priceUsd: number
  billingPeriod: 'MONTHLY' | 'YEARLY'
  features: readonly PlanFeature[]
  /** Number of seats; 1 when absent. */
  seats?: number
}

const data = ['BASIC_DATA', 'REALTIME_DATA', 'ADVANCED_ANALYSIS'] as const
const watch = [...data, 'PRICE_ALERTS', 'CUSTOM_REPORTS'] as const
const all = [...watch, 'PRIORITY_SUPPORT'] as const

/** The paid plans; the free trial is not a row. */
// biome-ignore format: one line per plan reads as a table
export const demonstrationPlans = [
  { name: 'Particulier', description: 'Les prix de tous les marchés et leur évolution, pour suivre le panier de la ménagère.', priceUsd: 5, billingPeriod: 'MONTHLY', features: data },
  { name: 'Professionnel', description: 'Comparaison des marchés, indices par ville et par produit, exports CSV et XLSX.', priceUsd: 19, billingPeriod: 'MONTHLY', features: watch },
  { name: 'Entreprise', description: 'Pour une équipe : toutes les données, et bientôt un support prioritaire.', priceUsd: 59, billingPeriod: 'MONTHLY', features: all, seats: 5 },
  { name: 'Institution', description: 'Pour ONG, administrations et rédactions : toutes les données, toute l’année.', priceUsd: 590, billingPeriod: 'YEARLY', features: all, seats: 10 },
] as const satisfies readonly PlanFacts[]

export type PlanName = (typeof demonstrationPlans)[number]['name']
