import type { PriceSummary } from '#features/figures/summary/summary.contract.ts'
import { isOfFewProducts } from '#features/figures/summary/summary.rules.ts'
import { hrefsOf, inProgram, type Links, lastDayOf } from '#features/report/links.rules.ts'
import type { Overview } from '#features/statistics/statistics.contract.ts'
import {
  brandsListed,
  categoriesListed,
  collectedByCurrency,
  namedApart,
  productsListed,
} from '#features/statistics/statistics.rules.ts'
import { dayInKinshasa } from '#shared/days.ts'
import type { DrawnReport } from '#shared/drawing.ts'
import { methodEdition } from '#shared/method.ts'

type Ranked = { name: string; count: number; isFaint?: boolean }
type Place = Ranked & { id: number }

export type ReportSource = {
  /** `yyyy-mm-dd` */
  today: string
  /** Whether the figures are shown as weak: their prices are too few, or old. */
  isFaint: boolean
  isOld: boolean
  overview: Overview
  summary: PriceSummary
  /** Why its change has no trend, or why there is no change. */
  noTrend: string | null
  /** Text after the last of the two weeks that its change compares. */
  weekMark: string
  /** The ends of the interval of the change, as fractions; null if it cannot be measured. */
  interval: readonly number[] | null
  /** When the change was computed, if it lacks prices written since. */
  asOf: string
  /** Whether the change is shown as weak: its basis is thin, or its prices are. */
  isChangeFaint: boolean
  /** Whether older prices are cut off from its index. */
  isCutOff: boolean
  /** The average of each day; faint where it has few prices. */
  averages: readonly { date: string; value: number | null; isFaint: boolean }[]
  markets: readonly (Place & { location: string })[]
  categories: readonly Place[]
  brands: Parameters<typeof brandsListed>[0]
  links: Links
  /** Descriptions of the active filters: « Catégorie : Céréales ». */
  filters: readonly string[]
}

/** A section of the page: a chart, or some figures, with its explanation. */
type Section = Omit<DrawnReport['sections'][number], 'rowsBehind'>

const trends = { up: 'à la hausse', down: 'à la baisse', stable: 'stable' }
const currencies = { CDF: 'Franc congolais', USD: 'Dollar américain' }
const prices = { unit: 'relevés', one: 'relevé' }
const products = { unit: 'produits', one: 'produit' }

/** Describes the weeks that the change compares, and its basis. */
function movementText({ summary, noTrend, weekMark, asOf }: ReportSource): string {
  const { change, matchedSeries, knownSeries, silentMarkets } = summary
  if (!change) return `${summary.isTooLarge ? 'Non calculé' : 'Insuffisant'}\u00a0: ${noTrend}.`
  const [from, to] = [frenchDay(change.from), frenchDay(change.to)]
  const why = noTrend ? ` ${noTrend[0]?.toUpperCase()}${noTrend.slice(1)}.` : ''
  const silent =
    silentMarkets > 0
      ? ` ${countText(silentMarkets, 'marché')} sans relevé depuis plus de 14\u00a0jours.`
      : ''
  return knownSeries === 1
    ? `Même produit dans le même marché\u00a0: les derniers jours jusqu’au ${to} par rapport à ceux jusqu’au ${from}.${why}`
    : `Mêmes produits dans les mêmes marchés, ${countText(matchedSeries, 'série')} sur ${inFrench(knownSeries)}, de ${countText(change.products, 'produit')}, non pondéré\u00a0: de la semaine du ${from} à celle du ${to}${weekMark}${asOf && `, ${asOf}`}.${why}${silent}`
}

/** Describes how many prices were converted from dollars, and at which rates. */
function conversionText({ totalPrices, currencyDistribution, atOldRate }: PriceSummary): string {
  const dollars = currencyDistribution.find(({ currency }) => currency === 'USD')?.count ?? 0
  if (dollars === 0) return ''
  const old = atOldRate > 0 ? `, ${inFrench(atOldRate)} à un taux ancien` : ''
  return ` ${inTenths((100 * dollars) / totalPrices)}\u00a0% des prix convertis du dollar${old}.`
}

