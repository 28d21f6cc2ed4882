import { type RawBuilder, sql } from 'kysely'

/** A part of the data stored about a user: rows as JSON (`item`), or a single object. */
type Part = { name: string; items: RawBuilder<{ item: string }>; isOne?: boolean }

/** Returns all data stored about an account, by kind, without what others wrote. */
export function partsOfOwnData(userId: number): Part[] {
  const own = sql`user_id = ${userId}`
  const of = (item: RawBuilder<unknown>, rows: RawBuilder<unknown>) =>
    sql<{ item: string }>`select (${item})::text as item from ${rows}`
  return [
    {
      name: 'account',
      isOne: true,
      items: of(sql`to_jsonb(u) - 'password_hash'`, sql`app_user u where id = ${userId}`),
    },
    {
      name: 'roles',
      items: of(
        sql`to_jsonb(role.name)`,
        sql`user_role join role on role.id = role_id where ${own} order by role.id`,
      ),
    },
    {
      name: 'sessions',
      items: of(
        sql`jsonb_build_object('createdAt', created_at, 'endedAt', revoked_at, 'browser', client)`,
        sql`session where ${own} order by id`,
      ),
    },
    { name: 'subscriptions', items: of(sql`to_jsonb(s)`, sql`subscription s where ${own} order by id`) },
    {
      name: 'paymentLinks',
      items: of(sql`to_jsonb(l) - 'token'`, sql`payment_link l where ${own} order by id`),
    },
    {
      name: 'payments',
      items: of(
        sql`to_jsonb(p) || jsonb_build_object('phone', (select phone from deposit where payment_id = p.id and not p.is_by_link))`,
        sql`payment p where ${own} order by id`,
      ),
    },
    {
      name: 'invoices',
      items: of(sql`to_jsonb(i) - 'user_id'`, sql`invoice i where ${own} order by id`),
    },
    {
      name: 'transfers',
      items: of(
        sql`to_jsonb(o) - 'user_id' || jsonb_build_object('received',
              (select jsonb_agg(to_jsonb(r) - 'order_id' order by id) from transfer_receipt r where order_id = o.id))`,
        sql`transfer_order o where ${own} order by id`,
      ),
    },
    {
      name: 'billing',
      isOne: true,
      items: of(sql`to_jsonb(b) - 'user_id'`, sql`billing_details b where ${own}`),
    },
    {
      name: 'markets',
      items: of(
        sql`jsonb_build_object('id', m.id, 'name', m.name)`,
        sql`agent_market join market m on m.id = market_id where ${own} order by m.id`,
      ),
    },
    {
      name: 'prices',
      items: of(sql`to_jsonb(p) - 'lane' - 'log_value'`, sql`price p where written_by = ${userId}`),
    },
    {
      name: 'reports',
      items: of(
        sql`jsonb_build_object('fileName', file_name, 'filters', asked->'filters', 'createdAt', created_at)`,
        sql`made_report where ${own} order by id`,
      ),
    },
    {
      name: 'secondFactor',
      isOne: true,
      items: of(sql`jsonb_build_object('onSince', confirmed_at)`, sql`second_factor where ${own}`),
    },
    {
      name: 'links',
      items: of(
        sql`jsonb_build_object('purpose', purpose, 'email', email, 'createdAt', created_at, 'usedAt', used_at)`,
        sql`account_link where ${own} order by created_at`,
      ),
    },
    {
      name: 'notifications',
      items: of(
        sql`jsonb_build_object('kind', kind, 'isWanted', is_wanted)`,
        sql`notification_choice where ${own}`,
      ),
    },
    {
      name: 'imports',
      items: of(
        sql`jsonb_build_object('id', id, 'fileName', file_name, 'createdAt', created_at)`,
        sql`import where ${userId} in (author_id, actor_id) order by id`,
      ),
    },
    {
      // A member sees only the fact of membership: the subscription belongs to another user.
      name: 'seats',
      items: of(
        sql`case when owner_id = ${userId} then to_jsonb(seat) - 'owner_id' - 'user_id'
              else jsonb_build_object('acceptedAt', accepted_at) end`,
        sql`seat where ${userId} in (owner_id, user_id) order by id`,
      ),
    },
    {
      name: 'views',
      items: of(
        sql`jsonb_build_object('name', name, 'path', path, 'search', search, 'createdAt', created_at)`,
        sql`saved_view where ${own} order by id`,
      ),
    },
    {
      name: 'alerts',
      items: of(sql`to_jsonb(r) - 'user_id'`, sql`alert_rule r where ${own} order by id`),
    },
    {
      name: 'alertEvents',
      items: of(sql`to_jsonb(e) - 'user_id'`, sql`alert_event e where ${own} order by id`),
    },
    {
      name: 'bulletins',
      items: of(
        sql`jsonb_build_object('title', title, 'blocks', blocks, 'schedule', schedule, 'createdAt', created_at,
              'recipients', (select jsonb_agg(jsonb_build_object('email', email, 'state', state) order by id)
                 from report_recipient where report_id = report.id),
              'issues', (select jsonb_agg(jsonb_build_object('plannedAt', planned_at, 'state', state) order by id)
                 from report_issue where report_id = report.id))`,
        sql`report where ${own} order by id`,
      ),
    },
    {
      name: 'channels',
      items: of(
        sql`jsonb_build_object('channel', channel, 'address', address, 'confirmedAt', confirmed_at, 'stoppedAt', stopped_at)`,
        sql`channel_address where ${own} order by id`,
      ),
    },
    {
      name: 'channelMessages',
      items: of(
        sql`jsonb_build_object('channel', channel, 'address', address, 'content', content, 'state', state, 'createdAt', created_at)`,
        sql`outgoing_message where ${own} order by created_at, id`,
      ),
    },
    {
      name: 'shares',
      items: of(sql`to_jsonb(s) - 'user_id' - 'frozen'`, sql`share s where ${own} order by id`),
    },
    {
      name: 'follows',
      items: of(
        sql`jsonb_build_object('productId', product_id, 'marketId', market_id, 'createdAt', created_at)`,
        sql`follow where ${own} order by id`,
      ),
    },
    {
      name: 'collection',
      items: of(sql`to_jsonb(c) - 'user_id' - 'body_hash'`, sql`collection_entry c where ${own} order by id`),
    },
    {
      name: 'plannedVisits',
      items: of(
        sql`jsonb_build_object('marketId', market_id, 'day', day, 'weekday', weekday)`,
        sql`planned_visit where ${own} order by id`,
      ),
    },
    {
      name: 'photos',
      items: of(
        sql`jsonb_build_object('priceId', price_id, 'sha256', encode(sha256, 'hex'), 'receivedAt', received_at)`,
        sql`price_photo where ${own} order by received_at`,
      ),
    },
    {
      name: 'reviews',
      items: of(
        sql`to_jsonb(r) - 'agent_id' - 'decided_by' - 'evidence'`,
        sql`price_review r where agent_id = ${userId} or decided_by = ${userId} order by id`,
      ),
    },
    {
      name: 'keys',
      items: of(
        sql`to_jsonb(k) - 'hash' - 'user_id' || jsonb_build_object('calls',
              (select jsonb_object_agg(day, calls) from api_call where key_id = k.id))`,
        sql`api_key k where ${own} order by id`,
      ),
    },
    {
      name: 'webhooks',
      items: of(
        sql`to_jsonb(w) - 'secret' - 'former_secret' - 'user_id'`,
        sql`webhook_endpoint w where ${own} order by id`,
      ),
    },
    {
      name: 'messages',
      items: of(
        sql`to_jsonb(sent) - 'is_handled'`,
        sql`contact_message sent where lower(email) =
              (select lower(email) from app_user where id = ${userId} and email_verified) order by id`,
      ),
    },
    { name: 'journal', items: of(sql`to_jsonb(a)`, sql`audit_entry a where ${own} order by id`) },
    {
      // Changes that others made to the account, without their name and origin.
      name: 'changesByOthers',
      items: of(
        sql`jsonb_build_object('at', at, 'action', action, 'before', before, 'after', after)`,
        sql`audit_entry where entity in ('users', 'agents') and entity_id = ${userId}
              and user_id is distinct from ${userId} order by id`,
      ),
    },
  ]
}
