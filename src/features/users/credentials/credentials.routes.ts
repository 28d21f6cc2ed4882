import type { FastifyRequest } from 'fastify'
import { tellOwner } from '#features/auth/links.jobs.ts'
import { findAccount, updateAccount } from '#features/users/accounts/accounts.sql.ts'
import { changePassword, removeSecondFactorOf } from '#features/users/credentials/credentials.contract.ts'
import { followed, refuseToTouch } from '#features/users/guards.routes.ts'
import { users } from '#features/users/users.contract.ts'
import { insertAudit } from '#server/audit.sql.ts'
import { lockRow } from '#server/db/lock-row.ts'
import type { Db } from '#server/db/pool.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { AppError } from '#server/errors.ts'
import { may } from '#server/http/actor.ts'
import { type Api, signedIn } from '#server/http/endpoint.ts'
import { forgetDevicesOf } from '#server/session/known-devices.sql.ts'
import { refuseWeakPassword } from '#server/session/password-policy.ts'
import { hashPassword } from '#server/session/passwords.ts'
import { verifyProof } from '#server/session/proof.ts'
import { removeSecondFactor } from '#server/session/second-factor.sql.ts'
import { revokeSessionsOf } from '#server/session/session.sql.ts'
import type { Sessions } from '#server/session/sessions.ts'
import { authorOf, missing } from '#server/writes.ts'

/** Registers the routes that change the means of signing in of an account, for its owner and for user managers. */
export function credentialRoutes(
  plain: Api,
  db: Db,
  sessions: Sessions,
  deviceOf: (request: FastifyRequest) => Buffer | null,
): void {
  const api = followed(plain, sessions)

  api.on(changePassword, async (call) => {
    const actor = signedIn(call.actor)
    const { id } = call.params
    const isOwn = id === actor.userId
    if (!isOwn && !may(actor, 'users.manage')) {
      throw new AppError('forbidden', 'Vous ne pouvez changer que votre propre mot de passe.')
    }
    const { newPassword, ...proof } = call.body
    if (isOwn) await verifyProof(db, id, proof)
    const owner = await findAccount(db, id)
    await refuseWeakPassword(newPassword, [owner?.name ?? '', owner?.email ?? ''], 'newPassword')
    const passwordHash = await hashPassword(newPassword)
    await inTransaction(db, async (tx) => {
      await lockRow(tx, 'app_user', id)
      if (!(await findAccount(tx, id))) missing(users.noun)
      if (!isOwn) await refuseToTouch(tx, actor, id)
      await updateAccount(tx, id, { passwordHash })
      await revokeSessionsOf(tx, id, isOwn ? actor.sessionId : null)
      await forgetDevicesOf(tx, id, isOwn ? deviceOf(call.request) : null)
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
      if (!(await findAccount(tx, id))) missing(users.noun)
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
