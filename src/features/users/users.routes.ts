import type { z } from 'zod'
import { tellNewAddress, tellOwner } from '#features/auth/links.jobs.ts'
import { forgetPicture } from '#features/products/products.jobs.ts'
import { followed, keepSuperAdmin, refuseToGrantRoles, refuseToTouch } from '#features/users/guards.routes.ts'
import { type accountInput, type UserChange, userFigures, users } from '#features/users/users.contract.ts'
import {
  countUsers,
  countUsesOfUser,
  deleteUser,
  findUser,
  hashOfAvatar,
  insertUser,
  listUsers,
  selectAllUsers,
  setRoles,
  updateUser,
} from '#features/users/users.sql.ts'
import { insertAudit } from '#server/audit.sql.ts'
import { crudRoutes } from '#server/crud-routes.ts'
import type { Db } from '#server/db/pool.ts'
import { AppError } from '#server/errors.ts'
import type { Exports } from '#server/exports.ts'
import type { Actor } from '#server/http/actor.ts'
import type { Api } from '#server/http/endpoint.ts'
import { refuseWeakPassword } from '#server/session/password-policy.ts'
import { hashPassword } from '#server/session/passwords.ts'
import { revokeSessionsOf } from '#server/session/session.sql.ts'
import type { Sessions } from '#server/session/sessions.ts'

export const userConstraints = {
  app_user_email_key: { field: 'email', message: 'Un compte a déjà cette adresse e-mail.' },
  user_role_role_fkey: { field: 'roleIds', message: 'Ce rôle n’existe pas.' },
}

export function userRoutes(plain: Api, db: Db, exports: Exports, sessions: Sessions): void {
  const api = followed(plain, sessions)
  api.on(userFigures, ({ query }) => countUsers(db, query))

  crudRoutes(api, db, exports, users, {
    table: 'app_user',
    list: listUsers,
    selectAll: selectAllUsers,
    find: findUser,
    insert: (tx, { roleIds = [], ...account }, actor) => insertAccount(tx, account, roleIds, actor),
    update: changeUser,
    remove: removeUser,
    uses: countUsesOfUser,
    constraints: userConstraints,
  })
}

/** @throws AppError 403 for roles beyond what the actor may do, 400 for a password that others would try first */
export async function insertAccount(
  tx: Db,
  { password, ...account }: z.output<typeof accountInput>,
  roleIds: readonly number[],
  actor: Actor,
): Promise<number> {
  await refuseToGrantRoles(tx, actor, roleIds)
  await refuseWeakPassword(password, [account.name, account.email])
  const id = await insertUser(tx, { ...account, passwordHash: await hashPassword(password) })
  await setRoles(tx, id, roleIds)
  return id
}

/**
 * Changes an account, with what that entails: whoever may not sign in any more is signed out at once.
 *
 * @throws AppError 403 for an account, or roles, beyond what the actor may do; 409 for the last super administrator
 */
export async function changeUser(tx: Db, id: number, changes: UserChange, actor: Actor): Promise<void> {
  const { password, roleIds, ...columns } = changes
  const held = await refuseToTouch(tx, actor, id)
  const before = await findUser(tx, id)
  if (id === actor.userId) refuseOfOneself(before?.email, changes)
  if (password !== undefined) await refuseWeakPassword(password, [before?.name ?? '', before?.email ?? ''])
  const passwordHash = password === undefined ? undefined : await hashPassword(password)
  await updateUser(tx, id, { ...columns, passwordHash })
  if (roleIds) {
    await refuseToGrantRoles(
      tx,
      actor,
      roleIds.filter((role) => !before?.roleIds.includes(role)),
    )
    await setRoles(tx, id, roleIds)
  }
  if (passwordHash !== undefined || (columns.status && columns.status !== 'ACTIVE')) {
    await revokeSessionsOf(tx, id)
  }
  if (passwordHash !== undefined) {
    const entry = { action: 'password-changed', entity: 'users', entityId: id }
    await insertAudit(tx, { actor, requestId: null }, entry)
    await tellOwner.add(tx, { userId: id, news: 'password changed' })
  }
  const { email } = columns
  if (before && email !== undefined && email.toLowerCase() !== before.email.toLowerCase()) {
    await tellNewAddress(tx, before, email)
  }
  await keepSuperAdmin(tx, held)
}

/** @throws AppError 403 for oneself, or an account beyond what the actor may do; 409 for the last super administrator */
export async function removeUser(tx: Db, id: number, actor: Actor): Promise<void> {
  if (id === actor.userId) {
    throw new AppError(
      'forbidden',
      'Vous ne pouvez pas supprimer votre propre compte ici\u00a0: fermez-le dans vos paramètres.',
    )
  }
  const held = await refuseToTouch(tx, actor, id)
  const hash = hashOfAvatar(await findUser(tx, id))
  await deleteUser(tx, id)
  if (hash) await forgetPicture.add(tx, { hash })
  await keepSuperAdmin(tx, held)
}

// What a settings page asks the password for is not changed here without it.
function refuseOfOneself(known: string | undefined, { password, email, status }: UserChange): void {
  if (status && status !== 'ACTIVE') {
    throw new AppError('forbidden', 'Vous ne pouvez pas vous désactiver vous-même.')
  }
  if (password !== undefined || (email !== undefined && email.toLowerCase() !== known?.toLowerCase())) {
    throw new AppError('forbidden', 'Changez votre propre adresse et votre mot de passe dans vos paramètres.')
  }
}
