import { beforeAll, describe, expect, test } from 'vitest'
import { mostHaggles } from '#demonstration/asked-price.ts'
import { lengthOf, periodUpTo } from '#demonstration/calendar.ts'
import { demonstrationRates } from '#demonstration/exchange-rates.ts'
import { demonstrationBrands, demonstrationCategories } from '#demonstration/facts/catalogue.ts'
import { collectors } from '#demonstration/facts/people.ts'
import { cities, demonstrationMarkets } from '#demonstration/facts/places.ts'
import { demonstrationProducts } from '#demonstration/facts/products.ts'
import { supplies } from '#demonstration/facts/supplies.ts'
import { daysBetweenSteps, largestSteps } from '#demonstration/price-levels.ts'
import { demonstrationQuotes, type Quote, soldPairs } from '#demonstration/quotes.ts'
import { dayMs } from '#shared/days.ts'
import { groupBy } from '#shared/group-by.ts'

const now = new Date('2026-03-10T09:15:00Z')
const period = periodUpTo(now)
const rates = demonstrationRates(period)

let quotes: Quote[]
let series: Map<string, { day: number; logCdf: number }[]>

beforeAll(() => {
  quotes = [...demonstrationQuotes(now, 300_000)]
  series = new Map()
  for (const quote of quotes) {
    const day = Date.parse(quote.observedOn) / dayMs - period.first
    const cdf = quote.currency === 'USD' ? quote.value * (rates[day] ?? 0) : quote.value
    const key = nameOf(quote.product.code, quote.market.city, quote.market.name)
    const points = series.get(key) ?? []
    points.push({ day, logCdf: Math.log(cdf) })
    series.set(key, points)
  }
})

