import { sql } from 'kysely'
import { type AlertChannel, daysReplayed, freshDays } from '#features/alerts/alerts.rules.ts'
import type { Condition, JudgedQuote } from '#features/alerts/judging/judging.rules.ts'
import { logUnit } from '#features/figures/price-index/price-index.sql.ts'
import { inCdf, logInCdf, rateOf } from '#features/figures/rollups/rollups.sql.ts'
import { marketNamed } from '#features/markets/markets.sql.ts'
import { productNamed } from '#features/products/products.sql.ts'
import type { Db } from '#server/db/pool.ts'
import { addDays } from '#shared/days.ts'

type Named = {
  product: { id: number; name: string; weight: string }
  market: { id: number; name: string; location: string }
}

/** A series with its quotes in CDF, oldest first. */
export type JudgedSeries = Named & { quotes: JudgedQuote[] }

/** The largest number of markets of a product that are replayed. */
const mostMarkets = 200

/** Returns the quotes of the last `days` of a product in a market, or in each of its markets. */
export async function readJudgedSeries(
  db: Db,
  {
    productId,
    marketId,
    today,
    days,
  }: { productId: number; marketId: number | null; today: string; days: number },
): Promise<JudgedSeries[]> {
  const { rows } = await sql<JudgedSeries>`
    select ${placeShown}, series.quotes
      from (
        select market_id, json_agg(json_build_object('id', price.id, 'day', observed_on, 'cdf', ${inCdf},
                 'log', (${logInCdf})::float8 * ${logUnit}::float8) order by observed_on, collected_at, price.id) as quotes
          from settled_price price ${rateOf('price.observed_on', 'price.currency')}
         where product_id = ${productId}::bigint and observed_on > ${addDays(today, -days)}::date
           and ${marketId === null ? sql`true` : sql`market_id = ${marketId}::bigint`} and ${logInCdf} is not null
         group by market_id order by market_id limit ${mostMarkets}) series
      join product on product.id = ${productId}::bigint
      join market on market.id = series.market_id`.execute(db)
  return rows
}

const placeShown = sql`${productNamed} as product, ${marketNamed} as market`

/** Locks and returns the cursor up to which changes of prices were read; undefined while another process holds it. */
export async function lockCursor(
  tx: Db,
): Promise<{ cursor: string | null; silencesOn: string | null } | undefined> {
  const { rows } = await sql<{ cursor: string | null; silencesOn: string | null }>`
    select cursor, silences_on as "silencesOn" from alert_reading for update skip locked`.execute(tx)
  return rows[0]
}

export async function storeCursor(tx: Db, cursor: string): Promise<void> {
  await sql`update alert_reading set cursor = ${cursor}`.execute(tx)
}

/**
 * Marks as due the series of these prices that have a rule, if the price is recent; any price ends a silence, also one
 * that arrives late from a phone without a network.
 */
export async function insertDue(tx: Db, ids: readonly number[], today: string): Promise<void> {
  await sql`
    insert into alert_due (product_id, market_id)
    select distinct product_id, market_id from price
     where id = any(${ids}::bigint[])
       and exists (select from alert_rule rule where rule.product_id = price.product_id
                      and (rule.market_id is null or rule.market_id = price.market_id)
                      and (rule.kind = 'silence' or observed_on > ${addDays(today, -freshDays)}::date))`.execute(
    tx,
  )
}

/** Marks as due, once a day, the series of silence rules that have been silent for too long. */
export async function insertSilent(tx: Db, today: string): Promise<void> {
  await sql`
    insert into alert_due (product_id, market_id)
    select distinct rule.product_id, sold.market_id
      from alert_rule rule
      join lateral (
        select market_id, max(observed_on) as last_day from price
         where product_id = rule.product_id and observed_on > ${addDays(today, -daysReplayed)}::date group by 1) sold
        on rule.market_id is null or rule.market_id = sold.market_id
     where rule.kind = 'silence' and sold.last_day + rule.threshold::integer < ${today}::date`.execute(tx)
  await sql`update alert_reading set silences_on = ${today}::date`.execute(tx)
}

