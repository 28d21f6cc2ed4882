import { chartsOf, groupingOf, groupings } from '#features/comparison/charts.rules.ts'
import { compareSeries, type Unit } from '#features/comparison/comparison.contract.ts'
import { compare } from '#features/comparison/comparison.routes.ts'
import { labelsOf, sharedBy } from '#features/comparison/labels.rules.ts'
import type { PriceFilter } from '#features/figures/filters/filters.contract.ts'
import { percentInterval } from '#features/figures/price-index/price-index.rules.ts'
import { readTogether } from '#features/figures/summary/summary.sql.ts'
import { readInflation } from '#features/inflation/inflation.contract.ts'
import { readInflationOf } from '#features/inflation/inflation.routes.ts'
import { measureNames, measures } from '#features/inflation/published/published.contract.ts'
import { mapFilters } from '#features/map/map.contract.ts'
import { mapMeasures } from '#features/map/map.rules.ts'
import { mostSharedDays } from '#features/prices/listed.rules.ts'
import { prices } from '#features/prices/prices.contract.ts'
import { seriesIn } from '#features/prices/series/series.rules.ts'
import { frenchDay, inTenths } from '#features/report/report.rules.ts'
import {
  type Reading,
  readBulletin,
  readSection,
  sourceLines,
} from '#features/reports/blocks/blocks.routes.ts'
import { listUserReports } from '#features/reports/reports.sql.ts'
import { withDays } from '#features/statistics/statistics.rules.ts'
import { findNames } from '#features/statistics/statistics.sql.ts'
import type { Db } from '#server/db/pool.ts'
import { addDays } from '#shared/days.ts'
import type { DrawnReport } from '#shared/drawing.ts'

type Address = { path: string; search: string; userId: number }
type Sections = Pick<DrawnReport, 'title' | 'sections'> | null
/** Filters of an address, before validation. */
type Given = Record<string, string>

/** The public content of each page with charts; null where the address lacks a subject. */
const pages = new Map<string, (db: Db, given: Given, reading: Reading) => Promise<Sections>>([
  ['/prices', sharePrices],
  ['/statistiques/comparaison', shareComparison],
  ['/statistiques/inflation', shareInflation],
  ['/statistiques/carte', shareMap],
])

type Dependencies = Pick<Reading, 'summarise'> & { today: () => string; publicUrl: string | null }

/** Returns a reader of a page's figures, which returns null for a page that cannot be shared or is empty. */
export function sharedPageReader({ summarise, today, publicUrl }: Dependencies) {
  return async (db: Db, { path, search, userId }: Address): Promise<DrawnReport | null> => {
    const reading: Reading = { summarise, today: today(), origin: publicUrl ?? '' }
    const given: Given = Object.fromEntries(new URLSearchParams(search))
    if (path === '/rapports') return shareReport(db, given, reading, userId)
    // Collectors must not be visible to the public.
    if (given.collector || given.collectorName || given.writtenBy) return null
    return readTogether(db, async (snapshot) => {
      const page = await pages.get(path)?.(snapshot, given, reading)
      return page ? { ...page, lines: sourceLines(reading) } : null
    })
  }
}

/** Returns one of the user's own reports, by the id in the address. */
async function shareReport(
  db: Db,
  { report: id = '' }: Given,
  reading: Reading,
  userId: number,
): Promise<DrawnReport | null> {
  if (!/^\d{1,9}$/.test(id)) return null
  const [report] = await listUserReports(db, userId, Number(id))
  return report ? readBulletin(db, report, reading) : null
}

async function sharePrices(db: Db, given: Given, reading: Reading): Promise<Sections> {
  const read = prices.list.query.safeParse(given)
  if (!read.success) return null
  const { page: _page, limit: _limit, sort: _sort, ...chosen } = read.data
  const selection: PriceFilter = withLastDays(chosen, given.period ?? '30', reading.today)
  return {
    title: await titleOf(db, 'Prix', selection),
    sections: [
      await readSection(db, { kind: 'chart', title: 'Évolution', selection }, reading),
      await readSection(db, { kind: 'figures', title: 'Chiffres', selection }, reading),
    ],
  }
}

/** Adds the days of the period chosen by the buttons above a chart, where no day was chosen. */
function withLastDays<Chosen extends { startDate?: string | undefined; endDate?: string | undefined }>(
  chosen: Chosen,
  period: string,
  today: string,
): Chosen {
  const days = Number(period)
  const isDated = chosen.startDate !== undefined || chosen.endDate !== undefined
  if (isDated || !Number.isInteger(days) || days < 1 || days > mostSharedDays) return chosen
  return { ...chosen, startDate: addDays(today, 1 - days), endDate: today }
}

async function shareMap(db: Db, given: Given, reading: Reading): Promise<Sections> {
  const read = mapFilters.safeParse(given)
  if (!read.success) return null
  const selection = withDays(read.data, reading.today) as PriceFilter
  const measure = mapMeasures.find((each) => each === given.measure)
  return {
    title: await titleOf(db, 'Carte des prix', selection),
    sections: [await readSection(db, { kind: 'map', title: 'Par province', selection, measure }, reading)],
  }
}

