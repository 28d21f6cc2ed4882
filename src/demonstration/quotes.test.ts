import { beforeAll, describe, expect, test } from 'vitest'
import { dayMs, lengthOf, periodUpTo } from '#demonstration/calendar.ts'
import { demonstrationRates } from '#demonstration/exchange-rates.ts'
import { demonstrationBrands, demonstrationCategories } from '#demonstration/facts/catalogue.ts'
import { collectors } from '#demonstration/facts/people.ts'
import { cities, demonstrationMarkets } from '#demonstration/facts/places.ts'
import { demonstrationProducts } from '#demonstration/facts/products.ts'
import { demonstrationQuotes, type Quote, soldPairs } from '#demonstration/quotes.ts'

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
  test('are the same at every run of the same moment', () => {
    const first = [...demonstrationQuotes(now, 3_000)]
    expect([...demonstrationQuotes(new Date(now), 3_000)]).toEqual(first)
    expect(first.length).toBeGreaterThanOrEqual(3_000)
  })

  test('of the days before do not depend on the hour, and a later hour has more of the last day', () => {
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

  test('come from 24 months, none from the future, all between seven and noon where they were asked', () => {
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

  test('hold a few outliers, a tenth of a per cent or so', () => {
    let outliers = 0
    for (const points of series.values()) {
      const logs = points.map(({ logCdf }) => logCdf).sort((a, b) => a - b)
      const median = logs[Math.floor(logs.length / 2)] ?? 0
      outliers += logs.filter((log) => Math.abs(log - median) > Math.log(3)).length
    }
    expect(outliers).toBeGreaterThan(30)
    expect(outliers / quotes.length).toBeLessThan(0.002)
  })

  test('are cheapest where things grow, and dearest far from where they land', () => {
    const palmOil = (city: string) => levelOf('HUI-PAL-1', city)
    expect(palmOil('Mbandaka')).toBeLessThan(0.75 * palmOil('Kinshasa'))
    expect(palmOil('Lubumbashi')).toBeGreaterThan(1.1 * palmOil('Kinshasa'))
    expect(levelOf('RIZ-LION-25', 'Kananga')).toBeGreaterThan(1.2 * levelOf('RIZ-LION-25', 'Matadi'))
    expect(levelOf('HAR-ROU-1', 'Goma')).toBeLessThan(0.7 * levelOf('HAR-ROU-1', 'Kinshasa'))
  })

  test('are dearer before the harvest than after it', () => {
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

describe('the demonstration facts', () => {
  test('describe at least 12 brands, 20 types, 8 categories, 20 markets and 60 products', () => {
    expect(Object.keys(demonstrationBrands).length).toBeGreaterThanOrEqual(12)
    expect(demonstrationCategories.flatMap(({ types }) => types).length).toBeGreaterThanOrEqual(20)
    expect(demonstrationCategories).toHaveLength(8)
    expect(demonstrationMarkets.length).toBeGreaterThanOrEqual(20)
    expect(demonstrationProducts.length).toBeGreaterThanOrEqual(60)
    expect(new Set(demonstrationProducts.map(({ code }) => code)).size).toBe(demonstrationProducts.length)
  })

  test('leave no brand and no type without a product, no market without a collector', () => {
    const used = new Set<string>(demonstrationProducts.flatMap(({ brand, type }) => [brand, type]))
    const named = [
      ...Object.keys(demonstrationBrands),
      ...demonstrationCategories.flatMap(({ types }) => types),
    ]
    expect(named.filter((name) => !used.has(name))).toEqual([])
    expect(collectors.flatMap((collector) => collector.markets)).toHaveLength(demonstrationMarkets.length)
  })

  test('give a rate for every day that never leaps', () => {
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

/** Geometric. */
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
