import {
  findPermissions,
  findPermissionsOfRoles,
  isHeldBySomebody,
  isRoleOf,
} from '#features/users/rights.sql.ts'
import { beyond, superAdminPower } from '#features/users/users.rules.ts'
import type { Db } from '#server/db/pool.ts'
import { AppError } from '#server/errors.ts'
import type { Actor } from '#server/http/actor.ts'
import type { Api } from '#server/http/endpoint.ts'
import type { Sessions } from '#server/session/sessions.ts'

/** Returns the same routes, with all cached permissions discarded after each write, from the next request on. */
export function followed(api: Api, sessions: Sessions): Api {
  return {
    on: (endpoint, handler, prepare) =>
      api.on(
        endpoint,
        async (call, prepared) => {
          const answer = await handler(call, prepared)
          if (endpoint.method !== 'GET') sessions.drop()
          return answer
        },
        prepare,
      ),
  }
}

/** @throws AppError 403 with `words` when the held permissions exceed the actor's */
function refuseBeyond(actor: Actor, held: readonly string[], words: string): void {
  const missing = beyond(actor.permissions, held)
  if (missing.includes(superAdminPower)) {
    throw new AppError('forbidden', 'Seuls les super administrateurs touchent aux super administrateurs.')
  }
  if (missing.length > 0) throw new AppError('forbidden', words)
}

/**
 * Refuses a write to an account with more permissions than the actor, who could set its password and sign in with it.
 * @returns permissions of the account
 * @throws AppError 403
 */
export async function refuseToTouch(tx: Db, actor: Actor, userId: number): Promise<string[]> {
  const held = await findPermissions(tx, userId)
  refuseBeyond(actor, held, 'Ce compte a des droits que vous n’avez pas.')
  return held
}

/**
 * @returns permissions of the role
 * @throws AppError 403 for a role that the actor has, or that exceeds the actor's permissions
 */
export async function refuseToTouchRole(tx: Db, actor: Actor, roleId: number): Promise<string[]> {
  if (await isRoleOf(tx, roleId, actor.userId)) {
    throw new AppError('forbidden', 'Vous ne pouvez pas modifier un rôle que vous avez vous-même.')
  }
  const could = await findPermissionsOfRoles(tx, [roleId])
  refuseBeyond(actor, could, 'Ce rôle donne des droits que vous n’avez pas.')
  return could
}

/**
 * @param name new name, undefined when unchanged, null when deleted
 * @throws AppError 409 when the program refers to it by name
 */
export function refuseSeeded(
  row: { name: string; isSeeded: boolean } | undefined,
  name?: string | null,
): void {
  if (!row?.isSeeded || name === undefined || name === row.name) return
  throw new AppError(
    'conflict',
    `«\u202f${row.name}\u202f» fait partie de la plateforme\u00a0: ${name === null ? 'cela ne se supprime pas' : 'son nom ne change pas'}.`,
  )
}

/** @throws AppError 403 for permissions that the actor does not have */
export function refuseToGrant(actor: Actor, permissions: readonly string[]): void {
  const missing = beyond(actor.permissions, permissions)
  if (missing.length > 0) {
    throw new AppError(
      'forbidden',
      `Vous ne pouvez pas donner des droits que vous n’avez pas\u00a0: ${missing.join(', ')}.`,
    )
  }
}

/** @throws AppError 403 when one of the roles exceeds the actor's permissions */
export async function refuseToGrantRoles(tx: Db, actor: Actor, roleIds: readonly number[]): Promise<void> {
  refuseToGrant(actor, await findPermissionsOfRoles(tx, roleIds))
}

/**
 * Checks, after a write that may have removed it, that a super administrator remains.
 * @param held permissions of the account before the write
 * @throws AppError 409 when no account that can sign in may manage super administrators
 */
export async function keepSuperAdmin(tx: Db, held: readonly string[]): Promise<void> {
  if (!held.includes(superAdminPower) || (await isHeldBySomebody(tx, superAdminPower))) return
  throw new AppError('conflict', 'C’est le dernier super administrateur\u00a0: nommez-en un autre d’abord.')
}