describe('the demonstration quotes', () => {
  test('are the same at every run at the same moment', () => {
    const first = [...demonstrationQuotes(now, 3_000)]
    expect([...demonstrationQuotes(new Date(now), 3_000)]).toEqual(first)
    expect(first.length).toBeGreaterThanOrEqual(3_000)
  })

  test('of the days before do not depend on the hour, and at a later hour the last day has more quotes', () => {
    const early = [...demonstrationQuotes(new Date('2026-03-10T05:30:00Z'), 20_000)]
    const late = [...demonstrationQuotes(new Date('2026-03-10T16:00:00Z'), 20_000)]
    const daysBefore = (list: Quote[]) =>
      list
        .filter(({ observedOn }) => observedOn < '2026-03-10')
        .map(({ value, collectedAt }) => `${value} ${collectedAt}`)
    expect(daysBefore(late)).toEqual(daysBefore(early))
    expect(late.length).toBeGreaterThan(early.length)
    expect(late.at(-1)?.observedOn).toBe('2026-03-10')
  })

  test('are 300 000, about a third of the days of the series', () => {
    expect(quotes.length / 300_000).toBeCloseTo(1, 1.3)
    const coverage = quotes.length / (soldPairs().length * lengthOf(period))
    expect(coverage).toBeGreaterThan(0.3)
    expect(coverage).toBeLessThan(0.37)
    expect(series.size).toBe(soldPairs().length)
  })

  test('before the current day number exactly as many as requested, even with several sellers', () => {
    const countBefore = (list: Iterable<Quote>) => {
      let count = 0
      let latest = 0
      for (const { observedOn, collectedAt, createdAt } of list) {
        if (observedOn < '2026-03-10') count += 1
        if (createdAt < collectedAt) throw new Error('known before it was collected')
        latest = Math.max(latest, (collectedAt / 3_600_000) % 24)
      }
      expect(latest).toBeLessThan(12)
      return count
    }
    expect(countBefore(quotes)).toBe(300_000)
    expect(countBefore(demonstrationQuotes(now, 800_000))).toBe(800_000)
  })

  test('of one series move within a fortnight by at most two steps of its seller, plus haggling', () => {
    const step = (cdf: number) => (cdf < 10_000 ? 100 : cdf < 50_000 ? 1_000 : 2_500) / cdf
    const sold = new Map(
      quotes.map(({ product, market }) => [nameOf(product.code, market.city, market.name), product]),
    )
    const steps = Math.ceil(14 / daysBetweenSteps)
    const wrong = [...series].flatMap(([name, points]) => {
      const haggle = supplies[sold.get(name)!.supply].haggle / 100
      return points.slice(1).flatMap((point, i) => {
        const before = points[i]!
        const move = point.logCdf - before.logCdf
        // Noise of each of the two prices: haggling, the collector's variation, and rounding.
        const around =
          2 * (mostHaggles * haggle + 0.02 + step(Math.exp(Math.min(point.logCdf, before.logCdf))))
        // A collector's mistake is much larger.
        const isMistake = Math.abs(move) > 0.5
        const isNear = move < steps * largestSteps.up + around && move > -steps * largestSteps.down - around
        return point.day - before.day > 14 || isMistake || isNear ? [] : [`${name} ${point.day}: ${move}`]
      })
    })
    expect(wrong).toEqual([])
    const lion = series.get(nameOf('RIZ-LION-25', 'Kinshasa', 'Marché de la Liberté')) ?? []
    const falls = lion.slice(1).map((point, i) => point.logCdf - (lion[i]?.logCdf ?? 0))
    expect(falls.filter((move) => move < Math.log(0.8) && move > -0.5)).toEqual([])
  })

  test('cover 24 months, none in the future, each between seven and noon at its market', () => {
    const hours = quotes.map(({ collectedAt, market }) => {
      const eastOf = cities[market.city].climate === 'west' || market.city === 'Mbandaka' ? 1 : 2
      return (collectedAt / 3_600_000 + eastOf) % 24
    })
    expect(Math.min(...extent(hours))).toBeGreaterThanOrEqual(7)
    expect(Math.max(...extent(hours))).toBeLessThan(12)
    expect(quotes.filter((quote) => quote.collectedAt > now.getTime())).toEqual([])
    expect(
      quotes.filter(({ createdAt, collectedAt }) => createdAt > now.getTime() || createdAt < collectedAt),
    ).toEqual([])
    expect(quotes[0]?.observedOn.slice(0, 8)).toBe('2024-03-')
  })

  test('are above zero, in whole notes, and in dollars for about two in a hundred', () => {
    expect(quotes.filter(({ value }) => !(value > 0))).toEqual([])
    const francs = quotes.filter(({ currency }) => currency === 'CDF')
    expect(francs.filter(({ value }) => value % 50 !== 0)).toEqual([])
    const share = 1 - francs.length / quotes.length
    expect(share).toBeGreaterThan(0.01)
    expect(share).toBeLessThan(0.03)
  })

  test('have gaps of a week and more in every market', () => {
    for (const market of demonstrationMarkets) {
      const days = new Set(
        quotes
          .filter((quote) => quote.market === market)
          .map(({ observedOn }) => Date.parse(observedOn) / dayMs),
      )
      const sorted = [...days].sort((a, b) => a - b)
      expect(Math.max(...sorted.slice(1).map((day, i) => day - (sorted[i] ?? day)))).toBeGreaterThanOrEqual(5)
    }
  })

  test('contain a few outliers, about a tenth of a per cent', () => {
    let outliers = 0
    for (const points of series.values()) {
      const logs = points.map(({ logCdf }) => logCdf).sort((a, b) => a - b)
      const median = logs[Math.floor(logs.length / 2)] ?? 0
      outliers += logs.filter((log) => Math.abs(log - median) > Math.log(3)).length
    }
    expect(outliers).toBeGreaterThan(30)
    expect(outliers / quotes.length).toBeLessThan(0.002)
  })

  test('are lowest where the products grow, and highest far from where they arrive', () => {
    const palmOil = (city: string) => levelOf('HUI-PAL-1', city)
    expect(palmOil('Mbandaka')).toBeLessThan(0.75 * palmOil('Kinshasa'))
    expect(palmOil('Lubumbashi')).toBeGreaterThan(1.1 * palmOil('Kinshasa'))
    expect(levelOf('RIZ-LION-25', 'Kananga')).toBeGreaterThan(1.2 * levelOf('RIZ-LION-25', 'Matadi'))
    expect(levelOf('HAR-ROU-1', 'Goma')).toBeLessThan(0.7 * levelOf('HAR-ROU-1', 'Kinshasa'))
  })

  test('are higher before the harvest than after it', () => {
    const tomatoes = series.get(nameOf('LEG-TOM-1', 'Kinshasa', 'Marché de la Liberté')) ?? []
    const inMonths = (months: number[]) =>
      meanOf(
        tomatoes.filter(({ day }) =>
          months.includes(new Date((period.first + day) * dayMs).getUTCMonth() + 1),
        ),
      )
    expect(inMonths([1, 2, 3])).toBeGreaterThan(1.2 * inMonths([7, 8, 9]))
  })

  test('rise by a few per cent a year', () => {
    const logs = [...series.values()].flatMap((points) => {
      const first = points.filter(({ day }) => day < 90)
      const yearLater = points.filter(({ day }) => day >= 365 && day < 455)
      return first.length > 0 && yearLater.length > 0 ? [Math.log(meanOf(yearLater) / meanOf(first))] : []
    })
    const yearly = Math.exp(logs.reduce((sum, log) => sum + log, 0) / logs.length)
    expect(yearly).toBeGreaterThan(1.04)
    expect(yearly).toBeLessThan(1.2)
  })
})

