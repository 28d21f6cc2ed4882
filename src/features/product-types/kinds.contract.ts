/** What is sold once, what is paid by the time or the journey, wages, and rates of exchange. */
export const productKinds = ['good', 'service', 'wage', 'rate'] as const
export type ProductKind = (typeof productKinds)[number]

/** What kinds are called. */
export const kindNames: Record<ProductKind, string> = {
  good: 'Bien',
  service: 'Service',
  wage: 'Salaire',
  rate: 'Taux',
}
