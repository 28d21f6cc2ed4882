import { percentInterval } from '#features/figures/price-index/price-index.rules.ts'
import type { PriceSummary } from '#features/figures/summary/summary.contract.ts'
import {
  averagesOf,
  changeOfLogs,
  isThinBasis,
  isThinMovement,
  noChangeText,
  weekMark,
} from '#features/figures/summary/summary.rules.ts'
import type { PriceMap } from '#features/map/map.contract.ts'
import { countText, frenchDay, inTenths } from '#features/report/report.rules.ts'
import { addDays, dayInKinshasa, type Period } from '#shared/days.ts'
import type { DrawnReport, TableCell } from '#shared/drawing.ts'
import { moneyText } from '#shared/money.ts'

/** The two windows whose means a change compares. */
export type Windows = { before: Period; after: Period }

/** A series with its last price, and the logarithms of its prices in CDF in the windows of two changes. */
export type SeriesOfBlock = {
  product: { id: number; name: string; weight: string }
  market: { id: number; name: string; location: string }
  lastPrice: number
  currency: 'CDF' | 'USD'
  lastDay: string
  month: { before: number[]; after: number[] }
  year: { before: number[]; after: number[] }
}

/** The content of a block without its title and the address of its rows. */
export type Said = Omit<DrawnReport['sections'][number], 'title' | 'rowsBehind'>

const words = { up: 'hausse', down: 'baisse', stable: 'stable' }
/** Age in days from which a price is marked as old. */
const oldDays = 14

/** Returns « de +1,2 à +5,6 % », or « non mesuré » without a margin. */
function intervalText({ value, margin }: { value: number; margin: number | null }): string {
  if (margin === null) return 'non mesuré'
  const [low, high] = percentInterval({ value, margin })
  return `de ${signed(low)} à ${signed(high)}\u00a0%`
}

function signed(percent: number): string {
  return `${percent > 0.05 ? '+' : ''}${inTenths(percent).replace('-', '−')}`
}

const writing = {
  day: frenchDay,
  amount: (cdf: number) => moneyText(cdf, 'CDF'),
  percent: (percent: number) => `${signed(percent)}\u00a0%`,
}

/** Returns the change of a selection and its basis; for one product its prices too. */
export function changeFiguresOf(summary: PriceSummary, today: string): Said {
  const { change, priceTrend, totalPrices, isEstimate, lastCollectedAt, silentMarkets } = summary
  const isOfOne = summary.productDistribution.length === 1
  const isFaint = isThinBasis(summary)
  const amount = (name: string, value: number | null) => ({
    name,
    value: value === null ? null : Math.round(value),
    unit: 'FC',
    isFaint,
    text: value === null ? 'N/A' : moneyText(Math.round(value), 'CDF'),
  })
  return {
    drawn: 'figures',
    unit: '',
    definition: change
      ? `Mêmes produits dans les mêmes marchés, ${countText(change.series, 'série')} de ${countText(change.products, 'produit')}\u00a0: ${summary.knownSeries === 1 ? `les derniers jours jusqu’au ${frenchDay(change.to)} par rapport à ceux jusqu’au ${frenchDay(change.from)}` : `de la semaine du ${frenchDay(change.from)} à celle du ${frenchDay(change.to)}${weekMark(change.to, today)}`}.`
      : `Variation non calculée\u00a0: ${noChangeText(summary, writing)}.`,
    rows: [
      {
        name: 'Variation',
        value: change && Math.round(1000 * change.value) / 10,
        unit: '%',
        text: change ? `${signed(100 * change.value)}\u00a0%` : 'N/A',
        isFaint: isThinMovement(summary) || priceTrend === null,
      },
      ...(change ? [{ name: 'Intervalle à 95\u00a0%', value: null, text: intervalText(change) }] : []),
      { name: 'Tendance', value: null, text: priceTrend ? words[priceTrend] : 'non établie' },
      ...(isOfOne
        ? [
            amount('Prix moyen', summary.averagePrice),
            amount('Prix minimum', summary.minPrice),
            amount('Prix maximum', summary.maxPrice),
          ]
        : []),
      {
        name: isEstimate ? 'Relevés, environ' : 'Relevés',
        value: totalPrices,
        unit: 'relevés',
        text: countText(totalPrices, 'relevé'),
      },
      {
        name: 'Marchés sans relevé depuis plus de 14\u00a0jours',
        value: silentMarkets,
        unit: 'marchés',
        text: String(silentMarkets),
      },
      ...(lastCollectedAt
        ? [{ name: 'Dernier relevé', value: null, text: frenchDay(dayInKinshasa(lastCollectedAt)) }]
        : []),
    ],
  }
}

/** Returns the daily average of one product, or the weekly index of several. */
export function curveSection(summary: PriceSummary): Said {
  const isFaint = isThinBasis(summary)
  if (summary.productDistribution.length === 1) {
    return {
      drawn: 'line',
      unit: 'FC',
      isFaint,
      definition:
        'Moyenne des prix relevés chaque jour, en francs au taux du jour. Un jour sans relevé est un trou.',
      rows: averagesOf(summary.dailyPrices).map(({ date, value, isFaint }) => ({
        name: date,
        value: Math.round(value),
        isFaint,
      })),
    }
  }
  const base = summary.index[0] ? `, 100 la semaine du ${frenchDay(summary.index[0].week)}` : ''
  return {
    drawn: 'weeks',
    unit: 'indice',
    isFaint,
    definition: `Indice\u00a0: ce que les mêmes produits dans les mêmes marchés sont devenus${base}. Les huit dernières semaines, provisoires, sont en pointillé.`,
    rows: summary.index.map(({ week, value, isProvisional }) => ({ name: week, value, isProvisional })),
  }
}

