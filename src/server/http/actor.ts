import type { FastifyRequest } from 'fastify'
import { AppError } from '#server/errors.ts'
import type { CallLimits } from '#server/session/quotas.ts'
import type { Endpoint, Right } from '#shared/contract.ts'
import { ownScope, type Permission, paidReads, scopes } from '#shared/permissions.ts'

/** The authenticated caller of a request, with its rights. */
export type Actor = {
  userId: number
  /** Null when the request is authenticated by an API key. */
  sessionId: number | null
  /** API key of the request; null in a session. */
  key: ApiKey | null
  /** Whether the session was opened by the key of a device, without password or second factor: it only collects. */
  isDevice?: boolean
  /** Call quotas of the account's API keys. */
  limits: CallLimits
  name: string
  permissions: readonly string[]
  /** Why the actor has no access to paid data now, in French; null when they have access. */
  noAccessReason: string | null
}

/** An API key: its permissions are those of its owner that its scopes include. */
export type ApiKey = { id: number; scopes: readonly string[]; version: string; isReadOnly: boolean }

export type Authenticate = (request: FastifyRequest) => Promise<Actor | null>

/** The part of an endpoint's contract that authorisation depends on. */
type Asked = Pick<Endpoint, 'right' | 'method' | 'writes' | 'staysOpen'>

/** Whether the actor (null: a visitor) has a permission. */
export function may(actor: Actor | null, permission: Permission): boolean {
  return actor?.permissions.includes(permission) ?? false
}

/**
 * Checks that the actor may call the endpoint. It is the only authorisation of a request, and runs before its work.
 *
 * @throws AppError 401 without a session or a key, 403 without the permission or the scope, 402 without access to paid data
 */
export function authorise(actor: Actor | null, endpoint: Asked): void {
  const { right } = endpoint
  if (right === 'public') {
    return
  }
  if (!actor) {
    throw new AppError('unauthenticated', 'Connectez-vous pour continuer.')
  }
  // A key gives access to data only, not to accounts, money or keys.
  const isOpenToKeys = right !== 'session' && permissionsOf(right).every((each) => scopes.has(each))
  if (actor.key && !isOpenToKeys) {
    throw new AppError('scope_missing', 'Cette adresse n’est pas ouverte aux clés\u00a0: connectez-vous.')
  }
  if (actor.key?.isReadOnly && endpoint.method !== 'GET') {
    throw new AppError('scope_missing', 'Cette clé ne fait que lire\u00a0: créez la vôtre.')
  }
  if (actor.isDevice && (right === 'session' || endpoint.writes === 'own')) {
    throw new AppError('forbidden', 'Cet appareil ne fait que collecter\u00a0: connectez-vous sur le site.')
  }
  if (right === 'session') {
    return
  }
  const wanted = permissionsOf(right)
  if (actor.key && !wanted.some((permission) => actor.key?.scopes.includes(permission))) {
    throw new AppError('scope_missing', `Cette clé n’a pas la portée demandée\u00a0: ${wanted.join(' ou ')}.`)
  }
  if (actor.key && endpoint.writes === 'own' && !actor.key.scopes.includes(ownScope)) {
    throw new AppError(
      'scope_missing',
      `Cette clé ne fait que lire\u00a0: il lui manque la portée ${ownScope}.`,
    )
  }
  if (!wanted.some((permission) => may(actor, permission))) {
    throw new AppError('forbidden', 'Vous n’avez pas le droit de faire cela.')
  }
  const isPaid = !endpoint.staysOpen && wanted.some((permission) => paidReads.has(permission))
  if (isPaid && actor.noAccessReason !== null && !may(actor, 'access.exempt')) {
    throw new AppError('payment_required', actor.noAccessReason)
  }
}

/**
 * Returns whether an actor authorised earlier still is; true when authentication is unavailable.
 *
 * @param authenticate authenticates the caller again
 */
export async function isStillAllowed(
  authenticate: () => Promise<Actor | null>,
  endpoint: Asked,
): Promise<boolean> {
  const actor = await authenticate().catch(() => 'unknown' as const)
  if (actor === 'unknown') return true
  try {
    authorise(actor, endpoint)
    return true
  } catch {
    return false
  }
}

function permissionsOf(right: Exclude<Right, 'public' | 'session'>): readonly Permission[] {
  return typeof right === 'string' ? [right] : right
}