describe('from month to month the demonstration quotes', () => {
  /** Median price in CDF of each month of each series. */
  let months: Map<string, number[]>
  beforeAll(() => {
    months = new Map(
      [...series].map(([name, points]) => {
        const own = groupBy(points, ({ day }) => monthOf(day))
        return [name, [...own].sort(([a], [b]) => a - b).map(([, quoted]) => medianOf(quoted))]
      }),
    )
  })
  const changesOf = (logs: number[]) => logs.slice(1).map((log, i) => log - (logs[i] ?? log))

  test('move by 8 to 15 % in a series, and by 2 % on average', () => {
    const spreads = [...months.values()]
      .filter((logs) => logs.length > 12)
      .map((logs) => deviationOf(changesOf(logs)))
    spreads.sort((a, b) => a - b)
    const share = spreads.filter((spread) => spread > 0.08 && spread < 0.15).length / spreads.length
    expect(spreads[Math.floor(spreads.length / 2)]).toBeGreaterThan(0.08)
    expect(spreads[Math.floor(spreads.length / 2)]).toBeLessThan(0.15)
    expect(share).toBeGreaterThan(0.6)
    const together = groupBy(
      [...series.values()].flatMap((points) => {
        const own = [...groupBy(points, ({ day }) => monthOf(day))].sort(([a], [b]) => a - b)
        return own
          .slice(1)
          .map(([month, quoted], i) => ({ month, change: medianOf(quoted) - medianOf(own[i]?.[1] ?? []) }))
      }),
      ({ month }) => month,
    )
    const national = [...together.values()].map(
      (all) => all.reduce((sum, { change }) => sum + change, 0) / all.length,
    )
    expect(deviationOf(national)).toBeGreaterThan(0.015)
    expect(deviationOf(national)).toBeLessThan(0.025)
  })

  test('do not change in 25 to 35 % of the months', () => {
    const changes = [...months.values()].flatMap(changesOf)
    const unchanged = changes.filter((change) => Math.abs(change) < 1e-9).length / changes.length
    expect(unchanged).toBeGreaterThan(0.25)
    expect(unchanged).toBeLessThan(0.35)
  })

  test('of maize vary by 7 to 14 % above and below the year’s mean', () => {
    const maize = [...series]
      .filter(([name]) => name.startsWith('MAI-GRA-1 '))
      .map(([, points]) => halfSwingOf(points))
    const mean = maize.reduce((sum, swing) => sum + swing, 0) / maize.length
    expect(mean).toBeGreaterThan(0.07)
    expect(mean).toBeLessThan(0.14)
  })

  test('rise sometimes in one city more than in the others', () => {
    const changes = [...series].flatMap(([name, points]) => {
      const own = [...groupBy(points, ({ day }) => monthOf(day))].sort(([a], [b]) => a - b)
      return own.slice(1).map(([month, quoted], i) => ({
        place: `${name.split(' ')[1]} ${month}`,
        month,
        change: medianOf(quoted) - medianOf(own[i]?.[1] ?? quoted),
      }))
    })
    const meanChange = (all: typeof changes) => average(all.map(({ change }) => change))
    const national = new Map(
      [...groupBy(changes, ({ month }) => month)].map(([month, all]) => [month, meanChange(all)]),
    )
    const leaps = [...groupBy(changes, ({ place }) => place).values()].filter(
      (all) => all.length > 20 && meanChange(all) - (national.get(all[0]?.month ?? 0) ?? 0) > 0.06,
    )
    const shaken = new Set(leaps.map((all) => all[0]?.place.split(' ')[0]))
    expect(shaken.size).toBeGreaterThan(4)
    expect(leaps.length).toBeLessThan(40)
  })
})

