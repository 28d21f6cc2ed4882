import { type DayNumber, type DaySpan, dayOf, lengthOf, partOfYear } from '#demonstration/calendar.ts'
import { laggedRateLog } from '#demonstration/exchange-rates.ts'
import { events } from '#demonstration/facts/events.ts'
import { gaps } from '#demonstration/facts/gaps.ts'
import { type City, type Climate, cities, type MarketFacts } from '#demonstration/facts/places.ts'
import type { ProductFacts } from '#demonstration/facts/products.ts'
import { type Supply, type SupplyName, supplies } from '#demonstration/facts/supplies.ts'
import { randomStream } from '#demonstration/random.ts'
import { dayMs } from '#shared/days.ts'

/** Natural logarithms of the price in CDF, one per day from the first day of the period. */
export type Levels = Float64Array

// Inflation published by the Banque centrale du Congo: 11.1 % over the first eleven months of 2024, 1.6 % over those of
// 2025, 1.3 % over the first six weeks of 2026. The fall of the dollar in October 2025 explains most of the difference;
// it is added to these yearly rates, for the part of a price that depends on the dollar.
const inflationOfYear: Record<number, number> = { 2022: 0.13, 2023: 0.2, 2024: 0.12, 2025: 0.1 }
const inflationAfter = 0.09
// Share of a change of the dollar that sellers pass on to their prices.
const passThrough = 0.55

const referenceDay = dayOf('2025-01-15')
const wanderHalfLifeDays = 25
// Set so that month-to-month changes match those of the World Food Programme's prices: 8 to 15 % for each of the 23
// series of a product, 2 % for their mean.
const nationalWander = 0.028

/** Returns a function that gives the price of a product in a market on each day of the period, before haggling. */
export function priceModel(period: DaySpan): (product: ProductFacts, market: MarketFacts) => Levels {
  const days = lengthOf(period)
  const memory = new Map<string, Levels>()

  // Computes once what several series share.
  function shared(name: string, make: (name: string) => Levels): Levels {
    const remembered = memory.get(name) ?? make(name)
    memory.set(name, remembered)
    return remembered
  }
  function perDay(name: string, value: (day: DayNumber) => number): Levels {
    return shared(name, () => Float64Array.from({ length: days }, (_, i) => value(period.first + i)))
  }
  function wanders(name: string): Levels {
    return shared(`wander/${name}`, (stream) => wander(stream, days))
  }

  const inflation = perDay('inflation', inflationLog)
  const dollar = perDay('dollar', (day) => laggedRateLog(day) - laggedRateLog(referenceDay))
  const feast = perDay('christmas', christmas)

  return (product, market) => {
    const { city } = market
    const supply: Supply = supplies[product.supply]
    const { climate } = cities[city]
    const series = `${product.code}/${market.name}/${city}`
    const here = `${product.supply}/${city}`
    const start =
      Math.log(product.priceCdf) -
      season(supply, 'west', referenceDay) +
      Math.log1p((city === 'Kinshasa' ? 0 : gaps[product.supply][city]) / 100) +
      market.dearness / 100 +
      0.04 * randomStream(`level/${series}`).normal()
    const yearly = perDay(`season/${product.supply}/${climate}`, (day) => season(supply, climate, day))
    const [all, nation, town, own] = [wanders('all'), wanders(product.supply), wanders(here), wanders(series)]
    const eventOf = eventRise(city, product.supply)
    const event = eventOf && perDay(`events/${here}`, eventOf)
    const roads = supply.isFresh && shared(`roads/${here}`, (stream) => shocks(stream, days, 365))
    const alarms = shared(`alarms/${city}`, (stream) => shocks(stream, days, 400))

    const levels = Float64Array.from({ length: days }, (_, i) => {
      const strays = 0.2 * at(nation, i) + 0.5 * at(town, i) + 0.84 * at(own, i)
      return (
        start +
        (1 - supply.importShare / 2) * at(inflation, i) +
        passThrough * supply.importShare * at(dollar, i) +
        ((product.drift ?? 0) / 100 / 365) * (period.first + i - referenceDay) +
        at(yearly, i) +
        (supply.feast / 100) * at(feast, i) +
        (supply.wander / 100) * strays +
        nationalWander * at(all, i) +
        (event ? at(event, i) : 0) +
        (roads ? at(roads, i) : 0) +
        at(alarms, i)
      )
    })
    hold(levels, supply.posted, series)
    return levels
  }
}

