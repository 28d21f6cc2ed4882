import { z } from 'zod'
import type { Endpoint } from '#shared/contract.ts'
import { instantInput, optionalQuery } from '#shared/fields.ts'
import { scopes } from '#shared/permissions.ts'

const opaque = 'Reprenez le curseur tel que la réponse précédente l’a donné'

/** What a list is asked for by a program that follows it. */
export const changesQuery = {
  /** Instead of a page: what was written or deleted from this instant on, in the order of changes. */
  updatedSince: optionalQuery(instantInput.transform(instantOf)),
  /** Where the answer before stopped. */
  cursor: optionalQuery(z.string(opaque).regex(/^[\w-]{1,100}$/, opaque)),
}
/** The cursor of whoever has read nothing yet. */
export const firstCursor = 'start'
export type ChangesQuery = z.output<z.ZodObject<typeof changesQuery>>

/** What changed: rows as they are now, and the ids of those that are gone, or that the filters no longer choose. */
export function changesAnswer<Row extends z.ZodType>(row: Row) {
  return z.object({
    data: z.array(row),
    deleted: z.array(z.int()),
    /** Where to read on. */
    cursor: z.string(),
    hasMore: z.boolean(),
  })
}

/** A resource's list, that keys can read by cursor when they can read it at all. */
export function readByCursor<const E extends Endpoint & { query: z.ZodObject }>(list: E, row: z.ZodType): E {
  if (![list.right].flat().every((right) => scopes.has(right))) return list
  return withCursor(list, row) as Endpoint as E
}

/** A list that programs can read page after page, in an order that no write changes. */
export function withCursor<const E extends Endpoint & { query: z.ZodObject }, Row extends z.ZodType>(
  list: E,
  row: Row,
) {
  const { cursor } = changesQuery
  // What `safeExtend` is said to give forgets the fields of a shape that is generic here.
  const query = list.query.safeExtend({ cursor }) as z.ZodObject as z.ZodObject<
    E['query']['shape'] & { cursor: typeof cursor },
    E['query']['_zod']['config']
  >
  const changes = z.object({ data: z.array(row), cursor: z.string(), hasMore: z.boolean() })
  return { ...list, query, changes }
}

/** A list that programs can follow as well. */
export function followable<const E extends Endpoint & { query: z.ZodObject }, Row extends z.ZodType>(
  list: E,
  row: Row,
) {
  // What `extend` is said to give forgets the fields of a shape that is generic here.
  const query = list.query.extend(changesQuery) as z.ZodObject as z.ZodObject<
    E['query']['shape'] & typeof changesQuery,
    E['query']['_zod']['config']
  >
  return { ...list, query, changes: changesAnswer(row) }
}

/** A day begins in Kinshasa, an hour ahead of UTC. */
function instantOf(value: string): string {
  return new Date(value.length === 10 ? `${value}T00:00:00+01:00` : value).toISOString()
}
