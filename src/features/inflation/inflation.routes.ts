import { inPeriod } from '#features/figures/parts/parts.rules.ts'
import { estimateBeyondBudget, findPartsOfFigures } from '#features/figures/parts/parts.sql.ts'
import { windowWeeks } from '#features/figures/price-index/price-index.rules.ts'
import { readLastDayOf, readMoved, readWeeklyRates } from '#features/figures/price-index/price-index.sql.ts'
import { readLive, readStoredYear } from '#features/figures/stored-index/indices.sql.ts'
import { wholeOf } from '#features/figures/summary/summary.routes.ts'
import { countDollars, countExcluded, readTogether } from '#features/figures/summary/summary.sql.ts'
import { type Inflation, readInflation } from '#features/inflation/inflation.contract.ts'
import { readKinds, readWeights } from '#features/inflation/inflation.sql.ts'
import {
  measureInflation,
  measureStored,
  weeksMeasured,
  weeksWithWindow,
} from '#features/inflation/measured.rules.ts'
import { explain } from '#features/inflation/published/published.rules.ts'
import { readPublished } from '#features/inflation/published/published.sql.ts'
import type { Db } from '#server/db/pool.ts'
import { AppError } from '#server/errors.ts'
import type { Api } from '#server/http/endpoint.ts'
import type { QueryOf } from '#shared/contract.ts'
import { addDays, mondayOf } from '#shared/days.ts'

export function inflationRoutes(api: Api, db: Db, today: () => string): void {
  api.on(readInflation, ({ query }) =>
    readTogether(db, (snapshot) => readInflationOf(snapshot, query, today())),
  )
}

/** Computes the weekly index of a selection, its changes and what they rest on. */
export async function readInflationOf(
  db: Db,
  query: QueryOf<typeof readInflation>,
  today: string,
): Promise<Inflation> {
  // `until` may be any day of the week: extend it to the Sunday.
  const { until: lastWanted, measure, ...filter } = query
  const until = lastWanted && addDays(mondayOf(lastWanted), 6)
  const parts = await findPartsOfFigures(db, filter)
  const lastDay = await readLastDayOf(db, parts, until)
  const excludedFrom = (startDate: string | undefined) =>
    countExcluded(db, inPeriod(parts, { startDate, endDate: until }))
  if (lastDay === null) return { ...nothing, excluded: await excludedFrom(undefined) }
  const twoYears = {
    start: addDays(mondayOf(lastDay), -7 * (windowWeeks - 1 + weeksWithWindow)),
    end: lastDay,
  }
  const read = inPeriod(parts, { startDate: twoYears.start, endDate: twoYears.end })
  if ((await estimateBeyondBudget(db, read)) !== null)
    throw new AppError(
      'invalid',
      'Ces filtres laissent trop de relevés à lire. Choisissez une ville, une catégorie ou un produit.',
    )
  const { indexName, ...whole } = wholeOf(filter)
  const stored = indexName === null ? null : await readStoredYear(db, indexName, lastDay)
  const entered = await readWeights(db)
  // The stored windows are computed without weights, so they are only used if no weights exist.
  const year = entered.length === 0 ? stored : null
  // Week 53 of a year is compared with the week before the stored window: a fit of 54 weeks gives its margin and its
  // contributions.
  const isOneMore = year !== null && weeksMeasured(year.index, 'cumulative')[0] < 0
  const period = year ? { start: addDays(year.index.start, isOneMore ? -7 : 0), end: lastDay } : twoYears
  const moved =
    year && !isOneMore && !year.isTooLarge
      ? await readMoved(db, parts, period, {
          levels: year.index.levels,
          weeks: weeksMeasured(year.index, measure),
        })
      : null
  // For very many series, even counting them would take longer than everything else.
  const panel = moved || stored?.isTooLarge ? null : await readLive(db, parts, period)
  const series = moved ?? panel?.series ?? []
  const facts = {
    measure,
    lastDay,
    today,
    until,
    entered,
    kinds: await readKinds(db, [...new Set(series.map(({ product }) => product))]),
    rates: await readWeeklyRates(db, twoYears),
  }
  const measured = panel
    ? measureInflation(panel, facts, year?.windows)
    : stored && measureStored(stored, facts, moved && ownOf(moved))
  if (measured === null)
    throw new AppError(
      'invalid',
      'Cette sélection a trop de séries pour en suivre l’indice. Choisissez une ville, une catégorie ou un produit.',
    )
  // Figures are published for the country or a city, never for some products.
  const { location, ...others } = filter
  const isOfAll = Object.values(others).every((value) => value === undefined)
  const { weeks, basis, weights } = measured
  // Includes figures published up to today, even if the last prices of a city are older: these are listed without ours.
  const published =
    isOfAll && weeks[0] ? await readPublished(db, weeks[0].week, until ?? today, location) : []
  const first = weeks[0]?.week
  const dollars =
    basis.prices === null || first === undefined
      ? null
      : await countDollars(db, inPeriod(parts, { startDate: first, endDate: lastDay }), whole)
  const { converted = null, atOldRate = null } = dollars ?? {}
  return {
    ...measured,
    basis: { ...basis, converted, atOldRate },
    excluded: await excludedFrom(basis.firstDay ?? undefined),
    published: published.map((each) => {
      const ours = weeks.find(({ week }) => week === each.week)?.[each.measure] ?? null
      return { ...each, ours, explanation: explain(each, { ours, basis, weights }) }
    }),
  }
}

function ownOf(series: Awaited<ReturnType<typeof readMoved>>) {
  return {
    moved: series.filter(({ weight }) => weight > 0),
    prices: series.reduce((sum, { prices }) => sum + prices, 0),
  }
}

const nothing: Omit<Inflation, 'excluded'> = {
  week: null,
  asOf: null,
  weeks: [],
  index: [],
  changes: { weekly: null, cumulative: null, annualised: null, yearly: null },
  contributions: { categories: [], types: [] },
  exchange: null,
  weights: null,
  unusedWeights: null,
  isTooLargeToWeigh: false,
  basis: {
    prices: 0,
    converted: 0,
    atOldRate: 0,
    series: 0,
    knownSeries: 0,
    products: 0,
    silentMarkets: 0,
    firstDay: null,
    lastDay: null,
    isThin: true,
    isStale: true,
  },
  published: [],
}
