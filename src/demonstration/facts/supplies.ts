import type { Climate } from '#demonstration/facts/places.ts'

/** Parameters of the price of all the products of one supply chain. Percentages are of the price. */
export type Supply = {
  /** Part of the price that depends on costs paid in dollars, 0 to 1. */
  importShare: number
  /** Half the difference between the highest and the lowest price of a year, in percent. */
  swing: number
  /** Day of the highest price, as [month, day]; with `seasons: 2` there is a second peak six months later. */
  peak: Record<Climate, readonly [number, number]>
  seasons?: Partial<Record<Climate, 1 | 2>>
  /** Rise at Christmas, in percent. */
  feast: number
  /** Standard deviation of the random variation that lasts some weeks, in percent. */
  wander: number
  /** Standard deviation of a haggled price around the announced price, in percent. */
  haggle: number
  /** Shortest and longest number of days during which a posted price stays the same. */
  posted: readonly [number, number]
  /** True for products transported by roads that rain and war cut. */
  isFresh?: true
}

const anyTime = { west: [1, 1], river: [1, 1], east: [1, 1], south: [1, 1] } as const

// Seasons. Maize is dearest before its harvest: November in the west, January in the south; the two harvests of the
// east (January and June) cause two peaks. Tomatoes are dear in the rainy season, palm oil and caterpillars out of
// season.
export const supplies = {
  imports: {
    importShare: 0.85,
    swing: 1,
    peak: anyTime,
    feast: 3,
    wander: 9.5,
    haggle: 1.5,
    posted: [9, 60],
  },
  frozen: {
    importShare: 0.75,
    swing: 2,
    peak: anyTime,
    feast: 9,
    wander: 9,
    haggle: 2,
    posted: [8, 56],
  },
  industry: {
    importShare: 0.4,
    swing: 0.5,
    peak: anyTime,
    feast: 2,
    wander: 9.5,
    haggle: 1,
    posted: [14, 80],
  },
  maize: {
    importShare: 0.05,
    swing: 9.5,
    peak: { west: [11, 10], river: [5, 20], east: [5, 5], south: [1, 25] },
    seasons: { river: 2, east: 2 },
    feast: 0,
    wander: 9.5,
    haggle: 2.5,
    posted: [6, 56],
    isFresh: true,
  },
  cassava: {
    importShare: 0.03,
    swing: 8,
    peak: { west: [8, 20], river: [2, 10], east: [8, 1], south: [10, 10] },
    feast: 1,
    wander: 9.5,
    haggle: 2.5,
    posted: [6, 56],
    isFresh: true,
  },
  localRice: {
    importShare: 0.15,
    swing: 11,
    peak: { west: [11, 20], river: [10, 20], east: [3, 20], south: [2, 1] },
    feast: 3,
    wander: 9,
    haggle: 2,
    posted: [6, 56],
    isFresh: true,
  },
  beans: {
    importShare: 0.06,
    swing: 15,
    peak: { west: [11, 25], river: [5, 10], east: [5, 1], south: [2, 10] },
    seasons: { east: 2, river: 2 },
    feast: 1,
    wander: 9.5,
    haggle: 2.5,
    posted: [6, 56],
    isFresh: true,
  },
  groundnuts: {
    importShare: 0.05,
    swing: 16,
    peak: { west: [11, 15], river: [5, 15], east: [5, 10], south: [1, 20] },
    feast: 2,
    wander: 9.5,
    haggle: 2.5,
    posted: [6, 56],
    isFresh: true,
  },
  palmOil: {
    importShare: 0.1,
    swing: 14,
    peak: { west: [10, 1], river: [9, 1], east: [10, 10], south: [11, 1] },
    feast: 2,
    wander: 9.5,
    haggle: 2,
    posted: [6, 56],
    isFresh: true,
  },
  vegetables: {
    importShare: 0.03,
    swing: 25,
    peak: { west: [2, 15], river: [11, 1], east: [4, 20], south: [2, 1] },
    feast: 5,
    wander: 11,
    haggle: 4,
    posted: [6, 56],
    isFresh: true,
  },
  plantain: {
    importShare: 0.03,
    swing: 9,
    peak: { west: [8, 25], river: [2, 20], east: [8, 10], south: [9, 10] },
    feast: 3,
    wander: 10.5,
    haggle: 3.5,
    posted: [6, 56],
    isFresh: true,
  },
  fish: {
    importShare: 0.1,
    swing: 12,
    peak: { west: [12, 1], river: [11, 20], east: [4, 15], south: [3, 20] },
    feast: 4,
    wander: 10.5,
    haggle: 3.5,
    posted: [6, 56],
    isFresh: true,
  },
  meat: {
    importShare: 0.08,
    swing: 3,
    peak: { west: [12, 25], river: [12, 25], east: [9, 1], south: [9, 20] },
    feast: 12,
    wander: 9,
    haggle: 2.5,
    posted: [6, 56],
    isFresh: true,
  },
  caterpillars: {
    importShare: 0,
    swing: 27,
    peak: { west: [4, 10], river: [3, 1], east: [4, 10], south: [8, 20] },
    feast: 4,
    wander: 11,
    haggle: 4,
    posted: [6, 56],
    isFresh: true,
  },
  highlands: {
    importShare: 0.05,
    swing: 12,
    peak: { west: [5, 10], river: [5, 10], east: [5, 5], south: [12, 20] },
    seasons: { west: 2, river: 2, east: 2 },
    feast: 3,
    wander: 10.5,
    haggle: 3,
    posted: [6, 56],
    isFresh: true,
  },
} as const satisfies Record<string, Supply>

export type SupplyName = keyof typeof supplies
