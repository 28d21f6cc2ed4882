import { createHash } from 'node:crypto'
import { findLastCollected } from '#features/figures/activity/activity.sql.ts'
import type { SignedPart } from '#features/figures/parts/parts.rules.ts'
import { measuredChange } from '#features/figures/price-index/measure.rules.ts'
import { provisionalWeeks, trendOf, windowWeeks } from '#features/figures/price-index/price-index.rules.ts'
import { readNationalIndex } from '#features/figures/stored-index/indices.sql.ts'
import { readTogether } from '#features/figures/summary/summary.sql.ts'
import { type PublicFigures, publicOverview } from '#features/landing/landing.contract.ts'
import {
  compareMarkets,
  countCatalogueParts,
  countDays,
  countPlatform,
  countPricesFrom,
  findLastDay,
  findSteadiestPlace,
  listCoveredMarkets,
  listWeeklyMoves,
} from '#features/landing/landing.sql.ts'
import { planRows } from '#features/plans/plans.sql.ts'
import { readLatestTable } from '#features/public-prices/latest-prices.sql.ts'
import type { Db } from '#server/db/pool.ts'
import { type Cached, createCached } from '#server/http/cached.ts'
import type { Api } from '#server/http/endpoint.ts'
import { getInstallation } from '#server/installation.sql.ts'
import type { Log } from '#server/log.ts'
import { addDays, mondayOf } from '#shared/days.ts'

export type OverviewSource = Cached<PublicFigures>

/**
 * Returns the cached source of the figures of the public pages: read from the database once a minute at most, whatever
 * the number of visitors.
 */
export function createOverview(db: Db, { today, log }: { today: () => string; log: Log }): OverviewSource {
  return createCached(() => readTogether(db, (snapshot) => readOverview(snapshot, today())), {
    freshMs: 60_000,
    staleMs: 240_000,
    log,
  })
}

export function overviewRoutes(api: Api, read: OverviewSource): void {
  api.on(publicOverview, async ({ reply }) => {
    const answer = await read()
    const { madeAt: _, ...figures } = answer
    const hash = createHash('sha256').update(JSON.stringify(figures)).digest('base64url')
    reply.headers({ etag: `W/"${hash.slice(0, 22)}"`, 'cache-control': 'public, max-age=60' })
    return answer
  })
}

const mostShown = { brands: 8, categories: 8, moves: 10, comparedMarkets: 6, plans: 10 }
/** The selection of all prices. */
const whole: readonly SignedPart[] = [{ wanted: {}, sign: 1 }]
const evolutionDays = 7
const indexWeeks = 26

async function readOverview(db: Db, today: string): Promise<PublicFigures> {
  const lastDay = await findLastDay(db)
  const { has_demonstration_data: isDemonstration } = await getInstallation(db)
  const { rows: plans } = await planRows.list(db, { page: 1, limit: mostShown.plans, isActive: true })
  return {
    madeAt: new Date().toISOString(),
    isDemonstration,
    totals: await countPlatform(db),
    ...(await countCatalogueParts(db, mostShown)),
    ...(await countDays(db, evolutionDays, today)),
    markets: await listCoveredMarkets(db),
    plans,
    ...(lastDay === null ? withoutPrices : await readPriceFigures(db, lastDay, today)),
  }
}

type PriceFigures = Pick<
  PublicFigures,
  'lastCollectedAt' | 'index' | 'steadiest' | 'comparison' | 'moves' | 'latest'
>

const withoutPrices: PriceFigures = {
  lastCollectedAt: null,
  index: {
    asOf: null,
    weeks: [],
    month: null,
    quarter: null,
    halfYear: null,
    matchedSeries: 0,
    knownSeries: 0,
    prices: 0,
  },
  steadiest: null,
  comparison: null,
  moves: [],
  latest: { cities: [], rows: [] },
}

async function readPriceFigures(db: Db, lastDay: string, today: string): Promise<PriceFigures> {
  const lastWeek = mondayOf(lastDay)
  const moves = await listWeeklyMoves(db, lastDay)
  const compared = await compareMarkets(db, lastWeek, mostShown.comparedMarkets)
  return {
    lastCollectedAt: await findLastCollected(db, whole),
    index: await readIndexShown(db, lastDay, today),
    steadiest: await findSteadiestPlace(db, lastWeek),
    comparison: compared && { ...compared, from: addDays(lastWeek, -21), to: lastDay },
    moves: moves
      .toSorted((a, b) => Math.abs(Math.log1p(b.change)) - Math.abs(Math.log1p(a.change)))
      .slice(0, mostShown.moves),
    latest: await readLatestTable(db, today),
  }
}

async function readIndexShown(db: Db, lastDay: string, today: string): Promise<PublicFigures['index']> {
  const from = addDays(mondayOf(lastDay), -7 * (windowWeeks - 1))
  const index = await readNationalIndex(db, { start: from, end: lastDay })
  if (!index) return withoutPrices.index
  const { start, levels, matchedSeries, knownSeries, asOf } = index
  const last = levels.findLastIndex((level) => level !== null)
  const first = Math.max(0, last - indexWeeks)
  const valued = levels.flatMap((level, week) => (level === null || week < first ? [] : [{ level, week }]))
  const mondayAt = (week: number) => addDays(start, 7 * week)
  const provisionalFrom = addDays(mondayOf(today), -7 * (provisionalWeeks - 1))
  const movementOver = (weeks: number) => {
    const movement = last < weeks ? null : index.movement(last - weeks, last)
    if (!movement) return null
    return { ...measuredChange(movement, mondayAt(last - weeks), mondayAt(last)), trend: trendOf(movement) }
  }
  return {
    asOf,
    weeks: valued.map(({ level, week }) => ({
      week: mondayAt(week),
      value: 100 * Math.exp(level - (valued[0]?.level ?? 0)),
      isProvisional: mondayAt(week) >= provisionalFrom,
    })),
    month: movementOver(4),
    quarter: movementOver(13),
    halfYear: movementOver(26),
    matchedSeries,
    knownSeries,
    prices: await countPricesFrom(db, start),
  }
}