// National means of the World Food Programme for 2021 in CDF per kilogram or litre (CC BY-IGO); maize flour and wheat
// flour are of 2020. The World Bank's monthly food price index of the DRC (Real Time Prices, close) was 1.54 in October
// 2023, 1.1527 on average in 2021 and 1.158 in 2020.
const published = [
  ['HAR-ROU-1', 'Beans', 1934.4, 2021],
  ['MAI-GRA-1', 'Maize', 546.1, 2021],
  ['MAI-FAR-1', 'Maize flour', 954.9, 2020],
  ['MAN-COS-1', 'Cassava (cossette)', 566.7, 2021],
  ['MAN-FAR-1', 'Cassava flour', 789.4, 2021],
  ['POI-FRA-1', 'Fish (fresh)', 6991, 2021],
  ['POI-SAL-1', 'Fish (salted)', 7078, 2021],
  ['POI-FUM-1', 'Fish (smoked)', 9753, 2021],
  ['ARA-DEC-1', 'Groundnuts (shelled)', 2686, 2021],
  ['VIA-BOE-1', 'Meat (beef)', 8939, 2021],
  ['VIA-CHE-1', 'Meat (goat, with bones)', 7877, 2021],
  ['HUI-PAL-1', 'Oil (palm)', 1782, 2021],
  ['HUI-SIM-1', 'Oil (vegetable)', 3853, 2021],
  ['BAN-PLA-1', 'Plantains', 815, 2021],
  ['TUB-POM-1', 'Potatoes', 1111, 2021],
  ['TUB-PAT-1', 'Sweet potatoes', 644, 2021],
  ['RIZ-LION-1', 'Rice (imported)', 2032, 2021],
  ['RIZ-LOC-1', 'Rice (local)', 1960, 2021],
  ['SEL-IOD-1', 'Salt', 1908, 2021],
  ['SUC-KWN-1', 'Sugar', 2810, 2021],
  ['FRO-MID-1', 'Wheat flour', 2333, 2020],
] as const

test.each(published)(
  'the level of %s is within 40 %% of the published level of %s',
  (code, _name, mean, year) => {
    const carried = mean * (1.54 / (year === 2021 ? 1.1527 : 1.158))
    const level = meanOf([...series].flatMap(([name, points]) => (name.startsWith(`${code} `) ? points : [])))
    expect(level / carried).toBeGreaterThan(0.6)
    expect(level / carried).toBeLessThan(1.4)
  },
)

