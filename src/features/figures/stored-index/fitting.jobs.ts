import { once } from 'node:events'
import { performance } from 'node:perf_hooks'
import type { WeeklySeries } from '#features/figures/price-index/normal-equations.rules.ts'
import { windowWeeks } from '#features/figures/price-index/price-index.rules.ts'
import { type WindowLevels, windowLevels } from '#features/figures/price-index/splice.rules.ts'
import type { IndexFigures } from '#features/figures/stored-index/figures.rules.ts'
import { figuresOf, seriesByIndex } from '#features/figures/stored-index/fitting.rules.ts'
import {
  type FitState,
  forgetWindows,
  hasToFit,
  mondaysBetween,
  readAllSeries,
  readFitState,
  readLastDays,
  readScopes,
  saveFit,
  saveIndices,
  saveWindows,
  takeMarks,
  windowStart,
} from '#features/figures/stored-index/fitting.sql.ts'
import { provinceNamed } from '#features/markets/markets.rules.ts'
import type { Db, PoolOptions } from '#server/db/pool.ts'
import type { Task } from '#server/jobs/jobs.ts'
import { startThread } from '#server/thread.ts'
import { addDays, mondayOf } from '#shared/days.ts'

/** Delay (ms) between a change and the fit of the indices. */
const soonMs = 2_000
/** Rest after each piece of work, as a multiple of its duration: fitting uses a quarter of the time. */
export const restsPerWork = 3
/** Number of windows of past weeks fitted in one transaction; they share the weeks that are read. */
const windowsAtOnce = 13
/** Heap limit of the thread (MB): a hundred thousand prices a week use half of it. */
const heapMb = 320

/**
 * Refits the stored indices, in a thread, when prices, rates or the classification of a series have changed; then the
 * windows of past weeks, piece by piece.
 */
export function fitTask({
  db,
  connection,
  onFitted,
}: {
  db: Db
  connection: PoolOptions['connection']
  /** Called once the indices include what was written. */
  onFitted: () => Promise<void>
}): Task {
  let tookMs = 0
  return {
    name: 'fit price indices',
    everyMs: () => Math.max(soonMs, restsPerWork * tookMs),
    async run(_payload, { signal }) {
      const startedAt = performance.now()
      tookMs = 0
      if (!(await hasToFit(db))) return
      const thread = startThread(new URL('./fitting-thread.jobs.ts', import.meta.url), {
        workerData: { connection },
        heapMb,
      })
      try {
        await once(thread, 'message', { signal })
      } finally {
        await thread.terminate()
        tookMs = performance.now() - startedAt
      }
      await onFitted()
    },
  }
}

/**
 * Fits the indices if something was written, else some of the windows of past weeks. Runs in a repeatable-read
 * transaction: the marks that it deletes are exactly the writes that it reads, and concurrent commits leave marks of
 * their own.
 *
 * @returns whether windows of past weeks are still to be fitted
 */
export function fitNext(db: Db): Promise<boolean> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => {
      const state = await readFitState(tx)
      if (state.marks > 0) return fitIndices(tx, state)
      return state.windowsFrom !== null && fitWindows(tx, state)
    })
}

/**
 * Fits everything that is pending, piece by piece.
 *
 * @param rest waits after a piece, given its duration (ms); no wait when absent
 */
export async function fitAll(db: Db, rest?: (tookMs: number) => Promise<unknown>): Promise<void> {
  for (let isMore = true; isMore; ) {
    const startedAt = performance.now()
    isMore = await fitNext(db)
    if (isMore) await rest?.(performance.now() - startedAt)
  }
}

/** Fits the indices of the 53 weeks that end with the last price. */
async function fitIndices(tx: Db, { now, lastDay, ...state }: FitState): Promise<boolean> {
  await takeMarks(tx)
  const figures = new Map<string, IndexFigures>()
  if (lastDay !== null) {
    const start = windowStart(lastDay)
    const lastDayOf = await readLastDays(tx, lastDay)
    const series = (await readAllSeries(tx, mondaysBetween(start, lastDay))).map((each) => ({
      ...each,
      lastDay: lastDayOf(each) ?? null,
    }))
    const since = addDays(lastDay, -13)
    for (const [name, own] of seriesByIndex(series, await readScopes(tx, provinceNamed))) {
      const figure = figuresOf(own, since)
      if (figure) figures.set(name, figure)
    }
  }
  await saveIndices(tx, lastDay === null ? now.slice(0, 10) : windowStart(lastDay), figures)
  const windows = windowsOf({ ...state, lastDay })
  await forgetWindows(tx, windows)
  const [from = null] = [state.windowsFrom, state.markedFrom, state.nextWindow]
    .flatMap((week) => week ?? [])
    .sort()
  const isMore = from !== null && from <= windows.last && windows.first <= windows.last
  await saveFit(tx, { at: now, windowsFrom: isMore ? from : null })
  return isMore
}

/** Fits some of the windows that end with past weeks, starting with the earliest one affected by a write. */
async function fitWindows(tx: Db, state: FitState): Promise<boolean> {
  const { first, last } = windowsOf(state)
  const { windowsFrom, now } = state
  const from = windowsFrom !== null && windowsFrom > first ? windowsFrom : first
  const mondays = mondaysBetween(from, last).slice(0, windowsAtOnce)
  const start = addDays(from, -7 * (windowWeeks - 1))
  const end = mondays.at(-1)
  const series = end === undefined ? [] : await readAllSeries(tx, mondaysBetween(start, end))
  const indices = seriesByIndex(series, await readScopes(tx, provinceNamed))
  for (const [at, monday] of mondays.entries())
    await saveWindows(tx, monday, levelsOf(indices, windowWeeks - 1 + at))
  const next = end === undefined ? null : addDays(end, 7)
  const isMore = next !== null && next <= last
  await saveFit(tx, { at: now, windowsFrom: isMore ? next : null })
  return isMore
}

/** Returns the levels of every index in the window that ends with a week; omits windows without linked weeks. */
function levelsOf(
  indices: ReadonlyMap<string, readonly WeeklySeries[]>,
  week: number,
): Map<string, WindowLevels> {
  const all = new Map<string, WindowLevels>()
  for (const [name, series] of indices) {
    const levels = windowLevels(series, week)
    if (levels.some((level) => level !== null)) all.set(name, levels)
  }
  return all
}

/**
 * Returns the range of windows of past weeks, by the Mondays of their last weeks. The window of the very last week is
 * the stored index itself.
 */
function windowsOf({ firstDay, lastDay }: Pick<FitState, 'firstDay' | 'lastDay'>) {
  if (firstDay === null || lastDay === null) return { first: '9999-01-01', last: '0001-01-01' }
  return { first: addDays(mondayOf(firstDay), 7 * (windowWeeks - 1)), last: addDays(mondayOf(lastDay), -7) }
}