/** Builds the report with the sections of the page of statistics, in the same order. */
export function reportOf(source: ReportSource): DrawnReport {
  const { today, overview, summary, filters, links } = source
  const { days } = overview
  const listed = { text: 'Voir les relevés', href: links.prices() }
  const { productId, categoryId, brandId } = links.chosen
  const catalogue = {
    text: 'Voir les produits',
    href: links.at(productsListed({ productId, categoryId, brandId })),
  }
  return {
    title: 'Statistiques des prix',
    lines: [
      days
        ? `Période\u00a0: du ${frenchDay(days.startDate)} au ${frenchDay(days.endDate)}`
        : 'Toutes les dates',
      ...(filters.length > 0 ? filters : ['Tous les produits, tous les marchés']),
      `Source\u00a0: Ntalo, ${summary.isEstimate ? 'environ ' : ''}${countText(summary.totalPrices, 'relevé')}${summary.lastCollectedAt ? `, le dernier le ${frenchDay(dayInKinshasa(summary.lastCollectedAt))}` : ''}${summary.excluded > 0 ? `, ${inFrench(summary.excluded)} prix en dollars ${summary.excluded > 1 ? 'laissés' : 'laissé'} de côté, sans taux connu` : ''}. Établi le ${frenchDay(today)}. Définitions\u00a0: Méthode, ${methodEdition}.`,
    ],
    sections: sectionsOf(source).map((section) => ({
      ...section,
      rowsBehind: section.unit === products.unit ? catalogue : listed,
    })),
  }
}

function sectionsOf(source: ReportSource): Section[] {
  const { isFaint, isOld, overview, summary, averages, markets, categories, brands, links } = source
  const { chosen } = links
  const { days } = overview
  const trend = summary.priceTrend ? `Tendance ${trends[summary.priceTrend]}. ` : ''
  const percent = (value: number | null | undefined) => (value == null ? null : Math.round(value * 1000) / 10)
  const change = percent(summary.change?.value)
  return [
    {
      title: 'Chiffres clés',
      definition:
        'Prix relevés dans la sélection, produits, marchés et comptes enregistrés, catégories, marques et types de ces produits.',
      unit: '',
      drawn: 'figures',
      rows: keyFiguresOf(overview, links),
    },
    ...(days ? [growthOf(overview, days.previous, links)] : []),
    {
      title: 'Analyse des prix',
      definition: `${trend}En francs congolais\u202f; un prix en dollars est converti au taux de son jour.${conversionText(summary)}`,
      unit: 'FC',
      drawn: 'figures',
      rows: [
        { name: 'Prix moyen', value: whole(summary.averagePrice), isFaint },
        { name: 'Prix minimum', value: whole(summary.minPrice), isFaint },
        { name: 'Prix maximum', value: whole(summary.maxPrice), isFaint },
      ],
    },
    {
      title: isOfFewProducts(summary) ? 'Variation du prix' : 'Inflation estimée',
      definition: movementText(source),
      unit: '%',
      drawn: 'figures',
      rows: [
        {
          name: 'Variation',
          value: change,
          isFaint: source.isChangeFaint,
          ...signed(change),
        },
        ...['de', 'à'].map((end, at) => {
          const value = percent(source.interval?.[at])
          return {
            name: `Intervalle à 95\u00a0%, ${end}`,
            value,
            isFaint: source.isChangeFaint,
            ...signed(value),
          }
        }),
      ],
    },
    ...(summary.productDistribution.length > 1 ? [indexOf(source)] : []),
    {
      title: 'Prix moyen par jour',
      definition:
        'Moyenne des prix relevés chaque jour, en francs au taux du jour. Un jour sans relevé est un trou.',
      unit: 'FC',
      drawn: 'line',
      isFaint,
      rows: averages.map(({ date, value, isFaint }) => ({
        name: date,
        value: whole(value),
        isFaint,
        href: links.prices({ startDate: date, endDate: date }),
      })),
    },
    {
      title: '5 premiers marchés',
      definition: 'Les marchés où le plus de prix de la sélection ont été relevés.',
      ...prices,
      drawn: 'bars',
      rows: ranked(
        namedApart(markets.slice(0, 5), ({ location }) => location).map((market) => ({
          ...market,
          href: links.prices({ marketId: market.id }),
        })),
      ),
    },
    {
      title: '5 premiers produits',
      definition: 'Les produits dont le plus de prix de la sélection ont été relevés.',
      ...prices,
      drawn: 'bars',
      isFaint: isOld,
      rows: ranked(
        namedApart(summary.productDistribution.slice(0, 5), ({ weight }) => weight).map((product) => ({
          ...product,
          href: links.prices({ productId: product.id }),
        })),
      ),
    },
    {
      title: 'Prix par devise',
      definition: 'Dans quelle monnaie les prix de la sélection ont été relevés.',
      ...prices,
      drawn: 'pie',
      isFaint: isOld,
      nameLength: 20,
      rows: collectedByCurrency(summary).map(({ currency, count }) => ({
        name: currencies[currency],
        value: count,
        href: links.prices({ currency }),
      })),
    },
    {
      title: 'Produits par catégorie',
      definition: 'Produits du catalogue, selon le produit, la catégorie et la marque choisis.',
      ...products,
      drawn: 'pie',
      rows: ranked(inProgram(categoriesListed(categories, chosen), links)),
    },
    {
      title: 'Produits par marque',
      definition: 'Les marques qui ont le plus de produits au catalogue.',
      ...products,
      drawn: 'pie',
      nameLength: 12,
      rows: ranked(inProgram(brandsListed(brands, chosen), links)),
    },
  ]
}

