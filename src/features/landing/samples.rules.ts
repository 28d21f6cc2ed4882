// Sample figures of the landing page of an empty platform, marked « Exemple »: invented, always the same, and hidden
// once there is a price.

import type { PublicFigures } from '#features/landing/landing.contract.ts'
import { dayMs } from '#shared/days.ts'

const steps = [
  0, 0.3, 0.1, 0.6, 0.9, 0.8, 1.4, 1.6, 1.3, 1.9, 2.4, 2.2, 2.7, 3.1, 2.9, 3.4, 3.9, 3.7, 4.2, 4.6, 4.4, 5.0,
  5.3, 5.2, 5.8, 6.1, 6.4,
]

/** @param lastMonday `yyyy-mm-dd` */
export function sampleWeeks(lastMonday: string): PublicFigures['index']['weeks'] {
  return steps.map((step, index) => ({
    week: new Date(Date.parse(lastMonday) - 7 * dayMs * (steps.length - 1 - index))
      .toISOString()
      .slice(0, 10),
    value: 100 + step,
    isProvisional: false,
  }))
}

export const sampleComparison = [
  { name: 'Marché A', current: 2600, previous: 2500 },
  { name: 'Marché B', current: 2450, previous: 2480 },
  { name: 'Marché C', current: 2300, previous: 2210 },
  { name: 'Marché D', current: 2150, previous: 2140 },
]

export const sampleBrands = [14, 11, 9, 6, 4].map((count, index) => ({
  id: index,
  name: `Marque ${'ABCDE'[index]}`,
  count,
}))

export const sampleCategories = [18, 12, 9, 7, 5].map((count, index) => ({
  id: index,
  name: `Catégorie ${'ABCDE'[index]}`,
  count,
}))

export const sampleSubscriptions = [1, 3, 2, 4, 3, 5, 6]
