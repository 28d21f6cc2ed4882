import type { Problem } from '#shared/contract.ts'
import { type RefusalCode, refusals } from '#shared/refusals.ts'

/** French title of each refusal, by HTTP status. */
export const refusalTitles: ReadonlyMap<number, string> = new Map(Object.values(refusals).toReversed())

/** A limit reported by a refusal: number of hits per window of `windowS` seconds, or of concurrent hits without one. */
export type Limit = { name: string; hits: number; windowS?: number }

/** A refusal whose French message is shown to the user. Any other error becomes a 500 without details. */
export class AppError extends Error {
  readonly code: RefusalCode
  readonly fields: Problem['errors']
  readonly retryAfterS: number | undefined
  readonly limit: Limit | undefined

  constructor(
    code: RefusalCode,
    message: string,
    more: { fields?: Problem['errors']; retryAfterS?: number; limit?: Limit; cause?: unknown } = {},
  ) {
    super(message, { cause: more.cause })
    this.code = code
    this.fields = more.fields ?? []
    this.retryAfterS = more.retryAfterS
    this.limit = more.limit
  }

  get status(): number {
    return refusals[this.code][0]
  }

  get title(): string {
    return refusals[this.code][1]
  }
}

/** Returns a 400 error for one field. */
export function invalidField(field: string, message: string): AppError {
  return new AppError('invalid', message, { fields: [{ field, message }] })
}

/** Returns a 409 error for a field whose value another row already has. */
export function conflictingField(field: string, message: string): AppError {
  return new AppError('duplicate', message, { fields: [{ field, message }] })
}

/** Returns a 404 error; `missing` returns that of a named resource. */
export const notFound = (message = 'Cet élément n’existe pas ou n’existe plus.') =>
  new AppError('not_found', message)
