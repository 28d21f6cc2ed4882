/** A line of the matrix of plans. */
export type PlanFeature = {
  name: string
  description: string
  /** Part of what costs nothing; whatever is paid for has every line. */
  isInBasic: boolean
  /** Announced: it cannot be used yet. */
  isComing: boolean
}

/** What plans are compared by. Access is one and the same for every paid plan: one function decides it. */
export const planFeatures: readonly PlanFeature[] = [
  {
    name: 'Données de base',
    description: 'Indice national, tendances et prix publics de chaque marché',
    isInBasic: true,
    isComing: false,
  },
  {
    name: 'Données en temps réel',
    description: 'Chaque relevé dès qu’il est écrit, dans tous les marchés',
    isInBasic: false,
    isComing: false,
  },
  {
    name: 'Alertes de prix',
    description: 'Un message quand un prix que vous suivez s’écarte',
    isInBasic: false,
    isComing: true,
  },
  {
    name: 'Analyses avancées',
    description: 'Indices, marges et évolutions par produit, marché et catégorie',
    isInBasic: false,
    isComing: false,
  },
  {
    name: 'Support prioritaire',
    description: 'Vos messages passent avant les autres',
    isInBasic: false,
    isComing: false,
  },
  {
    name: 'Rapports personnalisés',
    description: 'Des rapports sur vos produits et vos marchés, à votre rythme',
    isInBasic: false,
    isComing: true,
  },
]
