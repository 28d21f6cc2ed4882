import { type Comparison, compareSeries } from '#features/comparison/comparison.contract.ts'
import { asIndex, firstCommonDay, gapBetween, weekMeans } from '#features/comparison/comparison.rules.ts'
import {
  type NamedSeries,
  nameSeries,
  readRatesOn,
  readSeriesDays,
  type SeriesDay,
} from '#features/comparison/comparison.sql.ts'
import { countExcluded, readTogether } from '#features/figures/summary/summary.sql.ts'
import { type ComparedSeriesKey, seriesIn } from '#features/prices/series/series.rules.ts'
import type { Db } from '#server/db/pool.ts'
import type { Api } from '#server/http/endpoint.ts'
import type { QueryOf } from '#shared/contract.ts'
import { addDays } from '#shared/days.ts'

export function comparisonRoutes(api: Api, db: Db, today: () => string): void {
  api.on(compareSeries, ({ query }) => readTogether(db, (snapshot) => compare(snapshot, query, today())))
}

/** Computes the content of the comparison page. */
export async function compare(
  db: Db,
  query: QueryOf<typeof compareSeries>,
  today: string,
): Promise<Comparison> {
  const series = await nameSeries(db, seriesIn(query.series))
  if (series.length === 0) return { data: [], base: null, rates: [], excluded: 0, gaps: [] }
  // The usual gap needs a year whatever days are shown: read both at once.
  const yearAgo = addDays(today, -400)
  const { startDate = '', endDate } = query
  const days = await readSeriesDays(db, series, startDate < yearAgo ? query.startDate : yearAgo)
  const shown = days.filter(({ date }) => date >= startDate && (endDate === undefined || date <= endDate))
  const data = series.map((one) => {
    const own = shown.filter(isOf(one))
    return {
      product: {
        id: one.productId,
        name: one.product,
        code: one.code,
        weight: one.weight,
        format: one.format,
      },
      market: { id: one.marketId, name: one.market, location: one.location },
      count: own.reduce((sum, { count }) => sum + count, 0),
      lastDay: own.at(-1)?.date ?? null,
      points: own.flatMap(({ date, count, cdf, usd }) => {
        const value = query.unit === 'USD' ? usd : cdf
        return value === null ? [] : [{ date, value, count }]
      }),
    }
  })
  const base = firstCommonDay(data.map(({ points }) => points))
  const recent = days.filter(({ date }) => date >= yearAgo)
  return {
    base,
    data: query.unit === 'index' ? data.map((one) => ({ ...one, points: asIndex(one.points, base) })) : data,
    rates:
      query.unit === 'USD'
        ? await readRatesOn(db, [...new Set(data.flatMap(({ points }) => points.map(({ date }) => date)))])
        : [],
    excluded: await countExcluded(
      db,
      series.map(({ productId, marketId }) => ({
        wanted: { productIds: [productId], marketIds: [marketId], startDate: query.startDate, endDate },
        sign: 1,
      })),
    ),
    gaps: gapsAmong(series, recent, today),
  }
}

function isOf({ productId, marketId }: ComparedSeriesKey) {
  return (day: SeriesDay) => day.productId === productId && day.marketId === marketId
}

/** Returns the gaps of each pair of series of one product, the dearer first; the most unusual gaps first. */
function gapsAmong(
  series: readonly NamedSeries[],
  days: readonly SeriesDay[],
  today: string,
): Comparison['gaps'] {
  const means = new Map(series.map((one) => [one, weekMeans(days.filter(isOf(one)))]))
  const pairs = series.flatMap((one, i) =>
    series
      .slice(i + 1)
      .flatMap((other) => (other.productId === one.productId ? [[one, other] as const] : [])),
  )
  return pairs
    .flatMap(([one, other]) => {
      const gap = gapBetween(means.get(one) ?? [], means.get(other) ?? [], today)
      if (!gap) return []
      // « Goma dearer than Bukavu » is easier to read than « Bukavu cheaper than Goma ».
      const turned = gap.now < 0
      const seen = (value: number) => (turned ? 1 / (1 + value) - 1 : value)
      const [dearer, cheaper] = turned ? [other, one] : [one, other]
      return [
        {
          product: one.product,
          weight: one.weight,
          productId: one.productId,
          market: marketWithLocation(dearer),
          marketId: dearer.marketId,
          other: marketWithLocation(cheaper),
          otherId: cheaper.marketId,
          now: seen(gap.now),
          usual: seen(gap.usual),
          week: gap.week,
          weeks: gap.weeks,
          isUnusual: gap.isUnusual,
          departure: gap.departure,
        },
      ]
    })
    .sort((a, b) => Number(b.isUnusual) - Number(a.isUnusual) || b.departure - a.departure)
    .map(({ departure: _departure, ...gap }) => gap)
}

function marketWithLocation({ market, location }: NamedSeries): string {
  return market === location ? market : `${market} (${location})`
}
