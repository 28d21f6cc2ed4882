import { z } from 'zod'
import type { Endpoint } from '#shared/contract.ts'
import { instantOf } from '#shared/days.ts'
import { instantInput, optionalQuery } from '#shared/fields.ts'
import { scopes } from '#shared/permissions.ts'

const opaque = 'Reprenez le curseur tel que la réponse précédente l’a donné'

/** Query parameters of a list for clients that poll it for changes. */
export const changesQuery = {
  /** Instead of a page, returns what was written or deleted since this instant, in the order of changes. */
  updatedSince: optionalQuery(instantInput.transform(instantOf)),
  /** Cursor returned by the previous response. */
  cursor: optionalQuery(z.string(opaque).regex(/^[\w-]{1,100}$/, opaque)),
}
/** The cursor of a client that has read nothing yet. */
export const firstCursor = 'start'
export type ChangesQuery = z.output<z.ZodObject<typeof changesQuery>>

/**
 * Response to a request for changes: current rows, and the ids of rows deleted or no longer selected by the filters.
 */
export function changesAnswer<Row extends z.ZodType>(row: Row) {
  return z.object({
    data: z.array(row),
    deleted: z.array(z.int()),
    /** Cursor of the next request. */
    cursor: z.string(),
    hasMore: z.boolean(),
  })
}

/**
 * Adds the cursor to the list of a resource when its permissions are scopes of API keys; otherwise returns it
 * unchanged.
 */
export function readByCursor<const E extends Endpoint & { query: z.ZodObject }>(list: E, row: z.ZodType): E {
  if (![list.right].flat().every((right) => scopes.has(right))) return list
  return withCursor(list, row) as Endpoint as E
}

/** Adds a cursor to a list: clients read it page by page in an order that writes do not change. */
export function withCursor<const E extends Endpoint & { query: z.ZodObject }, Row extends z.ZodType>(
  list: E,
  row: Row,
) {
  const { cursor } = changesQuery
  // The return type of `safeExtend` loses the fields of a generic shape.
  const query = list.query.safeExtend({ cursor }) as z.ZodObject as z.ZodObject<
    E['query']['shape'] & { cursor: typeof cursor },
    E['query']['_zod']['config']
  >
  const changes = z.object({ data: z.array(row), cursor: z.string(), hasMore: z.boolean() })
  return { ...list, query, changes }
}

/** Lets clients poll a list for changes. */
export function followable<const E extends Endpoint & { query: z.ZodObject }, Row extends z.ZodType>(
  list: E,
  row: Row,
) {
  // The return type of `extend` loses the fields of a generic shape.
  const query = list.query.extend(changesQuery) as z.ZodObject as z.ZodObject<
    E['query']['shape'] & typeof changesQuery,
    E['query']['_zod']['config']
  >
  return { ...list, query, changes: changesAnswer(row) }
}
