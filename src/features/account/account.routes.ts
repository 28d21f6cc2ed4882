import { ownAccount } from '#features/account/account.contract.ts'
import { endOwnSession, listOwnSessions, setAvatar } from '#features/account/account.sql.ts'
import type { Account } from '#features/auth/auth.contract.ts'
import { tellNewAddress } from '#features/auth/links.jobs.ts'
import { isBeingPaid } from '#features/payments/deposits/deposits.sql.ts'
import { forgetPicture, storePicture } from '#features/products/products.jobs.ts'
import { hashOfAvatar, updateAccount } from '#features/users/accounts/accounts.sql.ts'
import { eraseAccount } from '#features/users/closing/closing.jobs.ts'
import { findPermissions, isHeldBySomebody } from '#features/users/rights.sql.ts'
import { superAdminPower } from '#features/users/users.rules.ts'
import { userRows } from '#features/users/users.sql.ts'
import { insertAudit } from '#server/audit.sql.ts'
import { lockContent } from '#server/db/lock-content.ts'
import { lockRow } from '#server/db/lock-row.ts'
import type { Db } from '#server/db/pool.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { AppError, notFound } from '#server/errors.ts'
import type { Storage } from '#server/files/storage.ts'
import { type Api, type Call, signedIn } from '#server/http/endpoint.ts'
import { toWebp, type WebpImage } from '#server/images.ts'
import { verifyProof } from '#server/session/proof.ts'
import { spend } from '#server/session/rate-limit.sql.ts'
import type { Sessions } from '#server/session/sessions.ts'
import { authorOf, explainConstraints } from '#server/writes.ts'

// A refusal reveals that an address has an account, so few attempts are allowed.
const newAddresses = { hits: 5, windowS: 3600 }

/** How long after its request a payer may still confirm a payment. */
const paymentWindowMs = 15 * 60_000

export function accountRoutes(
  api: Api,
  db: Db,
  storage: Storage,
  sessions: Sessions,
  accountOf: (userId: number) => Promise<{ user: Account }>,
  clock: () => Date,
): void {
  const update = async (call: Changing, image: Picture) => {
    const { userId } = signedIn(call.actor)
    const { avatar: _, currentPassword, code, ...changes } = call.body
    const current = await userRows.find(db, userId)
    const isNewAddress =
      changes.email !== undefined && changes.email.toLowerCase() !== current?.email.toLowerCase()
    if (isNewAddress) {
      await verifyProof(db, userId, { currentPassword, code })
      await spend(db, `new-address:${userId}`, newAddresses)
    }
    const write = () =>
      inTransaction(db, async (tx) => {
        await lockRow(tx, 'app_user', userId)
        const before = await userRows.find(tx, userId)
        await updateAccount(tx, userId, changes)
        if (image) await lockContent(tx, image.hash)
        if (image !== undefined) await setAvatar(tx, userId, image?.hash ?? null)
        const after = await userRows.find(tx, userId)
        const entry = { action: 'update', entity: 'users', entityId: userId, before, after }
        await insertAudit(tx, authorOf(call), entry)
        if (isNewAddress && before && after) await tellNewAddress(tx, before, after.email)
        const replaced = image === undefined ? null : hashOfAvatar(before)
        if (replaced) await forgetPicture.add(tx, { hash: replaced })
      })
    await explainConstraints(constraints, () => storePicture({ db, storage, picture: image }, write))
    sessions.drop(userId)
    const { user } = await accountOf(userId)
    return { user, message: 'Profil mis à jour avec succès' }
  }

  api.on(ownAccount.update, update, draw)

  api.on(ownAccount.sessions, async ({ actor }) => {
    const { userId, sessionId } = signedIn(actor)
    return { data: await listOwnSessions(db, userId, sessionId) }
  })

  api.on(ownAccount.endSession, async (call) => {
    const { userId } = signedIn(call.actor)
    await inTransaction(db, async (tx) => {
      if (!(await endOwnSession(tx, userId, call.params.id)))
        throw notFound('Cette session est déjà terminée.')
      await insertAudit(tx, authorOf(call), { action: 'sign-out', entity: 'session', entityId: userId })
    })
    sessions.drop(userId)
    return { message: 'Session terminée' }
  })

  api.on(ownAccount.close, async (call) => {
    const { userId } = signedIn(call.actor)
    await verifyProof(db, userId, call.body)
    await inTransaction(db, async (tx) => {
      await lockRow(tx, 'app_user', userId)
      if (await isBeingPaid(tx, userId, new Date(clock().getTime() - paymentWindowMs))) {
        throw new AppError(
          'conflict',
          'Un paiement est en cours sur votre compte. Attendez qu’il aboutisse ou échoue, un quart d’heure au plus, puis fermez-le.',
        )
      }
      const isSuperAdmin = (await findPermissions(tx, userId)).includes(superAdminPower)
      const before = await userRows.find(tx, userId)
      await eraseAccount(tx, userId)
      if (isSuperAdmin && !(await isHeldBySomebody(tx, superAdminPower))) {
        throw new AppError(
          'conflict',
          'Vous êtes le dernier super administrateur\u00a0: nommez-en un autre d’abord.',
        )
      }
      const author = { actor: call.actor, requestId: call.request.id }
      await insertAudit(tx, author, { action: 'close', entity: 'users', entityId: userId })
      const avatar = hashOfAvatar(before)
      if (avatar) await forgetPicture.add(tx, { hash: avatar })
    })
    sessions.drop(userId)
    return { message: 'Votre compte est fermé. Merci d’avoir été des nôtres.' }
  })
}

const constraints = {
  app_user_email_key: { field: 'email', message: 'Un compte a déjà cette adresse e-mail.' },
}

type Changing = Call<typeof ownAccount.update>
/** The picture to store; null removes the current one, undefined leaves it. */
type Picture = WebpImage | null | undefined

async function draw({ body: { avatar }, actor, reply }: Changing): Promise<Picture> {
  if (!avatar) return avatar
  return toWebp(avatar, 'avatar', { userId: signedIn(actor).userId, hasLeft: () => reply.raw.destroyed })
}
