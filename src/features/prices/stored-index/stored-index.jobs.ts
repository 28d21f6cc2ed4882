import { randomUUID } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import { provinceNamed } from '#features/markets/markets.rules.ts'
import { newIndices, priceChannel } from '#features/prices/live/live.rules.ts'
import { windowWeeks } from '#features/prices/price-index/price-index.rules.ts'
import type { WindowLevels } from '#features/prices/price-index/sliding-window.rules.ts'
import { addDays } from '#features/prices/rollups/rollups.rules.ts'
import { type IndexFigures, indexNames } from '#features/prices/stored-index/figures.rules.ts'
import {
  addPendingAll,
  dropIndices,
  lockIndices,
  readAllIndices,
  readChangedSeries,
  readLastDay,
  readLastYear,
  readMeans,
  readPending,
  readScopes,
  saveIndices,
  takeKeeping,
  takePending,
  windowStart,
} from '#features/prices/stored-index/stored-index.sql.ts'
import { SeriesWindow } from '#features/prices/stored-index/windows.rules.ts'
import {
  forgetWindows,
  noteAllFitted,
  noteAllWindows,
  noteWindows,
  readWindowState,
  readWindowsOfWeek,
  saveWindows,
} from '#features/prices/stored-index/windows.sql.ts'
import { isUnavailable } from '#server/db/errors.ts'
import { notify } from '#server/db/notify.ts'
import type { Db } from '#server/db/pool.ts'
import { feedMessage } from '#server/feed.ts'
import type { JobRunner, Task } from '#server/jobs/jobs.ts'
import type { Log } from '#server/log.ts'

/** How soon (ms) what was written is noticed. */
const lookEveryMs = 250
/** So long windows of past weeks are fitted before what is written is looked at again. */
const momentMs = 100
/** So long it rests between two moments where nobody else was served during the last, a share of the time at most. */
const breathMs = 25
const littleOfTheTime = 0.2
/** Another process has the series in memory, and does in a moment what this one would read all of them for. */
const usualPatienceMs = 2_000
/** Beyond so many series that changed, all are read again. */
const mostChanged = 3_000
const weekMs = 7 * 24 * 60 * 60 * 1000
const oneDayMs = 24 * 60 * 60 * 1000
/** Figures of the same prices differ by less, whatever the order in which they were added up. */
const tolerance = 1e-9

/** Keeps the stored indices up to date until it is stopped; among several processes, one of them does. */
export function keepIndices({ db, log }: { db: Db; log: Log }): JobRunner {
  const keeper = createKeeper(db)
  let isStopped = false
  let timer: NodeJS.Timeout
  let working: Promise<void>
  let resting = performance.eventLoopUtilization()

  // Of a hundred thousand series a window takes a tenth of a second of this process, which may have others to serve.
  function again(restMs = lookEveryMs): void {
    resting = performance.eventLoopUtilization()
    if (isStopped) return
    timer = setTimeout(() => {
      const startedAt = performance.now()
      const isAlone = performance.eventLoopUtilization(resting).utilization < littleOfTheTime
      working = followAll(keeper)
        .catch(failed)
        .then((isMore) => {
          const took = performance.now() - startedAt
          again(isMore && isAlone ? breathMs : Math.min(Math.max(lookEveryMs, 3 * took), 30 * lookEveryMs))
        })
    }, restMs)
    timer.unref()
  }
  function failed(error: unknown): false {
    if (!isUnavailable(error)) log.error({ err: error }, 'the price indices were not brought up to date')
    return false
  }
  working = keeper
    .prepare()
    .catch(failed)
    .then(() => again())
  return {
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await working
    },
  }
}

/**
 * What was written last comes first; then windows of past weeks, as many as take a moment.
 *
 * @returns whether more of these are to be fitted
 */
async function followAll(keeper: ReturnType<typeof createKeeper>): Promise<boolean> {
  await keeper.follow()
  const startedAt = performance.now()
  let isMore = true
  while (isMore && performance.now() - startedAt < momentMs) isMore = await keeper.followWindows()
  return isMore
}

/** Every night the stored indices are compared with what a fit from scratch gives, and stored anew where they differ. */
export function checkIndices({ db, log }: { db: Db; log: Log }): Task {
  return {
    name: 'check price indices',
    everyMs: oneDayMs,
    async run() {
      const wrong = await createKeeper(db).check()
      if (wrong.length > 0) log.error({ indices: wrong }, 'stored price indices were wrong and are repaired')
    },
  }
}