const columns = ['Produit', 'Marché', 'Prix', '30\u00a0jours', '1\u00a0an', 'Relevé le']

/** Returns the last price of each series, its changes, and its day, marked when old. */
export function pricesOf(
  series: readonly SeriesOfBlock[],
  { today, month, year }: { today: string; month: Windows; year: Windows },
): Said {
  const moved = (logs: SeriesOfBlock['month'], windows: Windows): TableCell => {
    const change = changeOfLogs(logs.before, logs.after, windows)
    if (!change) return { text: '–', value: null, unit: '%' }
    const isSure = change.margin !== null && Math.abs(Math.log1p(change.value)) > change.margin
    const value = Math.round(1000 * change.value) / 10
    return {
      text: `${signed(100 * change.value)}\u00a0%`,
      value,
      unit: '%',
      isFaint: !isSure || change.isThin,
    }
  }
  const old = series.filter(({ lastDay }) => lastDay < addDays(today, -oldDays)).length
  const isOld =
    old === 0
      ? ''
      : ` ${old === 1 ? 'Un prix a' : `${old} prix ont`} plus de ${oldDays}\u00a0jours, en gris\u00a0: donnés pour mémoire.`
  return {
    drawn: 'table',
    unit: '',
    rows: [],
    definition: `Le dernier prix de chaque série, et sa variation\u202f; en gris, celle que la marge n’établit pas. «\u202f–\u202f»\u00a0: pas de relevé à comparer.${isOld}`,
    table: {
      columns,
      words: 2,
      rows: series.map(({ product, market, lastPrice, currency, lastDay, ...logs }) => {
        const isFaint = lastDay < addDays(today, -oldDays)
        return [
          { text: `${product.name}, ${product.weight}` },
          { text: market.name === market.location ? market.name : `${market.name}, ${market.location}` },
          { text: moneyText(lastPrice, currency), value: lastPrice, unit: currency, isFaint },
          moved(logs.month, month),
          moved(logs.year, year),
          { text: shortDay(lastDay), isFaint },
        ]
      }),
    },
  }
}

/** Returns « 24 nov. 2026 », without line breaks. */
function shortDay(day: string): string {
  return new Intl.DateTimeFormat('fr-FR', { dateStyle: 'medium', timeZone: 'UTC' })
    .format(new Date(day))
    .replaceAll(' ', '\u00a0')
}

/** Returns each province: the mean price of one product, or the change. */
export function provincesOf({ provinces, isTooLarge, days }: PriceMap, isLevel: boolean): Said {
  const measured = provinces.filter(({ prices }) => prices > 0)
  const between = `du ${frenchDay(days.startDate)} au ${frenchDay(days.endDate)}`
  return {
    drawn: 'picture',
    unit: isLevel ? 'FC' : '%',
    definition: isLevel
      ? `Prix moyen dans chaque province, ${between}\u00a0: plus foncé, plus cher. En gris, trop peu de relevés.`
      : `Variation dans chaque province, ${between}\u00a0: orange, hausse\u202f; bleu, baisse. En gris, trop peu de relevés ou tendance non établie.${isTooLarge ? ' Trop de séries pour tout mesurer.' : ''}`,
    rows: measured.map(({ name, level, change, trend, isLevelThin, isChangeThin, isStale }) =>
      isLevel
        ? {
            name,
            value: level && Math.round(level),
            isFaint: isLevelThin || isStale,
            text: level === null ? 'N/A' : moneyText(Math.round(level), 'CDF'),
          }
        : {
            name,
            value: change && Math.round(1000 * change.value) / 10,
            text: change ? `${signed(100 * change.value)}\u00a0%` : 'N/A',
            isFaint: isChangeThin || isStale || trend === null,
            isProvisional: trend === 'stable',
          },
    ),
  }
}

/** Returns the box that explains how the figures of the report are computed. */
export function methodOf({ totalPrices, marketDistribution, currencyDistribution }: PriceSummary): Said {
  const dollars = currencyDistribution.find(({ currency }) => currency === 'USD')?.count ?? 0
  const markets = marketDistribution.length
  return {
    drawn: 'text',
    unit: '',
    rows: [],
    definition: [
      `Sources. ${countText(totalPrices, 'relevé')} en 30\u00a0jours, dans ${markets >= 50 ? '50\u00a0marchés ou plus' : countText(markets, 'marché')}. Un relevé est un prix vu par un collecteur, un jour, dans un marché\u202f; aucun trou n’est comblé.`,
      `Monnaie. Tout est en francs congolais\u202f; un prix en dollars est converti au taux de son jour${dollars > 0 ? ` (${countText(dollars, 'relevé')} ici)` : ''}.`,
      'Variation. Chaque série, un produit dans un marché, est comparée à elle-même\u202f; toutes comptent autant, sans pondération par la consommation. Aucune moyenne ne mêle plusieurs produits.',
      'Incertitude. L’intervalle contient la vraie variation dix-neuf fois sur vingt. Quand il contient zéro, la tendance n’est pas dite\u202f; ce qui repose sur moins de trois relevés, ou de plus de 14\u00a0jours, est en gris.',
    ].join('\n'),
  }
}
