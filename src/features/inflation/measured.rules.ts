import {
  contributionsOf,
  type MovedSeries,
  movedBetween,
} from '#features/figures/price-index/contributions.rules.ts'
import {
  countSilent,
  marketDaysOf,
  type Panel,
  type PanelSeries,
  type SolvedIndex,
} from '#features/figures/price-index/measure.rules.ts'
import {
  fitWindow,
  isThin,
  movementBetween,
  provisionalWeeks,
  trendOf,
  type Weigh,
  windowWeeks,
} from '#features/figures/price-index/price-index.rules.ts'
import { type WindowLevels, windowLevels } from '#features/figures/price-index/splice.rules.ts'
import type { Inflation } from '#features/inflation/inflation.contract.ts'
import {
  splitByDollar,
  type WeekFigures,
  type WindowsByWeek,
  weekFigures,
  weeksBack,
} from '#features/inflation/inflation.rules.ts'
import type { Measure } from '#features/inflation/published/published.contract.ts'
import {
  describeWeights,
  type TypeWeight,
  weighByType,
  weightsOn,
} from '#features/inflation/weighing.rules.ts'
import { addDays, mondayOf } from '#shared/days.ts'

/** The type and category of a product, with their names. */
export type Kind = { type: number; typeName: string; category: number; categoryName: string }

type Facts = {
  measure: Measure
  /** The last day with a price. */
  lastDay: string
  today: string
  /** The last requested day. */
  until: string | undefined
  kinds: ReadonlyMap<number, Kind>
  entered: readonly TypeWeight[]
  /** Mean ln(francs per dollar) of each week, by its Monday. */
  rates: ReadonlyMap<string, number>
}

type Measured = Omit<Inflation, 'published' | 'excluded' | 'basis'> & {
  basis: Omit<Inflation['basis'], 'converted' | 'atOldRate'>
}

/**
 * The two weeks of an index that a measure compares, counted from its first. `from` is -1 for week 53 of a year,
 * compared with the last week of the year before; `to` is -1 where no week has a value.
 */
type WeeksMeasured = readonly [from: number, to: number]

/** An index over a year, with what it rests on. */
type Solved = Pick<SolvedIndex, 'start' | 'levels' | 'asOf' | 'knownSeries' | 'marketDays' | 'movement'> & {
  /** Returns its series between two weeks; null where there are too many to read. */
  moved: ((weeks: WeeksMeasured) => readonly MovedSeries[]) | null
  /** The windows that end with its weeks, and with the week before. */
  windows: WindowsByWeek
  weights: Measured['weights']
  unusedWeights: Measured['unusedWeights']
  isTooLargeToWeigh: boolean
  prices: number | null
}

/**
 * Number of weeks before the last whose own windows are fitted too: all weeks shown, and the one before, which week 53
 * needs.
 */
export const weeksWithWindow = windowWeeks

/**
 * Measures the inflation of a panel.
 *
 * @param windows stored windows of the weeks before the last; when absent they are fitted from the first weeks of the
 *   panel
 */
