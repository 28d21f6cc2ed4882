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

/** Where the rows of a resource are; addresses alone will do, and load no schema. */
type Listed<Row> = {
  listed: string
  list: Address<Endpoint>
  find: Address<OneOf<Row>> & { response?: z.ZodType<Row> }
}

/**
 * How fields and filters choose one row of a resource, by letters of its name.
 *
 * @param unknown what stands for a row that does not exist: « Produit inconnu »
 */
export function choicesOf<Row>(resource: Listed<Row>, optionOf: (row: Row) => Option, unknown: string) {
  /** The rows that match what is typed, among those that the filters let through. */
  const searchIn =
    (filters: Record<string, unknown>): SearchOptions =>
    async (search, signal) => {
      const query = { ...filters, search, limit: shown, sort: 'name' }
      // The contract of every list is `{ <listed>: rows, pagination }`.
      const rows: Row[] = Object(await call(resource.list, { query, signal }))[resource.listed]
      return rows.map(optionOf)
    }

  /** The row of an id, by its name; null while it is looked for. */
  const useOption = (id: number | undefined): Option | null => {
    const options = { enabled: id !== undefined, staleTimeMs: Number.POSITIVE_INFINITY }
    const { data, error } = useAnswer<OneOf<Row>>(resource.find, { params: { id: id ?? 0 } }, options)
    if (data) return optionOf(data)
    const isMissing = id !== undefined && error instanceof ApiError && error.status === 404
    return isMissing ? { value: id, label: unknown } : null
  }

  /** Whether there is none at all yet; false until that is loaded. */
  const useNone = (): boolean => {
    const { data } = useAnswer(resource.list, { query: { limit: 1 } })
    // The same contract.
    return Object(data).pagination?.total === 0
  }

  return { searchIn, search: searchIn({}), optionOf, useOption, useNone }
}

/** Those of any resource. */
export type Choices = Omit<ReturnType<typeof choicesOf>, 'optionOf'>

/** Texts that exist, by what is typed of them. */
export function searchTexts(address: Address<Texts>): SearchOptions {
  return async (search, signal) => {
    const { data } = await call(address, { query: { search }, signal })
    return data.map((text) => ({ value: text, label: text }))
  }
}

/** The option of what has a name. */
export function namedOption({ id, name }: { id: number; name: string }): Option {
  return { value: id, label: name }
}
