import { type RawBuilder, sql } from 'kysely'
import { everyCollector } from '#features/figures/filters/filters.sql.ts'
import type { CellFilter } from '#features/figures/rollups/rollups.rules.ts'
import { allTrue, hasRate, matching, quotesOf } from '#features/figures/rollups/rollups.sql.ts'
import { lettersOfProvince } from '#features/markets/markets.sql.ts'
import type { Db } from '#server/db/pool.ts'

/** All the markets of a city, or of a province, given by all its names reduced to letters. */
export type WholePlace = { location: string } | { province: readonly string[] }

/** Days that must have passed after the end of a month before it is counted. */
const restDays = 14

/**
 * Returns the months to count, earliest first: ended two weeks ago or more, and not counted yet or written to since.
 *
 * @param today `yyyy-mm-dd`
 */
export async function listMonthsToCount(db: Db, today: string): Promise<string[]> {
  const { rows } = await sql<{ month: string }>`
    with bounds as (
      select month_of(min(day)) as first, month_of(${today}::date - ${restDays}::integer) as after from price_day),
    over as (
      select generate_series(first, after - 1, '1 month')::date as month from bounds)
    select month from over
     where not exists (select from price_month_counted counted where counted.month = over.month)
        or exists (select from price_month_written written where written.month = over.month)
     order by 1`.execute(db)
  return rows.map(({ month }) => month)
}

/**
 * Recounts a month. Needs a repeatable-read transaction: the marks it deletes are exactly the writes that it counts,
 * and concurrent commits leave marks of their own.
 */
export async function countMonth(tx: Db, month: string): Promise<void> {
  const inMonth = (day: string) =>
    sql`${sql.ref(day)} >= ${month}::date and ${sql.ref(day)} < ${month}::date + interval '1 month'`
  await sql`set local statement_timeout = '5min'`.execute(tx)
  await sql`delete from price_month_written where month = ${month}::date`.execute(tx)
  await sql`delete from price_month where month = ${month}::date`.execute(tx)
  await sql`delete from price_day_category where ${inMonth('day')}`.execute(tx)
  await sql`
    with series as (
      select product_id, market_id, count(*) as n, max(observed_on) as last
        from price where ${inMonth('observed_on')} group by 1, 2)
    insert into price_month (month, dimension, key, n, last_day)
    select ${month}::date, 'product', product_id::text, sum(n), max(day)
      from price_day_product where n > 0 and ${inMonth('day')} group by product_id
     union all
    select ${month}::date, 'market', market_id::text, sum(n), max(day)
      from price_day_market where n > 0 and ${inMonth('day')} group by market_id
     union all
    select ${month}::date, 'collector', collector_name, count(*), max(observed_on)
      from price where ${inMonth('observed_on')} group by collector_name
     union all
    select ${month}::date, 'category ' || category_id, market_id::text, sum(n), max(last)
      from series join (${goods}) good using (product_id) group by category_id, market_id
     union all
    select ${month}::date, place, product_id::text, sum(n), max(last)
      from series join (
        select id as market_id, 'city ' || fold(location) as place from market
         union all select id, 'province ' || ${lettersOfProvince} from market where ${lettersOfProvince} <> '') placed using (market_id)
     group by place, product_id`.execute(tx)
  await sql`
    insert into price_day_category (category_id, day, currency, n, total, lowest, highest)
    select category_id, day, currency, sum(n), sum(total), min(lowest), max(highest)
      from price_day_product join (${goods}) good using (product_id)
     where n > 0 and ${inMonth('day')} group by 1, 2, 3`.execute(tx)
  await sql`insert into price_month_counted values (${month}::date) on conflict do nothing`.execute(tx)
}

const goods = sql`
  select product.id as product_id, category_id
    from product join product_type type on type.id = type_id and type.kind = 'good'`

/**
 * Builds one row (starts, ends) for the longest run of consecutive counted months inside a period: its first day and
 * the day after its last. Both are infinity where there is none, so that all days are before it.
 */
function monthsInside(first: RawBuilder<unknown>, last: string): RawBuilder<unknown> {
  return sql`
    select coalesce(min(starts), 'infinity') as starts, coalesce(max(ends), 'infinity') as ends from (
      select min(month) as starts, (max(month) + interval '1 month')::date as ends from (
        select month, month - row_number() over (order by month) * interval '1 month' as run
          from price_month_counted counted
         where month >= ${first} and month + interval '1 month' <= ${last}::date + interval '1 day'
           and not exists (select from price_month_written written where written.month = counted.month)) clean
       group by run order by count(*) desc limit 1) longest`
}