/** Takes due series, each once; concurrent processes take others. */
export async function takeDue(tx: Db, most: number): Promise<{ productId: number; marketId: number }[]> {
  const { rows } = await sql<{ productId: number; marketId: number }>`
    with chosen as (select ctid from alert_due limit ${most} for update skip locked),
    taken as (delete from alert_due where ctid in (select ctid from chosen) returning product_id, market_id)
    select distinct product_id as "productId", market_id as "marketId" from taken order by 1, 2`.execute(tx)
  return rows
}

export type JudgedRule = Condition & {
  id: number
  userId: number
  channels: AlertChannel[]
  isMuted: boolean
  /** Last judged state in the market; null where it was never judged. */
  wasRinging: boolean | null
  rangAt: string | null
}

/** Returns the rules on a series, locked until the transaction ends. */
export async function lockRules(
  tx: Db,
  series: { productId: number; marketId: number },
): Promise<JudgedRule[]> {
  const { rows } = await sql<JudgedRule>`
    select rule.id, rule.user_id as "userId", kind, direction, threshold::float8 as threshold, period_days as "periodDays",
           channels, coalesce(muted_until > now(), false) as "isMuted",
           state.is_ringing as "wasRinging", state.rang_at as "rangAt"
      from alert_rule rule
      left join alert_state state on state.rule_id = rule.id and state.market_id = ${series.marketId}
     where rule.product_id = ${series.productId} and (rule.market_id is null or rule.market_id = ${series.marketId})
     order by rule.id for no key update of rule`.execute(tx)
  return rows
}

export async function storeState(
  tx: Db,
  state: { ruleId: number; marketId: number; isRinging: boolean; hasRung: boolean; at: Date },
): Promise<void> {
  const { ruleId, marketId, isRinging, hasRung, at } = state
  await sql`
    insert into alert_state as state (rule_id, market_id, is_ringing, rang_at)
    values (${ruleId}, ${marketId}, ${isRinging}, ${hasRung ? at : null})
    on conflict (rule_id, market_id) do update
      set is_ringing = excluded.is_ringing, rang_at = coalesce(excluded.rang_at, state.rang_at)`.execute(tx)
}

/** Stores whether a new or changed rule rings in each market. */
export async function insertStates(
  tx: Db,
  ruleId: number,
  states: readonly { marketId: number; isRinging: boolean }[],
): Promise<void> {
  await sql`
    insert into alert_state (rule_id, market_id, is_ringing)
    select ${ruleId}, "marketId", "isRinging"
      from json_to_recordset(${JSON.stringify(states)}) as given ("marketId" integer, "isRinging" boolean)`.execute(
    tx,
  )
}

/** Deletes the states of a rule whose condition has changed. */
export async function deleteStates(tx: Db, ruleId: number): Promise<void> {
  await sql`delete from alert_state where rule_id = ${ruleId}`.execute(tx)
}

export type NewEvent = {
  userId: number
  ruleId: number
  productId: number
  marketId: number
  sentence: string
  price: number
  day: string
  quotes: number
  short: string
  channels: readonly AlertChannel[]
}

/** Inserts an event, with a waiting notice for each of its channels. */
export async function insertEvent(tx: Db, event: NewEvent): Promise<void> {
  const { id } = await tx
    .insertInto('alert_event')
    .values({
      user_id: event.userId,
      rule_id: event.ruleId,
      product_id: event.productId,
      market_id: event.marketId,
      sentence: event.sentence,
      price: Math.round(100 * event.price) / 100,
      day: event.day,
      quotes: event.quotes,
      short: event.short,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await sql`
    insert into alert_notice (event_id, channel, state)
    select distinct ${id}::bigint, channel, 'waiting' from unnest(${event.channels}::text[]) channel`.execute(
    tx,
  )
}