export function measureInflation(panel: Panel, facts: Facts, windows?: WindowsByWeek): Measured {
  const { kinds, entered } = facts
  const typeOf = (product: number) => kinds.get(product)?.type ?? 0
  const weigh = weighByType(entered, panel.start, typeOf)
  // Weeks after the last one with a value hold only new series: the measured year ends with that week.
  const whole = fitWindow(panel.series, panel.weeks - 1, weigh)
  const behind = whole.levels.toReversed().findIndex((level) => level !== null)
  const end = panel.weeks - 1 - Math.max(0, behind)
  const fit = behind > 0 ? fitWindow(panel.series, end, weigh) : whole
  const first = Math.max(0, end + 1 - windowWeeks)
  const mondayAt = (week: number) => addDays(panel.start, 7 * week)
  // For week 53 the value is spliced, as in an index of more than a year; series and margin come from a single fit of
  // 54 weeks.
  const fitFrom = (from: number) =>
    from < 0 && first > 0
      ? { fit: fitWindow(panel.series, end, weigh, windowWeeks + 1), by: 1 }
      : { fit, by: 0 }
  const inYear = panel.series.filter(({ weeks }) => (weeks[weeks.length - 1] ?? -1) >= first)
  return measureSolved(
    {
      moved: ([from, to]) => {
        const { fit, by } = fitFrom(from)
        return movedBetween(fit, [from + by, to + by])
      },
      start: mondayAt(first),
      levels: fit.levels,
      movement: (from, to) => {
        const { fit, by } = fitFrom(from)
        return movementBetween(fit, from + by, to + by)
      },
      windows: windows
        ? withLast(windows, mondayAt(end), fit.levels)
        : windowsOf(panel, entered.length > 0 ? weigh : undefined),
      asOf: null,
      knownSeries: inYear.length,
      isTooLargeToWeigh: false,
      ...describeWeights(fit, inYear, typeOf, weightsOn(entered, addDays(mondayAt(end), 6))),
      marketDays: marketDaysOf(inYear),
      prices: inYear.reduce((sum, each) => sum + pricesFrom(each, first), 0),
    },
    facts,
  )
}

/** Counts the prices of a series from a week on. */
function pricesFrom({ weeks, counts }: PanelSeries, first: number): number {
  return counts.reduce((sum, count, i) => sum + ((weeks[i] ?? 0) < first ? 0 : count), 0)
}

/**
 * Does the same for a stored index, without weights.
 *
 * @param own its series between the measured weeks, and the number of prices; null where there are too many to read
 */
export function measureStored(
  { index, windows }: { index: SolvedIndex } & Pick<Solved, 'windows'>,
  facts: Facts,
  own: { moved: readonly MovedSeries[]; prices: number } | null,
): Measured {
  const { start, levels } = index
  const inForce = [...weightsOn(facts.entered, facts.lastDay).values()]
  const isTooLargeToWeigh = inForce.some(({ weight }) => weight > 0)
  const unweighted = { weights: null, unusedWeights: null, isTooLargeToWeigh }
  const prices = own?.prices ?? null
  return measureSolved(
    {
      ...index,
      windows: withLast(windows, addDays(start, 7 * (levels.length - 1)), levels),
      ...unweighted,
      prices,
      moved: own && (() => own.moved),
    },
    facts,
  )
}

/** Returns the weeks that a measure of the last week of an index compares. */
export function weeksMeasured(
  { start, levels }: Pick<SolvedIndex, 'start' | 'levels'>,
  measure: Measure,
): WeeksMeasured {
  const last = levels.findLastIndex((level) => level !== null)
  return [last - weeksBack(measure, addDays(start, 7 * last)), last]
}

function measureSolved(solved: Solved, facts: Facts): Measured {
  const { start, levels, moved, movement } = solved
  const { kinds, rates, today } = facts
  const mondayAt = (week: number) => addDays(start, 7 * week)
  const [from, last] = weeksMeasured(solved, facts.measure)
  const weeks = weekFigures(levels.slice(0, last + 1), start, solved.windows)
  const value = weeks.at(-1)?.[facts.measure === 'annualised' ? 'cumulative' : facts.measure] ?? null
  const change = value === null ? null : Math.log1p(value)
  const series = change === null || !moved ? null : moved([from, last])
  const shares = (nameOf: (kind: Kind) => { id: number; name: string }) =>
    change === null || !series ? [] : sharesOf(series, change, kinds, nameOf)
  return {
    week: last < 0 ? null : mondayAt(last),
    asOf: solved.asOf,
    weeks,
    index: rebasedIndex(levels, start, addDays(mondayOf(today), -7 * (provisionalWeeks - 1))),
    changes: changesAt(weeks.at(-1), last, movement),
    contributions: {
      categories: shares(({ category, categoryName }) => ({ id: category, name: categoryName })),
      types: shares(({ type, typeName }) => ({ id: type, name: typeName })),
    },
    exchange:
      change === null
        ? null
        : splitByDollar(change, [rates.get(mondayAt(from)) ?? null, rates.get(mondayAt(last)) ?? null]),
    weights: solved.weights,
    unusedWeights: solved.unusedWeights,
    isTooLargeToWeigh: solved.isTooLargeToWeigh,
    basis: basisOf(solved, facts, last < 0 ? null : mondayAt(last)),
  }
}

