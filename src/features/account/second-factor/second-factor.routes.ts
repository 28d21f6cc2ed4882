import { secondFactor } from '#features/account/second-factor/second-factor.contract.ts'
import { tellOwner } from '#features/auth/links.jobs.ts'
import { userRows } from '#features/users/users.sql.ts'
import { insertAudit } from '#server/audit.sql.ts'
import type { Db } from '#server/db/pool.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { AppError } from '#server/errors.ts'
import { type Api, signedIn } from '#server/http/endpoint.ts'
import { guesses, takeCode, verifyProof, wrongCode } from '#server/session/proof.ts'
import { resetCounters, spend } from '#server/session/rate-limit.sql.ts'
import {
  beginSecondFactor,
  confirmSecondFactor,
  countRecoveryCodes,
  findSecondFactor,
  removeSecondFactor,
  replaceRecoveryCodes,
} from '#server/session/second-factor.sql.ts'
import type { Sessions } from '#server/session/sessions.ts'
import { hashToken } from '#server/session/tokens.ts'
import { newRecoveryCodes, newSecret, provisioning, readRecoveryCode } from '#server/session/totp.ts'
import { authorOf } from '#server/writes.ts'

export function secondFactorRoutes(api: Api, db: Db, sessions: Sessions): void {
  api.on(secondFactor.read, async ({ actor }) => {
    const { userId } = signedIn(actor)
    const factor = await findSecondFactor(db, userId)
    return { isOn: factor?.is_on ?? false, recoveryCodes: await countRecoveryCodes(db, userId) }
  })

  api.on(secondFactor.begin, async ({ actor, body }) => {
    const { userId } = signedIn(actor)
    const secret = newSecret()
    if ((await findSecondFactor(db, userId))?.is_on) throw alreadyOn()
    const user = await userRows.find(db, userId)
    // Otherwise someone who registered another person's address could lock them out of the account.
    if (!user?.email_verified) throw addressFirst()
    await verifyProof(db, userId, body)
    if (!(await beginSecondFactor(db, userId, secret))) throw alreadyOn()
    return { ...provisioning(secret, user.email), message: 'Ajoutez cette clé à votre application' }
  })

  api.on(secondFactor.confirm, async (call) => {
    const { userId } = signedIn(call.actor)
    await spend(db, `second-factor:${userId}`, guesses)
    const factor = await findSecondFactor(db, userId)
    if (!factor || factor.is_on) throw new AppError('conflict', 'Recommencez l’activation.')
    const recoveryCodes = newRecoveryCodes()
    await inTransaction(db, async (tx) => {
      // The address may have changed since the first step.
      if (!(await userRows.find(tx, userId))?.email_verified) throw addressFirst()
      if (!(await takeCode(tx, userId, factor, call.body.code ?? ''))) throw wrongCode()
      await confirmSecondFactor(tx, userId)
      await replaceRecoveryCodes(tx, userId, recoveryCodes.map(hashOf))
      const entry = { action: 'second-factor-on', entity: 'users', entityId: userId }
      await insertAudit(tx, authorOf(call), entry)
      await tellOwner.add(tx, { userId, news: 'second factor on' })
    })
    await resetCounters(db, `second-factor:${userId}`)
    sessions.drop(userId)
    return { recoveryCodes, message: 'Vérification en deux étapes activée' }
  })

  api.on(secondFactor.remove, async (call) => {
    const { userId } = signedIn(call.actor)
    await verifyProof(db, userId, call.body)
    await inTransaction(db, async (tx) => {
      await removeSecondFactor(tx, userId)
      const entry = { action: 'second-factor-off', entity: 'users', entityId: userId }
      await insertAudit(tx, authorOf(call), entry)
      await tellOwner.add(tx, { userId, news: 'second factor off' })
    })
    sessions.drop(userId)
    return { message: 'Vérification en deux étapes désactivée' }
  })

  api.on(secondFactor.renewCodes, async (call) => {
    const { userId } = signedIn(call.actor)
    await verifyProof(db, userId, call.body)
    const recoveryCodes = newRecoveryCodes()
    await inTransaction(db, async (tx) => {
      if (!(await findSecondFactor(tx, userId))?.is_on) {
        throw new AppError('conflict', 'La vérification en deux étapes n’est pas active.')
      }
      await replaceRecoveryCodes(tx, userId, recoveryCodes.map(hashOf))
      const entry = { action: 'recovery-codes-renewed', entity: 'users', entityId: userId }
      await insertAudit(tx, authorOf(call), entry)
    })
    return { recoveryCodes, message: 'Nouveaux codes de secours' }
  })
}

const hashOf = (code: string) => hashToken(readRecoveryCode(code))
const alreadyOn = () => new AppError('conflict', 'La vérification en deux étapes est déjà active.')
const addressFirst = () =>
  new AppError('conflict', 'Confirmez votre adresse e-mail avant d’activer la vérification en deux étapes.')