function at(levels: Levels, i: number): number {
  return levels[i] ?? 0
}

/** Returns the logarithmic rise of prices in francs since the reference day, for a stable dollar. */
function inflationLog(day: DayNumber): number {
  const yearOf = (at: DayNumber) => new Date(at * dayMs).getUTCFullYear()
  let sum = 0
  for (let year = yearOf(Math.min(day, referenceDay)); year <= yearOf(Math.max(day, referenceDay)); year++) {
    const from = Math.max(dayOf(`${year}-01-01`), Math.min(day, referenceDay))
    const to = Math.min(dayOf(`${year + 1}-01-01`), Math.max(day, referenceDay))
    sum += (Math.log1p(inflationOfYear[year] ?? inflationAfter) * (to - from)) / 365.25
  }
  return day < referenceDay ? -sum : sum
}

function season(supply: Supply, climate: Climate, day: DayNumber): number {
  const [month, date] = supply.peak[climate]
  const seasons = supply.seasons?.[climate] ?? 1
  const sincePeak = partOfYear(day) - (month - 1 + (date - 1) / 30) / 12
  // With two shorter seasons, prices have less time to rise.
  return ((supply.swing / 100) * Math.cos(2 * Math.PI * seasons * sincePeak)) / Math.sqrt(seasons)
}

function christmas(day: DayNumber): number {
  const part = partOfYear(day)
  const days = 365 * Math.min(Math.abs(part - 358 / 365), Math.abs(part + 7 / 365))
  return Math.exp(-((days / 9) ** 2) / 2)
}

/** Returns a first-order autoregressive process of standard deviation 1. */
function wander(name: string, days: number): Levels {
  const random = randomStream(name)
  const memory = 0.5 ** (1 / wanderHalfLifeDays)
  const step = Math.sqrt(1 - memory ** 2)
  let here = random.normal()
  return new Float64Array(days).map(() => {
    here = memory * here + step * random.normal()
    return here
  })
}

/**
 * Returns random rises (rain, road blocks, rumours): one every `every` days on average, each decaying exponentially.
 */
function shocks(name: string, days: number, every: number): Levels {
  const random = randomStream(name)
  let rise = 0
  let memory = 1
  return new Float64Array(days).map(() => {
    rise *= memory
    if (random.next() < 1 / every) {
      rise += random.between(0.08, 0.24)
      memory = 0.5 ** (1 / random.between(5, 18))
    }
    return rise
  })
}

/** Largest single price change, up and down, in logarithms: the price of a bag does not fall by a fifth in one week. */
export const largestSteps = { up: 0.16, down: 0.08 }
/** Days until the next change when the previous one was limited by `largestSteps`. */
export const daysBetweenSteps = 7

/** Keeps each price constant until the seller posts a new one; limits each change to `largestSteps`. */
function hold(levels: Levels, [shortest, longest]: readonly [number, number], name: string): void {
  const random = randomStream(`posted/${name}`)
  let next = random.integer(0, longest)
  for (let i = 1; i < levels.length; i++) {
    const before = levels[i - 1] ?? 0
    const wanted = levels[i] ?? 0
    if (i < next) {
      levels[i] = before
      continue
    }
    levels[i] = Math.min(before + largestSteps.up, Math.max(before - largestSteps.down, wanted))
    next = i + (levels[i] === wanted ? random.integer(shortest, longest) : daysBetweenSteps)
  }
}

/** Returns the rise that the events of a city add on a day; undefined when the city had no event for this supply. */
function eventRise(city: City, supply: SupplyName): ((day: DayNumber) => number) | undefined {
  const here = events
    .filter((event) => event.cities.includes(city) && (event.supplies?.includes(supply) ?? true))
    .map((event) => ({ ...event, from: dayOf(event.from) }))
  if (here.length === 0) return undefined
  return (day) => {
    let sum = 0
    for (const { from, rise, halfLifeDays } of here) {
      const age = day - from
      // News of an event reaches all sellers within four days.
      if (age >= 0) sum += Math.log1p(rise / 100) * Math.min(1, (age + 1) / 4) * 0.5 ** (age / halfLifeDays)
    }
    return sum
  }
}
