import { type RawBuilder, sql } from 'kysely'
import type { Selection } from '#features/prices/rollups/rollups.rules.ts'
import { allTrue, hasRate, matching, quotesOf } from '#features/prices/rollups/rollups.sql.ts'
import type { Db } from '#server/db/pool.ts'

/** What months are counted by; `category …` is by market, of the goods of that category. */
type MonthDimension = 'product' | 'market' | 'collector' | `category ${number}`

/** A month is counted once it has been over for so many days. */
const restDays = 14

/**
 * Months to be counted: over for two weeks, and not counted yet or written in since; the earliest first.
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
 * Counts a month anew. In one snapshot (repeatable read): what is forgotten of what was written is what is counted, and
 * what others commit meanwhile leaves its own mark.
 */
export async function countMonth(tx: Db, month: string): Promise<void> {
  const inMonth = (day: string) =>
    sql`${sql.ref(day)} >= ${month}::date and ${sql.ref(day)} < ${month}::date + interval '1 month'`
  await sql`set local statement_timeout = '5min'`.execute(tx)
  await sql`delete from price_month_written where month = ${month}::date`.execute(tx)
  await sql`delete from price_month where month = ${month}::date`.execute(tx)
  await sql`
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
    select ${month}::date, 'category ' || type.category_id, market_id::text, sum(n), max(last)
      from (select product_id, market_id, count(*) as n, max(observed_on) as last
              from price where ${inMonth('observed_on')} group by 1, 2) series
      join product on product.id = product_id join product_type type on type.id = type_id and type.kind = 'good'
     group by type.category_id, market_id`.execute(tx)
  await sql`insert into price_month_counted values (${month}::date) on conflict do nothing`.execute(tx)
}

/**
 * The longest run of whole counted months inside a period, a row (starts, ends) of their first day and the day after
 * their last; both are infinity where there is none, so that all days are before it.
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

/** Of which keys the months are taken, and what a key is in the rows. */
type Months = { dimension: MonthDimension; key: RawBuilder<unknown>; isChosen?: RawBuilder<boolean> }

/**
 * How many prices there are in a period that may hold whole months: rows (key, n, last) of the months that are counted,
 * and what `days` selects of those before and after them, added up by key.
 *
 * @param isRated months with prices that cannot be converted are left to `days`
 */
function monthsAndDays(
  { dimension, key, isChosen = sql`true` }: Months,
  { startDate = '-infinity', endDate = 'infinity' }: Selection,
  days: Days,
  isRated = false,
): RawBuilder<unknown> {
  const firstRate = sql`(select coalesce(min(day), 'infinity') from exchange_rate)`
  const first = isRated ? sql`greatest(${startDate}::date, ${firstRate})` : sql`${startDate}::date`
  // One bound on either side: the planner takes a range that it does not know for a small one.
  const before = (day: string) =>
    sql<boolean>`${sql.ref(day)} >= ${startDate}::date and ${sql.ref(day)} <= least(${endDate}::date, (select starts - 1 from run))`
  const after = (day: string) =>
    sql<boolean>`${sql.ref(day)} >= greatest(${startDate}::date, (select ends from run)) and ${sql.ref(day)} <= ${endDate}::date`
  return sql`
    with run as materialized (${monthsInside(first, endDate)})
    select ${key} as key, n, last_day as last from price_month
     where dimension = ${dimension} and month >= (select starts from run) and month < (select ends from run)
       and ${isChosen}
     union all (${days(before)}) union all (${days(after)})`
}

/** Rows (id, n, last): how many prices each product or market has in a selection that chooses nothing of the other, and the day of the last. */
export function countsOfRollups(
  column: 'product_id' | 'market_id',
  selection: Selection,
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
      dimension,
      key: sql`key::integer`,
      isChosen: allTrue([
        ids && sql`key = any(${ids.map(String)}::text[])`,
        others && sql`key <> all(${others.map(String)}::text[])`,
      ]),
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

/** The same of each market, less the prices of some products. */
function countsWithout(
  others: readonly number[],
  { otherProductIds: _others, ...selection }: Selection,
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
 * Rows (id, n): how many prices that can be converted each market has of the goods of a category. Without whole months a
 * summary of a category over three years would go through a million prices: it is to be there in 150 ms.
 *
 * @param selection of these goods alone
 */
export function countsInCategory(
  categoryId: number,
  { productIds, ...period }: Selection,
): RawBuilder<unknown> {
  const counted = monthsAndDays(
    { dimension: `category ${categoryId}`, key: sql`key::integer` },
    period,
    (isInside) => sql`
      select market_id, sum(n)::bigint, max(observed_on)
        from (${quotesOf({ productIds }, isInside('observed_on'))}) quote group by 1`,
    true,
  )
  return sql`select key as id, sum(n)::bigint as n from (${counted}) counted group by 1`
}

/** Rows (name, count): how many prices each collector has in a period. Of each name the index alone counts the days. */
export function countsOfCollectors({ otherProductIds: others, ...period }: Selection): RawBuilder<unknown> {
  if (others) {
    return sql`
      select name, whole.count - coalesce(other.count, 0) as count
        from (${countsOfCollectors(period)}) whole
        left join (select collector_name as name, count(*) as count from price
                    where ${matching({ ...period, productIds: others }, 'observed_on')} group by 1) other using (name)
       where whole.count > coalesce(other.count, 0)`
  }
  return sql`
    with recursive collector as (
      (select collector_name as name from price order by 1 limit 1)
      union all
      select (select collector_name from price where collector_name > collector.name order by 1 limit 1)
        from collector where collector.name is not null)
    select key as name, sum(n)::bigint as count from (${monthsAndDays(
      { dimension: 'collector', key: sql`key` },
      period,
      (isInside) => sql`
        select name, counted.n, null::date from collector, lateral (
          select count(*) as n from price where collector_name = collector.name and ${isInside('observed_on')}) counted
         where name is not null`,
    )}) counted group by 1 having sum(n) > 0`
}
