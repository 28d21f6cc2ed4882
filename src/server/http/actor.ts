import type { FastifyRequest } from 'fastify'
import { AppError } from '#server/errors.ts'
import type { Endpoint, Right } from '#shared/contract.ts'
import { type Permission, paidReads } from '#shared/permissions.ts'

/** Who is behind a request, as far as rights go. */
export type Actor = {
  userId: number
  sessionId: number
  name: string
  permissions: readonly string[]
  /** Why paid data are closed to him now, in words; null when they are open. */
  closed: string | null
}

export type Authenticate = (request: FastifyRequest) => Promise<Actor | null>

/** Whether somebody, or nobody, holds a permission. */
export function may(actor: Actor | null, permission: Permission): boolean {
  return actor?.permissions.includes(permission) ?? false
}

/**
 * The one decision about a request: nothing happens before it.
 *
 * @throws AppError 401 without a session, 403 without the permission, 402 without access to paid data
 */
export function authorise(actor: Actor | null, endpoint: Pick<Endpoint, 'right'>): void {
  const { right } = endpoint
  if (right === 'public') {
    return
  }
  if (!actor) {
    throw new AppError('unauthenticated', 'Connectez-vous pour continuer.')
  }
  if (right === 'session') {
    return
  }
  const wanted = permissionsOf(right)
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
  endpoint: Pick<Endpoint, 'right'>,
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
