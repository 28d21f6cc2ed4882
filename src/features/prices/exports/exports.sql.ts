import { type RawBuilder, sql } from 'kysely'
import type { PriceFilter } from '#features/figures/filters/filters.contract.ts'
import { inPeriod, type SignedPart } from '#features/figures/parts/parts.rules.ts'
import { findParts, findPartsOfFigures, matchingAny } from '#features/figures/parts/parts.sql.ts'
import { endToReach, weeksCompared, weeksRead } from '#features/figures/price-index/measure.rules.ts'
import { readLastDayOf } from '#features/figures/price-index/price-index.sql.ts'
import { allTrue, hasRate } from '#features/figures/rollups/rollups.sql.ts'
import { readIndices } from '#features/figures/stored-index/indices.sql.ts'
import { windowsOf } from '#features/figures/summary/summary.rules.ts'
import type { ExportedMarket, ExportedPrice, ExportedProduct } from '#features/prices/exports/rows.rules.ts'
import { type PriceOrder, selectPrices } from '#features/prices/listing/listing.sql.ts'
import { seriesIn } from '#features/prices/series/series.rules.ts'
import type { Db } from '#server/db/pool.ts'
import { addDays, lengthInDays, type Period } from '#shared/days.ts'

type ExportedQuery = PriceFilter & PriceOrder & { series?: string | undefined }

/**
 * Returns the query for a cursor over the prices of a list in its order, or over those that its figures are computed
 * from; null when none can match.
 */
export async function selectExported(
  db: Db,
  { behind, ...query }: ExportedQuery & { behind?: 'figures' | undefined },
): Promise<RawBuilder<ExportedPrice> | null> {
  if (behind) return selectBehind(db, query)
  const parts = await findEach(db, query, findParts)
  if (parts.length === 0) return null
  return selectPrices<ExportedPrice>(query, matchingAny(parts), sql`${exported}, null as behind`)
}

/** Returns the parts of a selection; when series are chosen, the parts of each. */
async function findEach(
  db: Db,
  { series, ...query }: ExportedQuery,
  find: typeof findParts,
): Promise<SignedPart[]> {
  if (series === undefined) return find(db, query)
  const parts: SignedPart[] = []
  const { productId, marketId } = query
  for (const one of seriesIn(series)) {
    if ((productId ?? one.productId) !== one.productId || (marketId ?? one.marketId) !== one.marketId)
      continue
    parts.push(...(await find(db, { ...query, ...one })))
  }
  return parts
}

async function selectBehind(db: Db, query: ExportedQuery): Promise<RawBuilder<ExportedPrice> | null> {
  const parts = await findEach(db, query, findPartsOfFigures)
  if (parts.length === 0) return null
  const { startDate, endDate } = query
  const lastDay = await readLastDayOf(db, parts, endDate)
  const period = startDate && lastDay && { start: startDate, end: lastDay }
  const read = period
    ? inPeriod(parts, { startDate: await firstDayBehind(db, parts, period, endDate), endDate })
    : parts
  const rateOfDay = (
    column: 'cdf_per_usd' | 'day',
  ) => sql`(select exchange_rate.${sql.ref(column)} from exchange_rate
    where exchange_rate.day <= observed_on order by exchange_rate.day desc limit 1)`
  const rate = rateOfDay('cdf_per_usd')
  const inUsd = sql`case currency when 'USD' then price_value else round(price_value / ${rate}, 2) end`
  return selectPrices<ExportedPrice>(
    query,
    allTrue([matchingAny(read), hasRate('observed_on')]),
    sql`${exported}, json_build_object(
          'isInPeriod', ${startDate === undefined ? sql`true` : sql`observed_on >= ${startDate}::date`},
          'cdfPerUsd', trim_scale(${rate})::text,
          'rateDay', ${rateOfDay('day')},
          'inCdf', trim_scale(case currency when 'CDF' then price_value else price_value * ${rate} end)::text,
          'inUsd', trim_scale(${inUsd})::text) as behind`,
  )
}

/**
 * Returns the first day that the figures of a period read: of the weeks that the index is fitted to, or, for one
 * series, of the days compared with its last ones if that is earlier.
 */
async function firstDayBehind(
  db: Db,
  parts: readonly SignedPart[],
  period: Period,
  endDate = period.end,
): Promise<string> {
  const asked = { start: period.start, end: endDate }
  const weeks = weeksCompared(asked)
  const read = weeksRead(period, weeks)
  const [index] = await readIndices(db, [{ parts, stored: null }], read)
  const end = index && endToReach(index, weeks)
  const { start } = end ? weeksRead({ ...period, end }, weeks) : read
  const compared = index?.knownSeries === 1 ? firstDayCompared(asked, period.end) : null
  return compared && compared < start ? compared : start
}

/** Returns the first day that the change of one series over a period, or up to its last day, compares. */
function firstDayCompared(period: Period, lastDay: string): string | null {
  const windows = windowsOf(period, false)
  const isSilent = windows !== null && lastDay < windows.after.start
  const until = { start: addDays(lastDay, 1 - lengthInDays(period)), end: lastDay }
  return (isSilent ? windowsOf(until, false) : windows)?.before.start ?? null
}

const exported = sql`
  id::text, observed_on as day, (extract(epoch from collected_at) * 1000)::bigint as "collectedMs",
  product_id as "productId", market_id as "marketId", price_value::text as amount, currency,
  collector_name as collector, source, flag,
  exists (select from price_review review
           where review.price_id = price.id and review.state in ('waiting', 'returned')) as "isUnderReview"`

export async function listExportedMarkets(db: Db, ids: readonly number[]): Promise<ExportedMarket[]> {
  const { rows } = await sql<ExportedMarket>`
    select id, name, location, province, trim_scale(latitude)::text as latitude,
           trim_scale(longitude)::text as longitude, time_zone as "timeZone"
      from market where id = any(${ids}::integer[])`.execute(db)
  return rows
}

export async function listExportedProducts(db: Db, ids: readonly number[]): Promise<ExportedProduct[]> {
  const { rows } = await sql<ExportedProduct>`
    select product.id, product.code, product.name, category.name as category, type.name as type, brand.name as brand,
           brand.country as "brandCountry", product.weight, product.format, product.origin
      from product
      join product_type type on type.id = product.type_id
      join category on category.id = type.category_id
      left join brand on brand.id = product.brand_id
     where product.id = any(${ids}::integer[])`.execute(db)
  return rows
}