const unitWords: Record<Unit, { unit: string; text: string }> = {
  CDF: { unit: 'FC', text: 'Moyenne de chaque jour, en francs au taux du jour' },
  USD: { unit: '$US', text: 'Moyenne de chaque jour, en dollars au taux du jour' },
  index: { unit: '', text: 'Indice du prix moyen de chaque jour' },
}

async function shareComparison(db: Db, given: Given, reading: Reading): Promise<Sections> {
  const read = compareSeries.query.safeParse(given)
  if (!read.success || seriesIn(read.data.series).length === 0) return null
  const { data, base } = await compare(db, read.data, reading.today)
  if (data.length === 0) return null
  const { unit, text } = unitWords[read.data.unit]
  const isIndex = read.data.unit === 'index'
  const asked = groupings.find((grouping) => grouping === given.by)
  const charts = chartsOf(data, groupingOf(data, asked))
  return {
    title: `Comparaison${sharedBy(data) ? `\u00a0: ${sharedBy(data)}` : ' de prix'}`,
    sections: charts.map(({ series }) => {
      const labels = labelsOf(charts.length === 1 ? series : data)
      const labelOf = (one: (typeof series)[number]) =>
        labels[charts.length === 1 ? series.indexOf(one) : data.findIndex((other) => isSame(one, other))] ??
        ''
      return {
        title: (series.length === 1 ? series.map(labelOf)[0] : sharedBy(series)) ?? 'Les séries choisies',
        drawn: 'line',
        unit,
        rows: [],
        rowsBehind: null,
        definition: `${text}${isIndex && base ? `, 100 le ${frenchDay(base)}` : ''}. Un long silence reste un trou.`,
        lines: series.map((one, at) => ({
          name: labelsOf(series)[at] ?? labelOf(one),
          rows: one.points.map(({ date, value }) => ({
            name: date,
            value: unit === 'FC' ? Math.round(value) : Math.round(100 * value) / 100,
          })),
        })),
      }
    }),
  }
}

type Keyed = { product: { id: number }; market: { id: number } }

function isSame(one: Keyed, other: Keyed): boolean {
  return one.product.id === other.product.id && one.market.id === other.market.id
}

async function shareInflation(db: Db, given: Given, reading: Reading): Promise<Sections> {
  const read = readInflation.query.safeParse(given)
  if (!read.success) return null
  const { index, changes, basis, week } = await readInflationOf(db, read.data, reading.today)
  if (week === null) return null
  const { until: _until, measure: _measure, ...selection } = read.data
  const isFaint = basis.isThin || basis.isStale
  return {
    title: await titleOf(db, 'Inflation', selection as PriceFilter),
    sections: [
      {
        title: 'Indice hebdomadaire des prix',
        drawn: 'weeks',
        unit: 'indice',
        isFaint,
        definition: `Les mêmes produits dans les mêmes marchés${index[0] ? `, 100 la semaine du ${frenchDay(index[0].week)}` : ''}. Les huit dernières semaines, provisoires, sont en pointillé.`,
        rows: index.map(({ week, value, isProvisional }) => ({ name: week, value, isProvisional })),
        rowsBehind: null,
      },
      {
        title: `La semaine du ${frenchDay(week)}`,
        drawn: 'figures',
        unit: '',
        rowsBehind: null,
        definition:
          'Ce n’est pas l’indice des prix à la consommation de l’INS. La marge couvre 95\u00a0% des cas.',
        rows: measures.map((measure) => {
          const change = changes[measure]
          return {
            name: measureNames[measure],
            unit: '%',
            isFaint: isFaint || change?.trend === null,
            value: change && Math.round(1000 * change.value) / 10,
            text: change ? percentText(change) : 'N/A',
          }
        }),
      },
    ],
  }
}

/** Returns « +3,4 % (de +1,2 à +5,6) ». */
function percentText({ value, margin }: { value: number; margin: number | null }): string {
  const signed = (percent: number) => {
    const rounded = Math.round(10 * percent) / 10 || 0
    return `${rounded > 0 ? '+' : ''}${inTenths(rounded).replace('-', '−')}`
  }
  const [low, high] = margin === null ? [] : percentInterval({ value, margin })
  const interval = low === undefined || high === undefined ? '' : ` (de ${signed(low)} à ${signed(high)})`
  return `${signed(100 * value)}\u00a0%${interval}`
}

/** Returns « Prix : Riz · 1 kg, Goma ». */
async function titleOf(db: Db, page: string, selection: PriceFilter): Promise<string> {
  const names = await findNames(db, selection)
  const said = names.map((name) => name.slice(name.indexOf(':') + 1).trim())
  return said.length > 0 ? `${page}\u00a0: ${said.join(', ')}` : `${page}, tous les produits et marchés`
}
