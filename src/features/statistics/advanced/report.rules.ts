import type { PriceSummary } from '#features/prices/summary/summary.contract.ts'
import type { Overview } from '#features/statistics/statistics.contract.ts'

type Ranked = { name: string; count: number }

export type ReportSource = {
  /** `yyyy-mm-dd` */
  today: string
  overview: Overview
  summary: PriceSummary
  markets: readonly Ranked[]
  categories: readonly Ranked[]
  brands: readonly Ranked[]
  /** What chooses, in words: « Catégorie : Céréales ». */
  filters: readonly string[]
}

/** A part of the page: a chart, or some figures, with what it means. */
export type Section = {
  title: string
  definition: string
  unit: string
  drawn: 'figures' | 'bars' | 'line'
  /** `value` is null where nothing can be computed; `text` is how it is written where the figure alone would not do. */
  rows: readonly { name: string; value: number | null; text?: string }[]
}

export type Report = { title: string; lines: readonly string[]; sections: readonly Section[] }

const trends = { up: 'à la hausse', down: 'à la baisse', stable: 'stable' }
const currencies = { CDF: 'Franc congolais', USD: 'Dollar américain' }
const mostBrands = 8

/** What the page of statistics shows, in its order. */
export function reportOf(source: ReportSource): Report {
  const { today, overview, summary, markets, categories, brands, filters } = source
  const { days } = overview
  const trend = summary.priceTrend ? `Tendance ${trends[summary.priceTrend]}. ` : ''
  const percent = (value: number | null | undefined) => (value == null ? null : Math.round(value * 1000) / 10)
  const change = percent(summary.change?.value)
  return {
    title: 'Statistiques des prix',
    lines: [
      days
        ? `Période\u00a0: du ${frenchDay(days.startDate)} au ${frenchDay(days.endDate)}`
        : 'Toutes les dates',
      ...(filters.length > 0 ? filters : ['Tous les produits, tous les marchés']),
      `Source\u00a0: Ntalo, ${inFrench(summary.totalPrices)} relevés${summary.lastCollectedAt ? `, le dernier le ${frenchDay(summary.lastCollectedAt.slice(0, 10))}` : ''}. Établi le ${frenchDay(today)}.`,
    ],
    sections: [
      {
        title: 'Chiffres clés',
        definition:
          'Prix relevés dans la sélection, produits, marchés et comptes enregistrés, catégories, marques et types de ces produits.',
        unit: '',
        drawn: 'figures',
        rows: [
          { name: 'Prix collectés', value: overview.prices.total },
          { name: 'Produits', value: overview.products.total },
          { name: 'Marchés', value: overview.markets.total },
          { name: 'Utilisateurs', value: overview.users.total },
          { name: 'Catégories', value: overview.categories.total },
          { name: 'Marques', value: overview.brands.total },
          { name: 'Types de produits', value: overview.productTypes.total },
        ],
      },
      {
        title: 'Analyse des prix',
        definition: `${trend}En francs congolais\u202f; un prix en dollars est converti au taux de son jour.`,
        unit: 'FC',
        drawn: 'figures',
        rows: [
          { name: 'Prix moyen', value: whole(summary.averagePrice) },
          { name: 'Prix minimum', value: whole(summary.minPrice) },
          { name: 'Prix maximum', value: whole(summary.maxPrice) },
        ],
      },
      {
        title: summary.change && summary.change.products < 3 ? 'Variation du prix' : 'Inflation estimée',
        definition: summary.change
          ? `Mêmes produits dans les mêmes marchés, ${inFrench(summary.change.series)} séries de ${inFrench(summary.change.products)} produits, non pondéré\u00a0: de la semaine du ${frenchDay(summary.change.from)} à celle du ${frenchDay(summary.change.to)}.`
          : 'Insuffisant\u00a0: trop peu de relevés pour mesurer une variation.',
        unit: '%',
        drawn: 'figures',
        rows: [
          {
            name: 'Variation',
            value: change,
            ...(change !== null && change > 0 && { text: `+${inFrench(change)}\u00a0%` }),
          },
          { name: 'Marge (±)', value: percent(summary.change?.margin) },
        ],
      },
      {
        title: 'Prix moyen par jour',
        definition:
          'Moyenne des prix relevés chaque jour, en francs au taux du jour. Un jour sans relevé est un trou.',
        unit: 'FC',
        drawn: 'line',
        rows: summary.dailyPrices.map(({ date, averagePrice }) => ({
          name: date,
          value: whole(averagePrice),
        })),
      },
      bars(
        '5 premiers marchés',
        'Les marchés où le plus de prix de la sélection ont été relevés.',
        'relevés',
        markets.slice(0, 5),
      ),
      bars(
        '5 premiers produits',
        'Les produits dont le plus de prix de la sélection ont été relevés.',
        'relevés',
        summary.productDistribution.slice(0, 5),
      ),
      bars(
        'Prix par devise',
        'Dans quelle monnaie les prix de la sélection ont été relevés.',
        'relevés',
        summary.currencyDistribution.map(({ currency, count }) => ({ name: currencies[currency], count })),
      ),
      bars('Produits par catégorie', 'Produits du catalogue.', 'produits', categories),
      bars(
        'Produits par marque',
        'Les marques qui ont le plus de produits.',
        'produits',
        brands.slice(0, mostBrands),
      ),
    ],
  }
}

function bars(title: string, definition: string, unit: string, ranked: readonly Ranked[]): Section {
  return {
    title,
    definition,
    unit,
    drawn: 'bars',
    rows: ranked.map(({ name, count }) => ({ name, value: count })),
  }
}

function whole(amount: number | null): number | null {
  return amount === null ? null : Math.round(amount)
}

/** `21 novembre 2026`, of `yyyy-mm-dd`. */
function frenchDay(day: string): string {
  return new Intl.DateTimeFormat('fr-FR', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(day))
}

function inFrench(figure: number): string {
  return new Intl.NumberFormat('fr-FR', { maximumFractionDigits: 1 }).format(figure)
}
