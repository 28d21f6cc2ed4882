import type { City } from '#demonstration/facts/places.ts'
import type { SupplyName } from '#demonstration/facts/supplies.ts'

/** A real event that moved prices. */
export type EventFacts = {
  from: string
  cities: readonly City[]
  /** Supplies whose price rose; all of them when absent. */
  supplies?: readonly SupplyName[]
  /** Largest rise, in percent. */
  rise: number
  /** Days until half of the rise has disappeared. */
  halfLifeDays: number
  /** Days during which no price was collected. */
  silentDays?: number
}

// Sizes and durations are estimates. The press reported the events and the direction: beans +30 % at Bukavu within days
// (Le Souverain Libre, 28 January 2025), beer at twice the price at Goma (Le Regard, 10 May 2025), maize at twice the
// price at Kananga (Radio Okapi, 23 December 2025).
export const events: readonly EventFacts[] = [
  // The M23 enters Goma; banks, roads and the lake close.
  { from: '2025-01-26', cities: ['Goma'], rise: 24, halfLifeDays: 40, silentDays: 16 },
  {
    from: '2025-01-27',
    cities: ['Bukavu', 'Uvira'],
    supplies: ['beans', 'highlands'],
    rise: 28,
    halfLifeDays: 30,
  },
  // The M23 enters Bukavu; the brewery is looted.
  { from: '2025-02-15', cities: ['Bukavu'], rise: 18, halfLifeDays: 35, silentDays: 13 },
  { from: '2025-03-01', cities: ['Goma', 'Bukavu'], supplies: ['industry'], rise: 22, halfLifeDays: 75 },
  // The Ndjili river floods and cuts Kinshasa off from Kongo-Central.
  {
    from: '2025-04-05',
    cities: ['Kinshasa'],
    supplies: ['vegetables', 'cassava', 'plantain'],
    rise: 25,
    halfLifeDays: 8,
  },
  // Fighting reaches Uvira.
  { from: '2025-12-09', cities: ['Uvira'], rise: 20, halfLifeDays: 25, silentDays: 20 },
  // Erosion cuts the railway and the roads to Kananga.
  { from: '2025-12-12', cities: ['Kananga'], supplies: ['maize'], rise: 70, halfLifeDays: 14 },
]
