/** Goods sold once, services paid by time or journey, wages, and exchange rates. */
export const productKinds = ['good', 'service', 'wage', 'rate'] as const
export type ProductKind = (typeof productKinds)[number]

/** Names of kinds. */
export const kindNames: Record<ProductKind, string> = {
  good: 'Bien',
  service: 'Service',
  wage: 'Salaire',
  rate: 'Taux',
}