/** Builds the section of the index of several products, with the weeks before a short period. */
function indexOf({ summary, isFaint, isCutOff, links }: ReportSource): Section {
  const { index, earlierIndex } = summary
  const cut = isCutOff ? ', où il commence\u00a0: rien ne relie à lui les relevés d’avant' : ''
  const base = index[0] ? `, 100 la semaine du ${frenchDay(index[0].week)}` : ''
  return {
    title: 'Indice des prix par semaine',
    definition: `Ce que les mêmes produits dans les mêmes marchés sont devenus${base}${cut}. Les huit dernières semaines, provisoires, sont en pointillé.`,
    unit: 'indice',
    drawn: 'weeks',
    isFaint,
    rows: [...earlierIndex, ...index].map(({ week, value, isProvisional }) => ({
      name: week,
      value,
      isProvisional,
      href: links.prices({ startDate: week, endDate: lastDayOf(week, links) }),
    })),
  }
}

/**
 * Builds the changes of the key figures: prices relative to the previous period, the catalogue and users relative to
 * the count before the period.
 */
function growthOf(
  { prices, products, markets, users }: Overview,
  previous: { startDate: string; endDate: string },
  links: Links,
): Section {
  const of = hrefsOf(links)
  const rows = [
    { name: 'Prix collectés', ...prices, one: 'relevé', href: links.prices() },
    { name: 'Produits', ...products, one: 'produit', href: of.products },
    { name: 'Marchés', ...markets, one: 'marché', href: of.markets },
    { name: 'Utilisateurs', ...users, one: 'compte', href: of.users },
  ].map(({ name, difference, one, href }) => ({
    name,
    value: difference,
    unit: `${one}s d’écart`,
    href,
    ...(difference !== null && { text: differenceText(difference, one) }),
  }))
  return {
    title: 'Variation des chiffres clés',
    definition: `Prix collectés\u00a0: par rapport à la période du ${frenchDay(previous.startDate)} au ${frenchDay(previous.endDate)}. Produits, marchés et utilisateurs\u00a0: ce qui a été ajouté, par rapport à ce qui existait avant.`,
    unit: '',
    drawn: 'figures',
    rows,
  }
}

/** Returns the change of a count in words, « 4 relevés de plus », since a count has neither percent nor sign. */
function differenceText(difference: number, one: string): string {
  if (difference === 0) return 'autant'
  return `${countText(Math.abs(difference), one)} de ${difference > 0 ? 'plus' : 'moins'}`
}

/** Returns the text of a rise with its plus sign; an empty object otherwise. */
function signed(percent: number | null): { text?: string } {
  return percent !== null && percent > 0 ? { text: `+${inTenths(percent)}\u00a0%` } : {}
}

function ranked(places: readonly (Ranked & { href: string | null })[]): Section['rows'] {
  return places.map(({ name, count, isFaint, href }) => ({
    name,
    value: count,
    href,
    ...(isFaint && { isFaint }),
  }))
}

function keyFiguresOf(overview: Overview, links: Links): Section['rows'] {
  const of = hrefsOf(links)
  return [
    {
      name: overview.prices.isEstimate ? 'Prix collectés, environ' : 'Prix collectés',
      value: overview.prices.total,
      href: links.prices(),
    },
    { name: 'Produits', value: overview.products.total, href: of.products },
    { name: 'Marchés', value: overview.markets.total, href: of.markets },
    { name: 'Utilisateurs', value: overview.users.total, href: of.users },
    { name: 'Catégories', value: overview.categories.total, href: of.categories },
    { name: 'Marques', value: overview.brands.total, href: of.brands },
    { name: 'Types de produits', value: overview.productTypes.total, href: of.productTypes },
  ]
}

function whole(amount: number | null): number | null {
  return amount === null ? null : Math.round(amount)
}

/** Formats `yyyy-mm-dd` as `1er mars 2026` or `21 novembre 2026`, with no-break spaces. */
export function frenchDay(day: string): string {
  const text = new Intl.DateTimeFormat('fr-FR', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(day))
  return text.replace(/^1 /, '1er ').replaceAll(' ', '\u00a0')
}

function inFrench(figure: number): string {
  return new Intl.NumberFormat('fr-FR', { maximumFractionDigits: 0 }).format(figure)
}

/** Formats a number with one decimal. */
export function inTenths(figure: number): string {
  return new Intl.NumberFormat('fr-FR', { minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(figure)
}

/** Formats a count: « 1 produit », « 12 produits »; 0 is singular in French. */
export function countText(count: number, one: string): string {
  return `${inFrench(count)} ${count < 2 ? one : `${one}s`}`
}