/**
 * Brings the stored indices up to date; remembers the series that they come from between two times.
 *
 * @param patienceMs how long what was written is left to the process that did this last
 */
export function createKeeper(db: Db, patienceMs = usualPatienceMs) {
  const id = randomUUID()
  let remembered: { window: SeriesWindow; start: string; version: number } | null = null
  /** The weeks read so far, up to `next`, for the windows that end with `from` and later. */
  let moving: { window: SeriesWindow; next: string; from: string } | null = null

  /**
   * The series as they are now: those remembered, with what has changed since, or all of them read again.
   *
   * @returns with the names of the indices that changed; null where all of them may have
   */
  async function takeSeries(
    tx: Db,
    lastDay: string,
  ): Promise<{ window: SeriesWindow; names: string[] | null }> {
    const { version, series, isAll } = await takePending(tx, id)
    const [known, start] = [remembered, windowStart(lastDay)]
    remembered = null
    const isKnown =
      known?.version === version - 1 && known.start === start && !isAll && series.length <= mostChanged
    const changed = isKnown ? await readChangedSeries(tx, series, { start, lastDay, provinceNamed }) : []
    // Of a product or a market that went with its prices nobody knows in which indices it was.
    if (!isKnown || changed.length < series.length) {
      const window = await readLastYear(tx, lastDay, provinceNamed, pause)
      remembered = { window, start, version }
      return { window, names: null }
    }
    for (const each of changed) known.window.put(each)
    remembered = { ...known, version }
    const scopes = new Set(changed.flatMap((each) => each.scopes))
    return { window: known.window, names: scopes.size > 0 ? [indexNames.nation, ...scopes] : [] }
  }

  /** Does what is pending; tells whether some indices changed. */
  async function followPending(tx: Db): Promise<boolean> {
    if (!(await lockIndices(tx))) return false
    const lastDay = await readLastDay(tx)
    if (lastDay === null) {
      await takePending(tx, id)
      await dropIndices(tx)
      return true
    }
    const { window, names } = await takeSeries(tx, lastDay)
    if (!names) await dropIndices(tx)
    await saveIndices(tx, windowStart(lastDay), await figuresOf(window, lastDay, names))
    return names === null || names.length > 0
  }

  /** Who follows prices heard of them before the indices had taken them in. */
  function tellFollowers(): Promise<void> {
    return notify(db, priceChannel, feedMessage(newIndices))
  }

  return {
    /**
     * Reads the series before something is written, unless something is pending, and keeps the indices from then on: whoever
     * started last does. The first price after a restart waited ten seconds for a hundred thousand series to be read.
     */
    async prepare(): Promise<void> {
      const { waitingMs, version } = await readPending(db)
      const lastDay = await readLastDay(db)
      if (waitingMs !== null || lastDay === null) return
      const window = await readLastYear(db, lastDay, provinceNamed, pause)
      await figuresOf(window, lastDay)
      if (await takeKeeping(db, id, version)) remembered = { window, start: windowStart(lastDay), version }
    },

    /** Does what is pending, unless another process is about to. */
    async follow(): Promise<void> {
      const { waitingMs, keeper } = await readPending(db)
      if (waitingMs === null || (keeper !== null && keeper !== id && waitingMs < patienceMs)) return
      try {
        const haveChanged = await db.transaction().execute(followPending)
        if (haveChanged) await tellFollowers()
      } catch (error) {
        // What was remembered may hold what was not kept.
        remembered = null
        throw error
      }
    },

    /**
     * Reads a week for the next window that is to be fitted anew, or fits it. What is written meanwhile in a week that has been
     * read is pending, and then has the windows fitted from that week on.
     *
     * @returns whether there is more to do; not while another process is at it
     */
    async followWindows(): Promise<boolean> {
      const known = moving
      moving = null
      const before = await readWindowState(db)
      if (!before || before.from > before.last) return false
      let areAllFitted = false
      const isMore = await db.transaction().execute(async (tx) => {
        if (!(await lockIndices(tx))) return false
        const state = await readWindowState(tx)
        if (!state || state.from > state.last) return false
        if (known?.from !== state.from) {
          if (state.keeper !== id && state.idleMs < 10 * patienceMs) return false
          if (await forgetWindows(tx, state.first)) {
            await noteAllWindows(tx)
            return true
          }
          const from = state.from > state.first ? state.from : state.first
          if (from > state.to) {
            await noteAllFitted(tx, state.last)
            return false
          }
          await noteWindows(tx, from)
          const window = new SeriesWindow(await readScopes(tx, provinceNamed))
          moving = { window, from, next: addDays(from, -7 * (windowWeeks - 1)) }
          return true
        }
        const { window, from, next } = known
        const isLast = next === from
        const read = await readWeek(tx, window, next)
        if (isLast) await saveWindows(tx, from, await levelsOf(window))
        areAllFitted = isLast && read > state.to
        if (areAllFitted) {
          await noteAllFitted(tx, state.last)
          return false
        }
        await noteWindows(tx, isLast ? read : from)
        moving = { window, next: read, from: isLast ? read : from }
        return true
      })
      if (areAllFitted) await tellFollowers()
      return isMore
    },

    /**
     * Compares every stored index with what a fit from scratch gives, unless something was just written; where one is
     * wrong, has all of them computed anew.
     *
     * @returns the names of those that were wrong
     */
    async check(): Promise<string[]> {
      return db
        .transaction()
        .setIsolationLevel('repeatable read')
        .execute(async (tx) => {
          const { waitingMs } = await readPending(tx)
          const lastDay = await readLastDay(tx)
          if (waitingMs !== null || lastDay === null) return []
          const fresh = await figuresOf(await readLastYear(tx, lastDay, provinceNamed, pause), lastDay)
          const stored = await readAllIndices(tx)
          const names = new Set([...fresh.keys(), ...stored.keys()])
          const wrong = [...names].filter((name) => !areAlike(stored.get(name), fresh.get(name)))
          wrong.push(...(await checkWindow(tx)))
          if (wrong.length > 0) await addPendingAll(tx)
          return wrong
        })
    },
  }
}

