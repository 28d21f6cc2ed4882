import type { Problem } from '#shared/contract.ts'

/** The closed list of refusals: status and the short French title of each. */
const refusals = {
  invalid: [400, 'Requête invalide'],
  unauthenticated: [401, 'Connexion requise'],
  payment_required: [402, 'Accès payant'],
  forbidden: [403, 'Accès refusé'],
  not_found: [404, 'Introuvable'],
  method_not_allowed: [405, 'Méthode non autorisée'],
  too_slow: [408, 'Trop lent'],
  conflict: [409, 'Conflit'],
  too_large: [413, 'Trop volumineux'],
  unsupported: [415, 'Format non pris en charge'],
  unprocessable: [422, 'Demande contradictoire'],
  expectation_failed: [417, 'Attente refusée'],
  limited: [429, 'Trop de tentatives'],
  headers_too_large: [431, 'Trop volumineux'],
  internal: [500, 'Erreur interne'],
  unavailable: [503, 'Service indisponible'],
} as const satisfies Record<string, readonly [number, string]>

type RefusalCode = keyof typeof refusals

/** The status of each refusal with its French title. */
export const refusalTitles: ReadonlyMap<number, string> = new Map(Object.values(refusals))

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

/** A 409 that points at one field. */
export function conflictingField(field: string, message: string): AppError {
  return new AppError('conflict', message, { fields: [{ field, message }] })
}

/** A 404; of a resource, `missing` says which. */
export const notFound = (message = 'Cet élément n’existe pas ou n’existe plus.') =>
  new AppError('not_found', message)
