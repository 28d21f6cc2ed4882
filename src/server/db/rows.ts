import {
  type Expression,
  type RawBuilder,
  type SelectExpression,
  type Selection,
  type SelectQueryBuilder,
  type SqlBool,
  sql,
} from 'kysely'
import type { z } from 'zod'
import type { Db } from '#server/db/pool.ts'
import { countOf, offsetOf, orderOf } from '#server/db/selection.ts'

/** What `defineResource` says of the rows of a resource. */
type Listed<Query, Sortable extends string> = { query: z.ZodType<Query>; sortable: readonly Sortable[] }
type Page = { page: number; limit: number }
type FilterName<Query> = Exclude<keyof Query, keyof Page | 'sort'>
/** What each filter leaves, given its value: one that the contract has and this lacks does not compile. */
export type FilterConditions<Query> = {
  readonly [Name in FilterName<Query>]-?: (value: NonNullable<Query[Name]>) => Expression<SqlBool>
}

type Reading<DB, TB extends keyof DB, Column, Sortable extends string, Query> = {
  table: TB & string
  columns: readonly Column[]
  /** What each order of the contract sorts by. */
  sorts: Record<Sortable, RawBuilder<unknown>>
  /** The order where none is asked for. */
  otherwise: NoInfer<Sortable | `-${Sortable}`>
  /** All rows, before any filter. */
  from(db: Db): SelectQueryBuilder<DB, TB, object>
  filters: FilterConditions<Query>
  /** Of one table alone: what columns count is counted for the rows of the page, not for those passed over. */
  isPageFirst?: boolean
}

/** How the rows of a resource are listed, written to a file and found, from its contract and what is particular in its SQL. */
export function defineRows<
  DB,
  TB extends keyof DB,
  Column extends SelectExpression<DB, TB>,
  const Sortable extends string,
  Query extends Page & { sort?: string | undefined },
>(_resource: Listed<Query, Sortable>, reading: Reading<DB, TB, Column, Sortable, Query>) {
  type Row = Selection<DB, TB, Column>
  type Filters = Omit<Query, keyof Page>
  type Found = Promise<Row | undefined>
  const { table, columns, sorts, otherwise, from, isPageFirst } = reading
  const filters = Object.entries(reading.filters) as [
    keyof Filters,
    (value: unknown) => Expression<SqlBool>,
  ][]
  const id = `${table}.id`
  // A query without a page has its order still: the compiler does not see it through `Omit`.
  const ordering = (query: Filters) => orderOf(sorts, (query as Query).sort, id, otherwise)

  /** Whether no filter is asked for. */
  const isWhole = (query: Partial<Filters>) => filters.every(([name]) => query[name] === undefined)

  /** What all the filters that are asked for leave. */
  function conditionOf(query: Partial<Filters>): Expression<SqlBool> {
    const asked = filters.filter(([name]) => query[name] !== undefined)
    const conditions = asked.map(([name, condition]) => sql`(${condition(query[name])})`)
    return conditions.length > 0 ? sql<SqlBool>`${sql.join(conditions, sql` and `)}` : sql<SqlBool>`true`
  }

  /** The rows that filters leave, in no order. */
  const select = (db: Db, query: Partial<Filters>) =>
    isWhole(query) ? from(db) : from(db).where(conditionOf(query))

  const pageOf = <O>(selection: SelectQueryBuilder<DB, TB, O>, query: Query) =>
    selection.orderBy(ordering(query)).limit(query.limit).offset(offsetOf(query))

  /** One of the rows that filters leave: without any, whichever row it is. */
  function findAmong(db: Db, rowId: number, query: Partial<Filters>): Found {
    const selection = select(db, query).select(columns)
    // An id asked for may be larger than any that exists.
    const isIt = sql<boolean>`${sql.ref(id)} = ${rowId}::bigint`
    return selection.where(isIt).executeTakeFirst() as Found
  }

  return {
    table,
    isWhole,
    conditionOf,
    select,
    /** The whole list in its order, as one query. */
    selectAll: (db: Db, query: Filters) => select(db, query).select(columns).orderBy(ordering(query)),
    async list(db: Db, query: Query): Promise<{ rows: Row[]; total: number }> {
      const paged = isPageFirst ? pageOf(select(db, query).selectAll(table), query) : null
      // What is selected from the page bears the table's name, and has its columns.
      const page = paged && (db.selectFrom(paged.as(table)) as unknown as ReturnType<typeof select>)
      const rows = page
        ? page.select(columns).orderBy(ordering(query))
        : pageOf(select(db, query).select(columns), query)
      return { rows: (await rows.execute()) as Row[], total: await countOf(select(db, query)) }
    },
    find: (db: Db, rowId: number) => findAmong(db, rowId, {}),
    findAmong,
    /** In the order of their ids. @param limit how many at most */
    after: (db: Db, afterId: number, limit: number, query: Filters) =>
      select(db, query)
        .select(columns)
        .where(sql<boolean>`${sql.ref(id)} > ${afterId}::bigint`)
        .orderBy(sql.ref(id))
        .limit(limit)
        .execute() as Promise<Row[]>,
    /** Of these rows, those that filters leave, in no order. */
    read: (db: Db, ids: readonly number[], query: Filters) =>
      select(db, query)
        .select(columns)
        .where(sql<boolean>`${sql.ref(id)} = any(${ids}::bigint[])`)
        .execute() as Promise<Row[]>,
  }
}