/** Others are served meanwhile. */
function pause(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

/** Adds a week to a window; returns the week after it. One at a time: others are served meanwhile. */
async function readWeek(db: Db, window: SeriesWindow, week: string): Promise<string> {
  await window.add(await readMeans(db, week), pause)
  return addDays(week, 7)
}

/** What the weeks of a window are worth for every index; those that nothing links are left out. */
async function levelsOf(window: SeriesWindow): Promise<Map<string, WindowLevels>> {
  const all = new Map<string, WindowLevels>()
  for (const name of await window.names(pause)) {
    const levels = window.levels(name)
    if (levels.some((level) => level !== null)) all.set(name, levels)
    await pause()
  }
  return all
}

/** The names of the indices whose windows of one past week, drawn at random, are not what a fit from scratch gives. */
async function checkWindow(tx: Db): Promise<string[]> {
  const state = await readWindowState(tx)
  if (!state || state.from <= state.last) return []
  const weeks = (Date.parse(state.last) - Date.parse(state.first)) / weekMs + 1
  const week = addDays(state.first, 7 * Math.floor(Math.random() * weeks))
  const window = new SeriesWindow(await readScopes(tx, provinceNamed))
  let next = addDays(week, -7 * (windowWeeks - 1))
  while (next <= week) next = await readWeek(tx, window, next)
  const [fresh, stored] = [await levelsOf(window), await readWindowsOfWeek(tx, week)]
  const names = new Set([...fresh.keys(), ...stored.keys()])
  return [...names].filter((name) => !areNear(fresh.get(name) ?? [], stored.get(name) ?? []))
}

/** @param some the names of those wanted, all when absent or null */
async function figuresOf(
  window: SeriesWindow,
  lastDay: string,
  some: readonly string[] | null = null,
): Promise<Map<string, IndexFigures | null>> {
  const all = new Map<string, IndexFigures | null>()
  const names = await window.names(pause)
  // Of one that ends before the last two weeks of all the last days were not all read.
  const since = Date.parse(lastDay) / oneDayMs - 13
  for (const name of some ?? names) all.set(name, await window.figures(name, since, pause))
  return all
}

function areAlike(stored: IndexFigures | undefined, fresh: IndexFigures | null | undefined): boolean {
  if (!stored || !fresh) return !stored && !fresh
  return (
    areNear(stored.levels, fresh.levels) &&
    areNear(stored.errors, fresh.errors) &&
    areNear(stored.quoted, fresh.quoted) &&
    stored.marketDays.join() === fresh.marketDays.join() &&
    (['series', 'products', 'knownSeries', 'lastDay'] as const).every(
      (figure) => stored[figure] === fresh[figure],
    )
  )
}

function areNear(one: WindowLevels, other: WindowLevels): boolean {
  return (
    one.length === other.length &&
    one.every((value, i) => {
      const same = other[i] ?? null
      return value === null || same === null ? value === same : Math.abs(value - same) < tolerance
    })
  )
}
