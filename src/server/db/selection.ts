import { type Expression, type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '#server/db/pool.ts'

/**
 * The words of a search, each of which must be found, in any order; of more than six, the last ones count as one.
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
 * Whether a folded text contains every word that is searched for, in any order, without regard to case or accents. Give
 * the very expression that the trigram index is made on.
 */
export function contains(folded: RawBuilder<string>, search: string): Expression<SqlBool> {
  const words = wordsOfSearch(search).map((word) => containsWord(folded, word))
  return words.length === 0 ? sql<SqlBool>`true` : sql<SqlBool>`(${sql.join(words, sql` and `)})`
}

/** The same of letters in a row. What is searched for is folded once, in a query of its own, not for every row. */
export function containsWord(folded: RawBuilder<string>, word: string): RawBuilder<SqlBool> {
  return hasTrigram.test(word)
    ? sql<SqlBool>`${folded} like (select contains_pattern(${word}))`
    : sql<SqlBool>`position((select fold(${word})) in ${folded}) > 0`
}

// Of fewer letters in a row, an index of trigrams knows nothing: all of it would be read, and every row after it.
const hasTrigram = /[\p{L}\p{N}]{3}/u

/** The condition of a filter that searches a folded text: the very expression that the trigram index is made on. */
export function hasWords(folded: RawBuilder<string>) {
  return (search: string) => contains(folded, search)
}

/** The condition of a filter by a text, without regard to case or accents. */
export function isText(column: string) {
  return (value: string): Expression<SqlBool> => sql`fold(${sql.ref(column)}) = fold(${value})`
}

/** The condition of a filter by a value of a column. */
export function isValue(column: string) {
  return (value: string | number | boolean): Expression<SqlBool> => sql`${sql.ref(column)} = ${value}`
}

/** The condition of a filter by an id, which may be larger than any that exists. */
export function isId(column: string) {
  return (id: number): Expression<SqlBool> => sql`${sql.ref(column)} = ${id}::bigint`
}

/** The condition of the lower end of a range, inclusive. */
export function isAtLeast(column: string) {
  return (value: string | number): Expression<SqlBool> => sql`${sql.ref(column)} >= ${value}`
}

/** The condition of the upper end of a range, inclusive. */
export function isAtMost(column: string) {
  return (value: string | number): Expression<SqlBool> => sql`${sql.ref(column)} <= ${value}`
}

/** The condition of the first day of a period, of an instant. @param column of `timestamptz`; days are those of Kinshasa */
export function isSinceDay(column: string) {
  return (day: string): Expression<SqlBool> => sql`${sql.ref(column)} >= ${startOfDay(day, 0)}`
}

/** The condition of the last day of a period, inclusive, of an instant. @param column as of `isSinceDay` */
export function isUntilDay(column: string) {
  return (day: string): Expression<SqlBool> => sql`${sql.ref(column)} < ${startOfDay(day, 1)}`
}

function startOfDay(day: string, later: 0 | 1): RawBuilder<string> {
  return sql`(${day}::date + ${sql.lit(later)})::timestamp at time zone 'Africa/Kinshasa'`
}

/** Texts in French order: eau, éclair, Été, Zoo. */
export function inFrench(column: string): RawBuilder<string> {
  return sql<string>`${sql.ref(column)} collate "fr-x-icu"`
}

/**
 * The order of a list: the wished one, then the id, so that pages neither repeat nor miss a row.
 *
 * @param sort a key of `sorts`, with `-` before it for descending; a contract has refused any other
 */
export function orderOf<K extends string>(
  sorts: Record<K, RawBuilder<unknown>>,
  sort: string | undefined,
  id: string,
  otherwise: NoInfer<K | `-${K}`>,
): RawBuilder<unknown> {
  const wished = sort ?? otherwise
  const isDescending = wished.startsWith('-')
  const key = (isDescending ? wished.slice(1) : wished) as K
  const direction = isDescending ? sql`desc nulls last` : sql`asc nulls last`
  return sql`${sorts[key]} ${direction}, ${sql.ref(id)} ${isDescending ? sql`desc` : sql`asc`}`
}

/** Rows to pass over before a page. */
export function offsetOf(query: { page: number; limit: number }): number {
  return (query.page - 1) * query.limit
}

/** How many rows a selection has, whatever page of it is shown. */
export async function countOf<DB, TB extends keyof DB, O>(
  selection: SelectQueryBuilder<DB, TB, O>,
): Promise<number> {
  const { total } = await selection
    .clearSelect()
    .select(({ fn }) => fn.countAll<number>().as('total'))
    // What is selected, said again: the compiler cannot follow it through the type parameters.
    .$castTo<{ total: number }>()
    .executeTakeFirstOrThrow()
  return total
}

/** How many rows of a table refer to a row of another by a column of theirs. */
export async function countReferences(db: Db, table: string, column: string, id: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from ${sql.table(table)} where ${sql.ref(column)} = ${id}::bigint`.execute(db)
  return rows[0]?.count ?? 0
}
