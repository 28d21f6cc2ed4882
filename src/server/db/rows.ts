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

/** The part of a resource's contract that describes its list. */
type Listed<Query, Sortable extends string> = { query: z.ZodType<Query>; sortable: readonly Sortable[] }
type Page = { page: number; limit: number }
type FilterName<Query> = Exclude<keyof Query, keyof Page | 'sort'>
/** The condition of each filter, given its value. A filter of the contract that is missing here does not compile. */
export type FilterConditions<Query> = {
  readonly [Name in FilterName<Query>]-?: (value: NonNullable<Query[Name]>) => Expression<SqlBool>
}

type Reading<DB, TB extends keyof DB, Column, Sortable extends string, Query> = {
  table: TB & string
  columns: readonly Column[]
  /** SQL expression of each sort key of the contract. */
  sorts: Record<Sortable, RawBuilder<unknown>>
  /** Sort key of a query without one. */
  defaultSort: NoInfer<Sortable | `-${Sortable}`>
  /** All rows, before any filter. */
  from(db: Db): SelectQueryBuilder<DB, TB, object>
  filters: FilterConditions<Query>
  /** For a single table: evaluates the columns' sub-queries for the rows of the page only, not for skipped rows. */
  isPageFirst?: boolean
}

/** Defines how the rows of a resource are listed, exported and found, from its contract and its SQL expressions. */
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
  const { table, columns, sorts, defaultSort, from, isPageFirst } = reading
  const filters = Object.entries(reading.filters) as [
    keyof Filters,
    (value: unknown) => Expression<SqlBool>,
  ][]
  const id = `${table}.id`
  // A query without a page still has `sort`, but the compiler does not see it through `Omit`.
  const ordering = (query: Filters) => orderOf(sorts, (query as Query).sort, id, defaultSort)

  /** Whether the query has no filter. */
  const isWhole = (query: Partial<Filters>) => filters.every(([name]) => query[name] === undefined)

  /** Returns the conjunction of the filters in the query. */
  function conditionOf(query: Partial<Filters>): Expression<SqlBool> {
    const asked = filters.filter(([name]) => query[name] !== undefined)
    const conditions = asked.map(([name, condition]) => sql`(${condition(query[name])})`)
    return conditions.length > 0 ? sql<SqlBool>`${sql.join(conditions, sql` and `)}` : sql<SqlBool>`true`
  }

  /** Selects the rows that match the filters, unordered. */
  const select = (db: Db, query: Partial<Filters>) =>
    isWhole(query) ? from(db) : from(db).where(conditionOf(query))

  const pageOf = <O>(selection: SelectQueryBuilder<DB, TB, O>, query: Query) =>
    selection.orderBy(ordering(query)).limit(query.limit).offset(offsetOf(query))

  /** Finds a row by id, if it matches the filters. */
  function findMatching(db: Db, rowId: number, query: Partial<Filters>): Found {
    const selection = select(db, query).select(columns)
    // A requested id may exceed the range of the column's type.
    const hasId = sql<boolean>`${sql.ref(id)} = ${rowId}::bigint`
    return selection.where(hasId).executeTakeFirst() as Found
  }

  return {
    table,
    isWhole,
    conditionOf,
    select,
    /** Selects all matching rows in order, as one query. */
    selectAll: (db: Db, query: Filters) => select(db, query).select(columns).orderBy(ordering(query)),
    async list(db: Db, query: Query): Promise<{ rows: Row[]; total: number }> {
      const paged = isPageFirst ? pageOf(select(db, query).selectAll(table), query) : null
      // The page is aliased to the table's name and has its columns.
      const page = paged && (db.selectFrom(paged.as(table)) as unknown as ReturnType<typeof select>)
      const rows = page
        ? page.select(columns).orderBy(ordering(query))
        : pageOf(select(db, query).select(columns), query)
      return { rows: (await rows.execute()) as Row[], total: await countOf(select(db, query)) }
    },
    find: (db: Db, rowId: number) => findMatching(db, rowId, {}),
    findMatching,
    /** Reads matching rows after an id, in id order. @param limit maximum number of rows */
    after: (db: Db, afterId: number, limit: number, query: Filters) =>
      select(db, query)
        .select(columns)
        .where(sql<boolean>`${sql.ref(id)} > ${afterId}::bigint`)
        .orderBy(sql.ref(id))
        .limit(limit)
        .execute() as Promise<Row[]>,
    /** Reads the rows with these ids that match the filters, unordered. */
    read: (db: Db, ids: readonly number[], query: Filters) =>
      select(db, query)
        .select(columns)
        .where(sql<boolean>`${sql.ref(id)} = any(${ids}::bigint[])`)
        .execute() as Promise<Row[]>,
  }
}
