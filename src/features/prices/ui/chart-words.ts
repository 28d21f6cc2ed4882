import type { ChartWords } from '#web/ui/charts/chart-words.ts'

/** What every chart of prices counts. */
export const priceWords: ChartWords = {
  one: 'relevé',
  many: 'relevés',
  last: 'Dernier relevé',
  nothing: {
    title: 'Aucune donnée de prix disponible',
    sentence: 'Aucun relevé pour cette sélection. Élargissez la période ou les filtres.',
  },
}