type Days = (isInside: (day: string) => RawBuilder<boolean>) => RawBuilder<unknown>

/** Which keys to take from the monthly counts (`dimension`), and the expression of a key in the result rows. */
type Months = { dimension: RawBuilder<unknown>; key: RawBuilder<unknown>; isChosen?: RawBuilder<boolean> }

/**
 * Counts the prices of a period by key: rows (key, n, last) of the counted months inside it, united with the rows that
 * `days` selects before and after them.
 *
 * @param isRated leaves months that contain prices without a rate to `days`
 */
function monthsAndDays(
  { dimension, key, isChosen = sql`true` }: Months,
  period: CellFilter,
  days: Days,
  isRated = false,
): RawBuilder<unknown> {
  const { run, isInside, before, after } = aroundMonths(period, isRated)
  return sql`
    with run as materialized (${run})
    select ${key} as key, n, last_day as last from price_month
     where dimension = ${dimension} and ${isInside('month')} and ${isChosen}
     union all (${days(before)}) union all (${days(after)})`
}

/**
 * Finds the run of counted months inside a period (to be named `run`), with the conditions for days inside, before and
 * after it.
 */
function aroundMonths(
  { startDate = '-infinity', endDate = 'infinity' }: CellFilter,
  isRated = false,
): { run: RawBuilder<unknown> } & Record<
  'isInside' | 'before' | 'after',
  (day: string) => RawBuilder<boolean>
> {
  const firstRate = sql`(select coalesce(min(day), 'infinity') from exchange_rate)`
  const first = isRated ? sql`greatest(${startDate}::date, ${firstRate})` : sql`${startDate}::date`
  return {
    run: monthsInside(first, endDate),
    isInside: (day) =>
      sql`${sql.ref(day)} >= (select starts from run) and ${sql.ref(day)} < (select ends from run)`,
    // One bound per side: the planner underestimates a range with unknown bounds.
    before: (day) =>
      sql`${sql.ref(day)} >= ${startDate}::date and ${sql.ref(day)} <= least(${endDate}::date, (select starts - 1 from run))`,
    after: (day) =>
      sql`${sql.ref(day)} >= greatest(${startDate}::date, (select ends from run)) and ${sql.ref(day)} <= ${endDate}::date`,
  }
}

/**
 * Builds rows (id, n, last): the number of prices of each product or market, and the day of the last one. The selection
 * must not restrict the other dimension.
 */
export function countsOfRollups(
  column: 'product_id' | 'market_id',
  selection: CellFilter,
  isRated = false,
): RawBuilder<unknown> {
  const { otherProductIds: others } = selection
  if (others && column === 'market_id') return countsWithout(others, selection, isRated)
  const [rollup, dimension, ids] =
    column === 'product_id'
      ? (['price_day_product', 'product', selection.productIds] as const)
      : (['price_day_market', 'market', selection.marketIds] as const)
  const rated = isRated ? hasRate('day') : sql`true`
  const id = sql.ref(column)
  if (selection.currency !== undefined) {
    return sql`select ${id} as id, sum(n)::bigint as n, max(day) as last from ${sql.table(rollup)}
                where n > 0 and ${matching(selection, 'day')} and ${rated} group by 1`
  }
  const counted = monthsAndDays(
    {
      dimension: sql`${dimension}`,
      key: sql`key::integer`,
      isChosen: allTrue([ids && sql`key = any(${ids.map(String)}::text[])`, others && isNoneOf(others)]),
    },
    selection,
    (isInside) => sql`
      select ${id}, sum(n)::bigint, max(day) from ${sql.table(rollup)}
       where n > 0 and ${isInside('day')} and ${rated} and ${allTrue([
         ids && sql`${id} = any(${ids}::bigint[])`,
         others && sql`${id} <> all(${others}::bigint[])`,
       ])} group by 1`,
    isRated,
  )
  return sql`
    select key as id, sum(n)::bigint as n, max(last) as last from (${counted}) counted group by 1`
}

