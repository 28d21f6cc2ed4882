/** Features of plans, in the order of the comparison. */
export const planFeatureNames = [
  'BASIC_DATA',
  'REALTIME_DATA',
  'PRICE_ALERTS',
  'ADVANCED_ANALYSIS',
  'PRIORITY_SUPPORT',
  'CUSTOM_REPORTS',
] as const
export type PlanFeature = (typeof planFeatureNames)[number]

type FeatureWords = {
  label: string
  description: string
  /** Announced: not usable yet, in any plan. */
  isComing?: boolean
}

/** Words for the features of plans. */
export const planFeatures: Record<PlanFeature, FeatureWords> = {
  BASIC_DATA: {
    label: 'Données de base',
    description: 'Indice national, tendances et prix publics de chaque marché',
  },
  REALTIME_DATA: {
    label: 'Données en temps réel',
    description: 'Chaque relevé dès qu’il est écrit, dans tous les marchés',
  },
  PRICE_ALERTS: {
    label: 'Alertes de prix',
    description: 'Un message quand un prix que vous suivez s’écarte',
  },
  ADVANCED_ANALYSIS: {
    label: 'Analyses avancées',
    description: 'Indices, marges et évolutions par produit, marché et catégorie',
  },
  PRIORITY_SUPPORT: {
    label: 'Support prioritaire',
    description: 'Vos messages passent avant les autres',
    isComing: true,
  },
  CUSTOM_REPORTS: {
    label: 'Rapports personnalisés',
    description: 'Des rapports sur vos produits et vos marchés, à votre rythme',
  },
}
