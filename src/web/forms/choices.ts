import type { z } from 'zod'
import type { Endpoint } from '#shared/contract.ts'
import type { idParams } from '#shared/fields.ts'
import type { defineTexts } from '#shared/resource.ts'
import { type Address, ApiError, call } from '#web/api.ts'
import { useAnswer } from '#web/query.ts'
import type { Option, SearchOptions } from '#web/ui/use-options.ts'

const shown = 30

type Texts = ReturnType<typeof defineTexts>

type OneOf<Row> = Endpoint & { params: typeof idParams; response: z.ZodType<Row> }

/** Name and endpoints of a resource; addresses alone are enough, and load no schema. */
type Listed<Row> = {
  listed: string
  list: Address<Endpoint>
  find: Address<OneOf<Row>> & { response?: z.ZodType<Row> }
}

/**
 * Returns the hooks and searches with which fields and filters choose one row of a resource by name.
 *
 * @param unknown label of a row that does not exist: « Produit inconnu »
 */
export function choicesOf<Row>(resource: Listed<Row>, optionOf: (row: Row) => Option, unknown: string) {
  /** Searches the rows that match the text and the given filters. */
  const searchIn =
    (filters: Record<string, unknown>): SearchOptions =>
    async (search, signal) => {
      const query = { ...filters, search, limit: shown, sort: 'name' }
      // The contract of every list is `{ <listed>: rows, pagination }`.
      const rows: Row[] = Object(await call(resource.list, { query, signal }))[resource.listed]
      return rows.map(optionOf)
    }

  /** Returns the option of the row with an id; null while it loads. */
  const useOption = (id: number | undefined): Option | null => {
    const options = { enabled: id !== undefined, staleTimeMs: Number.POSITIVE_INFINITY }
    const { data, error } = useAnswer<OneOf<Row>>(resource.find, { params: { id: id ?? 0 } }, options)
    if (data) return optionOf(data)
    const isMissing = id !== undefined && error instanceof ApiError && error.status === 404
    return isMissing ? { value: id, label: unknown } : null
  }

  /** Returns the name of the row with an id, « … » while it is unknown; undefined without an id. */
  const useName = (id: number | undefined): string | undefined => {
    const option = useOption(id)
    return id === undefined ? undefined : (option?.label ?? '…')
  }

  /** Whether the resource has no row; false until that is loaded. */
  const useNone = (): boolean => {
    const { data } = useAnswer(resource.list, { query: { limit: 1 } })
    // The contract of every list is `{ <listed>: rows, pagination }`.
    return Object(data).pagination?.total === 0
  }

  return { searchIn, search: searchIn({}), optionOf, useOption, useName, useNone }
}

/** The choices of any resource. */
export type Choices = Omit<ReturnType<typeof choicesOf>, 'optionOf'>

/** Searches existing texts that contain what is typed. */
export function searchTexts(address: Address<Texts>): SearchOptions {
  return async (search, signal) => {
    const { data } = await call(address, { query: { search }, signal })
    return data.map((text) => ({ value: text, label: text }))
  }
}

/** Returns the option of a row with an id and a name. */
export function namedOption({ id, name }: { id: number; name: string }): Option {
  return { value: id, label: name }
}
