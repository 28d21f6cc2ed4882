import { type Expression, type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '#server/db/pool.ts'

/**
 * Splits a search into words, all of which must match, in any order; with more than six, the last ones count as one.
 *
 * @returns at least one, unless the search is blank
 */
export function wordsOfSearch(search: string): string[] {
  const words = [...new Set(search.split(/\s+/).filter(Boolean))]
  const searched = words.slice(0, mostWords - 1)
  const rest = words.slice(mostWords - 1).join(' ')
  return rest ? [...searched, rest] : searched
}

const mostWords = 6

/**
 * Returns the condition that a folded text contains every word of a search, in any order, ignoring case and accents.
 * `folded` must be the exact expression of the trigram index.
 */
export function contains(folded: RawBuilder<string>, search: string): Expression<SqlBool> {
  const words = wordsOfSearch(search).map((word) => containsWord(folded, word))
  return words.length === 0 ? sql<SqlBool>`true` : sql<SqlBool>`(${sql.join(words, sql` and `)})`
}

/** Returns the condition that a folded text contains a word. A sub-query folds the word once, not for every row. */
export function containsWord(folded: RawBuilder<string>, word: string): RawBuilder<SqlBool> {
  return trigram.test(word)
    ? sql<SqlBool>`${folded} like (select contains_pattern(${word}))`
    : sql<SqlBool>`position((select fold(${word})) in ${folded}) > 0`
}

// For fewer than three consecutive letters, a trigram index scan would read the whole index, then every row.
const trigram = /[\p{L}\p{N}]{3}/u

/** Filter: a folded text contains the words of a search. `folded` must be the exact expression of the trigram index. */
export function hasWords(folded: RawBuilder<string>) {
  return (search: string) => contains(folded, search)
}

/** Filter: a column equals a text, ignoring case and accents. */
export function isText(column: string) {
  return (value: string): Expression<SqlBool> => sql`fold(${sql.ref(column)}) = fold(${value})`
}

/** Filter: a column equals a value. */
export function isValue(column: string) {
  return (value: string | number | boolean): Expression<SqlBool> => sql`${sql.ref(column)} = ${value}`
}

/** Filter: a column equals an id, which may exceed the range of the column's type. */
export function isId(column: string) {
  return (id: number): Expression<SqlBool> => sql`${sql.ref(column)} = ${id}::bigint`
}

/** Filter: lower bound of a range, inclusive. */
export function isAtLeast(column: string) {
  return (value: string | number): Expression<SqlBool> => sql`${sql.ref(column)} >= ${value}`
}

/** Filter: upper bound of a range, inclusive. */
export function isAtMost(column: string) {
  return (value: string | number): Expression<SqlBool> => sql`${sql.ref(column)} <= ${value}`
}

/** Filter: first day of a period, inclusive. @param column of type `timestamptz`; days are in Kinshasa's time zone */
export function isSinceDay(column: string) {
  return (day: string): Expression<SqlBool> => sql`${sql.ref(column)} >= ${startOfDay(day, 0)}`
}

/** Filter: last day of a period, inclusive. @param column as for `isSinceDay` */
export function isUntilDay(column: string) {
  return (day: string): Expression<SqlBool> => sql`${sql.ref(column)} < ${startOfDay(day, 1)}`
}

function startOfDay(day: string, later: 0 | 1): RawBuilder<string> {
  return sql`(${day}::date + ${sql.lit(later)})::timestamp at time zone 'Africa/Kinshasa'`
}

/** Returns a column with French collation: eau, éclair, Été, Zoo. */
export function inFrench(column: string): RawBuilder<string> {
  return sql<string>`${sql.ref(column)} collate "fr-x-icu"`
}

/**
 * Returns the order of a list: the requested key, then the id, so that pages neither repeat nor miss a row.
 *
 * @param sort a key of `sorts`, with `-` before it for descending; a contract has refused any other
 */
export function orderOf<K extends string>(
  sorts: Record<K, RawBuilder<unknown>>,
  sort: string | undefined,
  id: string,
  defaultSort: NoInfer<K | `-${K}`>,
): RawBuilder<unknown> {
  const wanted = sort ?? defaultSort
  const isDescending = wanted.startsWith('-')
  const key = (isDescending ? wanted.slice(1) : wanted) as K
  const direction = isDescending ? sql`desc nulls last` : sql`asc nulls last`
  return sql`${sorts[key]} ${direction}, ${sql.ref(id)} ${isDescending ? sql`desc` : sql`asc`}`
}

/** Returns the number of rows before a page. */
export function offsetOf(query: { page: number; limit: number }): number {
  return (query.page - 1) * query.limit
}

/** Counts all rows of a selection, on all pages. */
export async function countOf<DB, TB extends keyof DB, O>(
  selection: SelectQueryBuilder<DB, TB, O>,
): Promise<number> {
  const { total } = await selection
    .clearSelect()
    .select(({ fn }) => fn.countAll<number>().as('total'))
    // The compiler cannot infer the selected columns through the type parameters.
    .$castTo<{ total: number }>()
    .executeTakeFirstOrThrow()
  return total
}

/** Counts the rows of a table whose column references a row. */
export async function countReferences(db: Db, table: string, column: string, id: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from ${sql.table(table)} where ${sql.ref(column)} = ${id}::bigint`.execute(db)
  return rows[0]?.count ?? 0
}
