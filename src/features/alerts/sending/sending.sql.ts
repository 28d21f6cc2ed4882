import { sql } from 'kysely'
import type { AlertChannel } from '#features/alerts/alerts.rules.ts'
import type { RungSeries } from '#features/alerts/sending/chart.rules.ts'
import { isReachableBy } from '#features/channels/channels.sql.ts'
import { inCdf, rateOf } from '#features/figures/rollups/rollups.sql.ts'
import { weightNamed } from '#features/products/products.sql.ts'
import { accessFacts } from '#features/subscriptions/access.sql.ts'
import type { AccessFacts, CallFacts } from '#features/subscriptions/subscriptions.rules.ts'
import type { Db } from '#server/db/pool.ts'

/** A user with waiting alerts for a channel. */
export type Recipient = {
  userId: number
  name: string
  email: string
  /** Whether the channel may be used: an active account, and an address that is confirmed and not unsubscribed. */
  isReachable: boolean
  permissions: string[]
  access: AccessFacts & CallFacts
  sentences: string[]
  /** The short sentences, for an SMS. */
  shorts: string[]
  /** The series of one of these alerts, as `product/market`. */
  series: string
  ids: number[]
}

/** Maximum number of alerts in one message. */
const mostTogether = 50

/**
 * Returns the users with waiting alerts for a channel and no message by it in the last hour, with the facts of their
 * right to read; locked until the transaction ends, so that two processes do not send the same alert.
 */
export async function lockRecipients(tx: Db, channel: AlertChannel, at: Date): Promise<Recipient[]> {
  const isReachable =
    channel === 'mail'
      ? sql`u.email_verified and not exists (
          select from notification_choice where user_id = u.id and kind = 'price-alerts' and not is_wanted)`
      : isReachableBy(channel)
  const { rows } = await sql<Recipient>`
    with recipient as materialized (
      select u.id from app_user u
       where u.id in (select user_id from alert_notice notice join alert_event event on event.id = event_id
                       where channel = ${channel} and state = 'waiting')
         and not exists (select from alert_event event join alert_notice notice on event_id = event.id
                          where user_id = u.id and channel = ${channel} and sent_at > ${at}::timestamptz - interval '1 hour')
       order by u.id limit 100 for no key update skip locked)
    select u.id as "userId", u.name, u.email, permissions_of(u.id) as permissions, ${accessFacts} as access,
           u.status = 'ACTIVE' and ${isReachable} as "isReachable",
           waiting.sentences, waiting.shorts, waiting.series, waiting.ids
      from recipient join app_user u on u.id = recipient.id
      join lateral (
        select json_agg(sentence order by id) filter (where is_first) as sentences,
               json_agg(short order by id) filter (where is_first) as shorts, json_agg(id order by id) as ids,
               min(product_id || '/' || market_id) as series
          from (select event.id, sentence, short, product_id, market_id,
                       -- Two equal alerts are said once.
                       row_number() over (partition by sentence order by event.id) = 1 as is_first
                  from alert_event event join alert_notice on event_id = event.id
                 where user_id = u.id and channel = ${channel} and state = 'waiting'
                 order by event.id limit ${mostTogether}) event
      ) waiting on waiting.ids is not null`.execute(tx)
  return rows
}

/** Ends waiting alerts whose rule was deleted, is muted, or no longer has the channel. */
export async function dropUnwanted(tx: Db, channel: AlertChannel, at: Date): Promise<void> {
  await sql`
    update alert_notice set state = 'none'
     where channel = ${channel} and event_id in (
       select event_id from alert_notice notice
         join alert_event event on event.id = event_id
         left join alert_rule rule on rule.id = rule_id
        where channel = ${channel} and state = 'waiting'
          and (rule.id is null or not ${channel} = any(rule.channels) or coalesce(rule.muted_until > ${at}::timestamptz, false))
        order by event_id for no key update of notice skip locked)`.execute(tx)
}

/** @param at null where they were not sent, and never will be */
export async function markSent(
  tx: Db,
  ids: readonly number[],
  channel: AlertChannel,
  at: Date | null,
): Promise<void> {
  await sql`
    update alert_notice set state = ${at ? 'sent' : 'none'}, sent_at = ${at}
     where event_id = any(${ids}::bigint[]) and channel = ${channel}`.execute(tx)
}

/**
 * Returns the series of alerts from a day on, in the order of the alerts; a series with several alerts appears once.
 */
export async function readRungSeries(tx: Db, ids: readonly number[], from: string): Promise<RungSeries[]> {
  const { rows } = await sql<RungSeries>`
    select product.name || ', ' || ${weightNamed} || ' à ' || market.name || ', ' || market.location as subject,
           rung.threshold, series.points
      from (select min(event.id) as id, event.product_id, event.market_id,
                   min(rule.threshold) filter (where rule.kind = 'level')::float8 as threshold
              from alert_event event left join alert_rule rule on rule.id = rule_id
             where event.id = any(${ids}::bigint[]) group by 2, 3) rung
      join product on product.id = rung.product_id
      join market on market.id = rung.market_id
      join lateral (
        select json_agg(json_build_object('date', day, 'value', value) order by day) as points
          from (select observed_on as day, avg(${inCdf})::float8 as value
                  from settled_price price ${rateOf('price.observed_on', 'price.currency')}
                 where price.product_id = rung.product_id and price.market_id = rung.market_id
                   and observed_on >= ${from}::date and ${inCdf} is not null
                 group by 1) days) series on series.points is not null
     order by rung.id`.execute(tx)
  return rows
}
