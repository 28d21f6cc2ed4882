import type { Problem } from '#shared/contract.ts'
import { type RefusalCode, refusals } from '#shared/refusals.ts'

/** The status of each refusal with its French title. */
export const refusalTitles: ReadonlyMap<number, string> = new Map(Object.values(refusals).toReversed())

/** How often something may be done, as a refusal says it: so many times in a window, or at once when there is none. */
export type Limit = { name: string; hits: number; windowS?: number }

/** A refusal whose French message is meant for the user. Anything else that is thrown becomes a mute 500. */
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

/** A 400 that points at one field. */
export function invalidField(field: string, message: string): AppError {
  return new AppError('invalid', message, { fields: [{ field, message }] })
}

/** A 409 that points at the field whose value another row has. */
export function conflictingField(field: string, message: string): AppError {
  return new AppError('duplicate', message, { fields: [{ field, message }] })
}

/** A 404; of a resource, `missing` says which. */
export const notFound = (message = 'Cet élément n’existe pas ou n’existe plus.') =>
  new AppError('not_found', message)