describe('the demonstration facts', () => {
  test('describe at least 12 brands, 20 types, 8 categories, 20 markets and 60 products', () => {
    expect(Object.keys(demonstrationBrands).length).toBeGreaterThanOrEqual(12)
    expect(demonstrationCategories.flatMap(({ types }) => types).length).toBeGreaterThanOrEqual(20)
    expect(demonstrationCategories).toHaveLength(8)
    expect(demonstrationMarkets.length).toBeGreaterThanOrEqual(20)
    expect(demonstrationProducts.length).toBeGreaterThanOrEqual(60)
    expect(new Set(demonstrationProducts.map(({ code }) => code)).size).toBe(demonstrationProducts.length)
  })

  test('give every brand and every type a product, and every market a collector', () => {
    const used = new Set(demonstrationProducts.flatMap(({ brand, type }): (string | null)[] => [brand, type]))
    const named = [
      ...Object.keys(demonstrationBrands),
      ...demonstrationCategories.flatMap(({ types }) => types),
    ]
    expect(named.filter((name) => !used.has(name))).toEqual([])
    expect(collectors.flatMap((collector) => collector.markets)).toHaveLength(demonstrationMarkets.length)
  })

  test('give a rate for every day, without jumps', () => {
    expect(rates).toHaveLength(lengthOf(period))
    const leaps = rates.slice(1).map((rate, i) => Math.abs(Math.log(rate / (rates[i] ?? rate))))
    expect(Math.max(...leaps)).toBeLessThan(0.03)
    expect(Math.min(...rates)).toBeGreaterThan(2_000)
    expect(Math.max(...rates)).toBeLessThan(3_000)
  })
})

function nameOf(code: string, city: string, market: string): string {
  return `${code} ${city} ${market}`
}

function levelOf(code: string, city: string): number {
  return meanOf([...series].flatMap(([name, points]) => (name.startsWith(`${code} ${city} `) ? points : [])))
}

/** Returns the geometric mean. */
function meanOf(points: { logCdf: number }[]): number {
  return Math.exp(points.reduce((sum, { logCdf }) => sum + logCdf, 0) / points.length)
}

function extent(values: number[]): [number, number] {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const value of values) {
    low = Math.min(low, value)
    high = Math.max(high, value)
  }
  return [low, high]
}

/** Returns the number of months since the first of the period. */
function monthOf(day: number): number {
  const at = new Date((period.first + day) * dayMs)
  return at.getUTCFullYear() * 12 + at.getUTCMonth()
}

/** Returns the median of the logarithms. */
function medianOf(points: { logCdf: number }[]): number {
  const sorted = points.map(({ logCdf }) => logCdf).sort((a, b) => a - b)
  const half = Math.floor(sorted.length / 2)
  const [low = 0, high = 0] =
    sorted.length % 2 ? [sorted[half], sorted[half]] : [sorted[half - 1], sorted[half]]
  return (low + high) / 2
}

function deviationOf(values: number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1))
}

/**
 * Returns half the difference (ln) between the most and the least expensive month of the year, after a linear trend is
 * removed.
 */
function halfSwingOf(points: { day: number; logCdf: number }[]): number {
  const own = [...groupBy(points, ({ day }) => monthOf(day))].sort(([a], [b]) => a - b)
  const logs = own.map(([month, quoted]) => ({ month, log: medianOf(quoted) }))
  const center = { month: average(logs.map(({ month }) => month)), log: average(logs.map(({ log }) => log)) }
  const slope =
    logs.reduce((sum, { month, log }) => sum + (month - center.month) * (log - center.log), 0) /
    logs.reduce((sum, { month }) => sum + (month - center.month) ** 2, 0)
  const ofYear = groupBy(logs, ({ month }) => month % 12)
  const means = [...ofYear.values()].map((all) => average(all.map(({ month, log }) => log - slope * month)))
  const [low, high] = extent(means)
  return (high - low) / 2
}

function average(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