/** Fits the windows of a panel. */
function windowsOf({ series, weeks, start }: Panel, weigh: Weigh | undefined): WindowsByWeek {
  const windows = new Map<string, WindowLevels>()
  for (let week = windowWeeks - 1; week < weeks; week++)
    windows.set(addDays(start, 7 * week), windowLevels(series, week, weigh))
  return windows
}

function withLast(windows: WindowsByWeek, week: string, levels: WindowLevels): WindowsByWeek {
  return new Map([...windows, [week, levels]])
}

/** Returns the index, 100 in its first week with a value. */
function rebasedIndex(levels: readonly (number | null)[], start: string, provisionalFrom: string) {
  const valued = levels.flatMap((level, at) =>
    level === null ? [] : [{ level, week: addDays(start, 7 * at) }],
  )
  const base = valued[0]?.level ?? 0
  return valued.map(({ level, week }) => ({
    week,
    value: 100 * Math.exp(level - base),
    isProvisional: week >= provisionalFrom,
  }))
}

/** Returns the changes of a week, each with its margin and its trend. */
function changesAt(
  figures: WeekFigures | undefined,
  to: number,
  movement: SolvedIndex['movement'],
): Measured['changes'] {
  const changeOf = (measure: Measure) => {
    const value = figures?.[measure] ?? null
    if (!figures || value === null) return null
    const back = weeksBack(measure, figures.week)
    const moved = movement(to - back, to)
    const isAnnualised = measure === 'annualised'
    const trend = trendOf(moved)
    return {
      value,
      // An annualised change has no interval of its own.
      margin: isAnnualised ? null : (moved?.margin ?? null),
      // Early in a year, a small cumulative change makes a large annualised one, which is not « stable ».
      trend: isAnnualised && trend === 'stable' ? null : trend,
      products: (moved ?? movement(to, to))?.products ?? 0,
      from: addDays(figures.week, -7 * back),
      to: figures.week,
    }
  }
  return {
    weekly: changeOf('weekly'),
    cumulative: changeOf('cumulative'),
    annualised: changeOf('annualised'),
    yearly: changeOf('yearly'),
  }
}

function sharesOf(
  moved: readonly MovedSeries[],
  change: number,
  kinds: ReadonlyMap<number, Kind>,
  nameOf: (kind: Kind) => { id: number; name: string },
) {
  const names = new Map([...kinds.values()].map((kind) => [nameOf(kind).id, nameOf(kind).name]))
  const groupOf = (product: number) => {
    const kind = kinds.get(product)
    return kind ? nameOf(kind).id : 0
  }
  // Contributions to the logarithm, scaled to add up to the displayed percentage.
  const perLog = change === 0 ? 1 : Math.expm1(change) / change
  return contributionsOf(moved, change, groupOf).map(({ group, series, share, log }) => ({
    id: group,
    name: names.get(group) ?? '',
    series,
    share,
    value: Math.expm1(log / share),
    points: log * perLog,
  }))
}

function basisOf(
  { start, movement, levels, knownSeries, marketDays, prices }: Solved,
  { lastDay, today, until }: Facts,
  lastWeek: string | null,
): Measured['basis'] {
  const last = levels.findLastIndex((level) => level !== null)
  const { series, products } = movement(last, last) ?? { series: 0, products: 0 }
  const firstDay = addDays(
    start,
    7 *
      Math.max(
        0,
        levels.findIndex((level) => level !== null),
      ),
  )
  return {
    prices,
    series,
    knownSeries,
    products,
    firstDay,
    lastDay,
    silentMarkets: countSilent(marketDays, until, today),
    isThin: isThin({ series, products }),
    isStale: lastWeek === null || lastDay < addDays(today, -30) || addDays(lastWeek, 6) < addDays(today, -30),
  }
}
