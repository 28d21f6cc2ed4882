import { tellOwner } from '#features/auth/links.jobs.ts'
import { followed, keepSuperAdmin, refuseToGrantRoles, refuseToTouch } from '#features/users/guards.routes.ts'
import {
  changePassword,
  removeSecondFactorOf,
  type UserChange,
  userFigures,
  users,
} from '#features/users/users.contract.ts'
import {
  countUsers,
  countUsesOfUser,
  deleteUser,
  findUser,
  insertUser,
  listUsers,
  selectAllUsers,
  setRoles,
  updateUser,
} from '#features/users/users.sql.ts'
import { insertAudit } from '#server/audit.sql.ts'
import { crudRoutes } from '#server/crud-routes.ts'
import { lockRow } from '#server/db/lock-row.ts'
import type { Db } from '#server/db/pool.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { AppError } from '#server/errors.ts'
import type { Exports } from '#server/exports.ts'
import { type Actor, may } from '#server/http/actor.ts'
import { type Api, signedIn } from '#server/http/endpoint.ts'
import { refuseWeakPassword } from '#server/session/password-policy.ts'
import { hashPassword } from '#server/session/passwords.ts'
import { proveOneself } from '#server/session/proof.ts'
import { removeSecondFactor } from '#server/session/second-factor.sql.ts'
import { revokeSessionsOf } from '#server/session/session.sql.ts'
import type { Sessions } from '#server/session/sessions.ts'
import { authorOf, missing } from '#server/writes.ts'

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
    async insert(tx, { password, roleIds = [], ...user }, actor) {
      await refuseToGrantRoles(tx, actor, roleIds)
      await refuseWeakPassword(password, [user.name, user.email])
      const id = await insertUser(tx, { ...user, passwordHash: await hashPassword(password) })
      await setRoles(tx, id, roleIds)
      return id
    },
    update: changeUser,
    remove: removeUser,
    uses: countUsesOfUser,
    constraints: userConstraints,
  })

  api.on(changePassword, async (call) => {
    const actor = signedIn(call.actor)
    const { id } = call.params
    const isOwn = id === actor.userId
    if (!isOwn && !may(actor, 'users.manage')) {
      throw new AppError('forbidden', 'Vous ne pouvez changer que votre propre mot de passe.')
    }
    const { newPassword, ...proof } = call.body
    if (isOwn) await proveOneself(db, id, proof)
    const owner = await findUser(db, id)
    await refuseWeakPassword(newPassword, [owner?.name ?? '', owner?.email ?? ''], 'newPassword')
    const passwordHash = await hashPassword(newPassword)
    await inTransaction(db, async (tx) => {
      await lockRow(tx, 'app_user', id)
      if (!(await findUser(tx, id))) missing(users.noun)
      if (!isOwn) await refuseToTouch(tx, actor, id)
      await updateUser(tx, id, { passwordHash })
      await revokeSessionsOf(tx, id, isOwn ? actor.sessionId : null)
      await insertAudit(tx, authorOf(call), { action: 'password-changed', entity: 'users', entityId: id })
      await tellOwner.add(tx, { userId: id, news: 'password changed' })
    })
    return { message: 'Mot de passe modifié avec succès' }
  })

  api.on(removeSecondFactorOf, async (call) => {
    const actor = signedIn(call.actor)
    const { id } = call.params
    if (id === actor.userId) {
      throw new AppError('forbidden', 'Désactivez votre propre vérification dans vos paramètres.')
    }
    await inTransaction(db, async (tx) => {
      await lockRow(tx, 'app_user', id)
      if (!(await findUser(tx, id))) missing(users.noun)
      await refuseToTouch(tx, actor, id)
      if (!(await removeSecondFactor(tx, id))) {
        throw new AppError('conflict', 'La vérification en deux étapes n’est pas active.')
      }
      await revokeSessionsOf(tx, id)
      const entry = { action: 'second-factor-off', entity: 'users', entityId: id }
      await insertAudit(tx, authorOf(call), entry)
      await tellOwner.add(tx, { userId: id, news: 'second factor off' })
    })
    return { message: 'Vérification en deux étapes désactivée' }
  })
}

/**
 * Changes an account, with what that entails: whoever may not sign in any more is signed out at once.
 *
 * @throws AppError 403 for an account, or roles, beyond what the actor may do; 409 for the last super administrator
 */
export async function changeUser(tx: Db, id: number, changes: UserChange, actor: Actor): Promise<void> {
  const { password, roleIds, ...columns } = changes
  const held = await refuseToTouch(tx, actor, id)
  if (id === actor.userId) await refuseOfOneself(tx, id, changes)
  if (password !== undefined) {
    const owner = await findUser(tx, id)
    await refuseWeakPassword(password, [owner?.name ?? '', owner?.email ?? ''])
  }
  const passwordHash = password === undefined ? undefined : await hashPassword(password)
  await updateUser(tx, id, { ...columns, passwordHash })
  if (roleIds) {
    const had = await findUser(tx, id)
    await refuseToGrantRoles(
      tx,
      actor,
      roleIds.filter((role) => !had?.roleIds.includes(role)),
    )
    await setRoles(tx, id, roleIds)
  }
  if (passwordHash !== undefined || (columns.status && columns.status !== 'ACTIVE')) {
    await revokeSessionsOf(tx, id)
  }
  if (passwordHash !== undefined) {
    const entry = { action: 'password-changed', entity: 'users', entityId: id }
    await insertAudit(tx, { actor, requestId: null }, entry)
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
  await deleteUser(tx, id)
  await keepSuperAdmin(tx, held)
}

// What a settings page asks the password for is not changed here without it.
async function refuseOfOneself(tx: Db, id: number, { password, email, status }: UserChange): Promise<void> {
  if (status && status !== 'ACTIVE') {
    throw new AppError('forbidden', 'Vous ne pouvez pas vous désactiver vous-même.')
  }
  const own = await findUser(tx, id)
  if (password !== undefined || (email !== undefined && email.toLowerCase() !== own?.email.toLowerCase())) {
    throw new AppError('forbidden', 'Changez votre propre adresse et votre mot de passe dans vos paramètres.')
  }
}
