import { type DayNumber, type DaySpan, dayOf, isHoliday, lengthOf, weekday } from '#demonstration/calendar.ts'
import { events } from '#demonstration/facts/events.ts'
import { type CollectorFacts, collectors } from '#demonstration/facts/people.ts'
import type { City, MarketFacts } from '#demonstration/facts/places.ts'
import { type Random, randomStream } from '#demonstration/random.ts'

/** One visit of a market by a collector. */
export type Visit = {
  market: MarketFacts
  collector: CollectorFacts
  /** Local time of the first price, in minutes after midnight. */
  startsAtMinute: number
}

const attendance = 0.94
const sundayAttendance = 0.12

/**
 * Returns the visits of each day of the period: each collector visits one city a day, preferably on its market days.
 */
export function visitsByDay(period: DaySpan): Visit[][] {
  const days: Visit[][] = Array.from({ length: lengthOf(period) }, () => [])
  for (const collector of collectors) {
    const random = randomStream(`visits/${collector.email}`)
    const isAway = absences(random, days.length)
    for (const [i, visits] of days.entries()) {
      const day = period.first + i
      const isOff = random.next() > (weekday(day) === 7 ? sundayAttendance : attendance)
      const city = chooseCity(collector, day, random)
      const early = random.between(0, 40)
      if (isOff || isAway[i] || isHoliday(day) || isSilent(city, day)) continue
      for (const market of collector.markets) {
        if (market.city !== city || random.next() > 0.95) continue
        const before = visits.filter((visit) => visit.collector === collector).length
        visits.push({ market, collector, startsAtMinute: 7 * 60 + early + 150 * before })
      }
    }
  }
  return days
}

// Days on which a collector is away (leave, illness, a broken phone): three absences in two years.
function absences(random: Random, days: number): boolean[] {
  const isAway = new Array<boolean>(days).fill(false)
  for (let time = 0; time < 3; time++) {
    const from = random.integer(0, days)
    isAway.fill(true, from, from + random.integer(4, 16))
  }
  return isAway
}

function chooseCity(collector: CollectorFacts, day: DayNumber, random: Random): City | undefined {
  const onMarketDay = collector.markets.filter((market) => market.marketDays.includes(weekday(day)))
  const choice = onMarketDay.length > 0 && random.next() < 0.7 ? onMarketDay : collector.markets
  const cities = [...new Set(choice.map((market) => market.city))]
  return cities[random.integer(0, cities.length - 1)]
}

const silences = events.map(({ cities, from, silentDays = 0 }) => ({
  cities: new Set<City | undefined>(cities),
  first: dayOf(from),
  end: dayOf(from) + silentDays,
}))

function isSilent(city: City | undefined, day: DayNumber): boolean {
  return silences.some(({ cities, first, end }) => first <= day && day < end && cities.has(city))
}
