import { type SelectQueryBuilder, sql } from 'kysely'
import type { JournalEntry, journal } from '#features/journal/journal.contract.ts'
import type { Db } from '#server/db/pool.ts'
import { contains, countOf, offsetOf } from '#server/db/selection.ts'
import type { Tables } from '#server/db/tables.ts'
import type { QueryOf, SelectionOf } from '#shared/contract.ts'

type Filters = Omit<SelectionOf<typeof journal.list>, 'sort'>

const columns = [
  'audit_entry.id',
  'audit_entry.at',
  sql<JournalEntry['user']>`case when audit_entry.user_id is not null then json_build_object(
    'id', audit_entry.user_id, 'name', (select name from app_user where app_user.id = audit_entry.user_id)) end`.as(
    'user',
  ),
  'audit_entry.action',
  'audit_entry.entity',
  'audit_entry.entity_id as entityId',
  'audit_entry.address',
  'audit_entry.user_agent as userAgent',
  'audit_entry.request_id as requestId',
  'audit_entry.before',
  'audit_entry.after',
] as const

/** Returns a page of the journal, the latest first by default; ids follow the order of writing. */
export async function listJournal(db: Db, query: QueryOf<typeof journal.list>) {
  const rows = await selectJournal(db, query).limit(query.limit).offset(offsetOf(query)).execute()
  return { rows, total: await countOf(select(db, query)) }
}

export function selectJournal(db: Db, query: SelectionOf<typeof journal.list>) {
  return select(db, query)
    .select(columns)
    .orderBy('audit_entry.id', query.sort === 'at' ? 'asc' : 'desc')
}

function select(db: Db, filters: Filters): SelectQueryBuilder<Tables, 'audit_entry', object> {
  const { search, userId, action, entity, entityId, startDate, endDate } = filters
  let selection: SelectQueryBuilder<Tables, 'audit_entry', object> = db.selectFrom('audit_entry')
  if (userId) selection = selection.where('user_id', '=', sql<number>`${userId}::bigint`)
  if (action) selection = selection.where('action', '=', action)
  if (entity) selection = selection.where('entity', '=', entity)
  if (entityId) selection = selection.where('entity_id', '=', sql<number>`${entityId}::bigint`)
  if (startDate)
    selection = selection.where(
      'at',
      '>=',
      sql<string>`${startDate}::date::timestamp at time zone 'Africa/Kinshasa'`,
    )
  if (endDate)
    selection = selection.where(
      'at',
      '<',
      sql<string>`(${endDate}::date + 1)::timestamp at time zone 'Africa/Kinshasa'`,
    )
  if (search) {
    const names = db
      .selectFrom('app_user')
      .select('id')
      .where(contains(sql`fold(name || ' ' || email || ' ' || coalesce(location, ''))`, search))
    selection = selection.where('user_id', 'in', names)
  }
  return selection
}