/** Does the same for each market, minus the prices of some products. */
function countsWithout(
  others: readonly number[],
  { otherProductIds: _others, ...selection }: CellFilter,
  isRated: boolean,
): RawBuilder<unknown> {
  const { marketIds: _all, ...inMarket } = selection
  const rated = isRated ? hasRate('observed_on') : sql`true`
  const ofOthers = { ...selection, productIds: others }
  const theirs = isRated
    ? quotesOf(ofOthers)
    : sql`select market_id, observed_on from price where ${matching(ofOthers, 'observed_on')}`
  return sql`
    select whole.id, whole.n - coalesce(other.n, 0) as n,
           case when other.last < whole.last is not false then whole.last else (
             select observed_on from price
              where market_id = whole.id and ${matching({ ...inMarket, otherProductIds: others }, 'observed_on')} and ${rated}
              order by observed_on desc limit 1) end as last
      from (${countsOfRollups('market_id', selection, isRated)}) whole
      left join (select market_id as id, count(*) as n, max(observed_on) as last from (${theirs}) their group by 1) other using (id)
     where whole.n > coalesce(other.n, 0)`
}

/**
 * Builds rows (id, n): the number of convertible prices of each market among the goods of a category. Uses whole
 * months, because a summary of a category over three years would otherwise read a million prices; its budget is 150 ms.
 *
 * @param selection restricted to these goods
 */
export function countsInCategory(
  categoryId: number,
  { productIds, ...period }: CellFilter,
): RawBuilder<unknown> {
  const counted = monthsAndDays(
    { dimension: sql`${`category ${categoryId}`}`, key: sql`key::integer` },
    period,
    (isInside) => sql`
      select market_id, sum(n)::bigint, max(observed_on)
        from (${quotesOf({ productIds }, isInside('observed_on'))}) quote group by 1`,
    true,
  )
  return sql`select key as id, sum(n)::bigint as n from (${counted}) counted group by 1`
}

/**
 * Builds the cells of the goods of a category (`cellsOf`), taking whole months from the monthly sums.
 *
 * @param selection restricted to these goods
 */
export function cellsOfCategory(
  categoryId: number,
  { productIds, ...period }: CellFilter,
): RawBuilder<unknown> {
  const { run, isInside, before, after } = aroundMonths(period)
  const days = (isOutside: RawBuilder<boolean>) => sql`
    select day, currency, n, total, lowest, highest from price_day_product
     where n > 0 and ${matching({ productIds }, 'day')} and ${isOutside}`
  return sql`
    with run as materialized (${run})
    select day, currency, n, total, lowest, highest from price_day_category
     where category_id = ${categoryId} and ${isInside('day')}
     union all (${days(before('day'))}) union all (${days(after('day'))})`
}

/**
 * Builds rows (id, n): the number of convertible prices of each product in a place.
 *
 * @param selection restricted to the markets of this place
 */
export function countsInPlace(
  place: WholePlace,
  { marketIds, otherProductIds: others, ...period }: CellFilter,
): RawBuilder<unknown> {
  const dimension =
    'location' in place
      ? sql`'city ' || fold(${place.location})`
      : sql`any(${place.province.map((letters) => `province ${letters}`)}::text[])`
  const counted = monthsAndDays(
    { dimension, key: sql`key::integer`, isChosen: allTrue([others && isNoneOf(others)]) },
    period,
    (isInside) => sql`
      select product_id, sum(n)::bigint, max(observed_on)
        from (${quotesOf({ marketIds, otherProductIds: others }, isInside('observed_on'))}) quote group by 1`,
    true,
  )
  return sql`select key as id, sum(n)::bigint as n from (${counted}) counted group by 1`
}

/**
 * Builds rows (name, count): the number of prices of each collector in a period. The days of each name are counted from
 * the index only.
 */
export function countsOfCollectors({ otherProductIds: others, ...period }: CellFilter): RawBuilder<unknown> {
  if (others) {
    return sql`
      select name, whole.count - coalesce(other.count, 0) as count
        from (${countsOfCollectors(period)}) whole
        left join (select collector_name as name, count(*) as count from price
                    where ${matching({ ...period, productIds: others }, 'observed_on')} group by 1) other using (name)
       where whole.count > coalesce(other.count, 0)`
  }
  return sql`
    with ${everyCollector}
    select key as name, sum(n)::bigint as count from (${monthsAndDays(
      { dimension: sql`'collector'`, key: sql`key` },
      period,
      (isInside) => sql`
        select name, counted.n, null::date from collector, lateral (
          select count(*) as n from price where collector_name = collector.name and ${isInside('observed_on')}) counted
         where name is not null`,
    )}) counted group by 1 having sum(n) > 0`
}

function isNoneOf(ids: readonly number[]): RawBuilder<boolean> {
  return sql`key <> all(${ids.map(String)}::text[])`
}
