import type { FastifyRequest } from 'fastify'
import { AppError } from '#server/errors.ts'
import type { CallLimits } from '#server/session/quotas.ts'
import type { Endpoint, Right } from '#shared/contract.ts'
import { ownScope, type Permission, paidReads, scopes } from '#shared/permissions.ts'

/** Who is behind a request, as far as rights go. */
export type Actor = {
  userId: number
  /** Null when a key asks. */
  sessionId: number | null
  /** What a program asks with; null in a session. */
  key: ApiKey | null
  /** How many calls the keys of the account may make. */
  limits: CallLimits
  name: string
  permissions: readonly string[]
  /** Why paid data are closed to him now, in words; null when they are open. */
  closed: string | null
}

/** A key of a program: its permissions are the owner's that its scopes name. */
export type ApiKey = { id: number; scopes: readonly string[]; version: string; isReadOnly: boolean }

export type Authenticate = (request: FastifyRequest) => Promise<Actor | null>

/** What an endpoint says of who may call it. */
type Asked = Pick<Endpoint, 'right' | 'method' | 'writes'>

/** Whether somebody, or nobody, holds a permission. */
export function may(actor: Actor | null, permission: Permission): boolean {
  return actor?.permissions.includes(permission) ?? false
}

/**
 * The one decision about a request: nothing happens before it.
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
  // A key reads and writes data: nothing of accounts, money or keys.
  const isOpenToKeys = right !== 'session' && permissionsOf(right).every((each) => scopes.has(each))
  if (actor.key && !isOpenToKeys) {
    throw new AppError('scope_missing', 'Cette adresse n’est pas ouverte aux clés\u00a0: connectez-vous.')
  }
  if (actor.key?.isReadOnly && endpoint.method !== 'GET') {
    throw new AppError('scope_missing', 'Cette clé ne fait que lire\u00a0: créez la vôtre.')
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
  const isPaid = wanted.some((permission) => paidReads.has(permission))
  if (isPaid && actor.closed !== null && !may(actor, 'access.exempt')) {
    throw new AppError('payment_required', actor.closed)
  }
}

/**
 * Whether what was authorised a while ago would be so again; when nobody can tell now, it stands.
 *
 * @param authenticate finds out who asks, anew
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
