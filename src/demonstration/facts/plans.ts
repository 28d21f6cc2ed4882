export type PlanFacts = {
  name: string
  description: string
  priceUsd: number
  billingPeriod: 'MONTHLY' | 'YEARLY'
}

/** The paid plans; the free one is the trial and no row. */
// biome-ignore format: one line per plan reads as a table
export const demonstrationPlans = [
  { name: 'Particulier', description: 'Les prix de tous les marchés et leur évolution, pour suivre le panier de la ménagère.', priceUsd: 5, billingPeriod: 'MONTHLY' },
  { name: 'Professionnel', description: 'Comparaison des marchés, indices par ville et par produit, exports CSV et XLSX.', priceUsd: 19, billingPeriod: 'MONTHLY' },
  { name: 'Entreprise', description: 'Tout le contenu Professionnel pour une équipe, avec un support prioritaire.', priceUsd: 59, billingPeriod: 'MONTHLY' },
  { name: 'Institution', description: 'Pour ONG, administrations et rédactions : toutes les données, toute l’année.', priceUsd: 590, billingPeriod: 'YEARLY' },
] as const satisfies readonly PlanFacts[]

export type PlanName = (typeof demonstrationPlans)[number]['name']
