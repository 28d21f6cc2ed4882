import { sendVerificationLink, tellOwner } from '#features/auth/links.jobs.ts'
import { findAddressee, findLink, spendLink } from '#features/auth/links.sql.ts'
import { register, resendVerification, verifyEmail } from '#features/auth/registration.contract.ts'
import {
  clearLinks,
  type EndedOutlets,
  insertUserWithRole,
  markVerified,
  stopSendingData,
} from '#features/auth/registration.sql.ts'
import { insertAudit } from '#server/audit.sql.ts'
import type { Db } from '#server/db/pool.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { AppError } from '#server/errors.ts'
import type { Api } from '#server/http/endpoint.ts'
import { networkOf } from '#server/http/visitors.ts'
import { forgetDevicesOf } from '#server/session/known-devices.sql.ts'
import { refuseWeakPassword } from '#server/session/password-policy.ts'
import { hashPassword } from '#server/session/passwords.ts'
import { spend } from '#server/session/rate-limit.sql.ts'
import { removeSecondFactor } from '#server/session/second-factor.sql.ts'
import { revokeSessionsOf } from '#server/session/session.sql.ts'
import { hashToken } from '#server/session/tokens.ts'
import { authorOf } from '#server/writes.ts'

/** Limit of registrations, and of requests for mails; each form has its own count. */
export const perAddressAndHour = { hits: 30, windowS: 3600 }

/** Registers the routes of registration and of confirming an address. */
export function registrationRoutes(api: Api, db: Db): void {
  api.on(register, async (call) => {
    const { name, email, password } = call.body
    await spend(db, `register:address:${networkOf(call.request.ip)}`, perAddressAndHour)
    await refuseWeakPassword(password, [name, email])
    const passwordHash = await hashPassword(password)
    await inTransaction(db, async (tx) => {
      const id = await insertUserWithRole(tx, { name, email, passwordHash, role: 'user' })
      // The same statements whether the address had an account or not, so that both take the same time.
      const owner = await findAddressee(tx, email)
      const action = id === undefined ? 'registration-refused' : 'register'
      await insertAudit(tx, authorOf(call), { action, entity: 'users', entityId: owner?.id ?? null })
      if (id !== undefined) await sendVerificationLink.add(tx, { email })
      else if (owner) await tellOwner.add(tx, { userId: owner.id, news: 'registered again' })
    })
    return { message: 'Inscription réussie' }
  })

  api.on(verifyEmail, async (call) => {
    const hash = hashToken(call.body.token)
    await inTransaction(db, async (tx) => {
      const link = await findLink(tx, hash, 'verify')
      const email = link && (await spendLink(tx, hash, 'verify'))
      if (!email || !(await markVerified(tx, { userId: link.user_id, email }))) throw deadLink()
      const actor = { userId: link.user_id, name: link.name }
      await insertAudit(
        tx,
        { ...authorOf(call), actor },
        { action: 'verify-email', entity: 'users', entityId: link.user_id },
      )
    })
    return { message: 'Votre adresse est confirmée.' }
  })

  api.on(resendVerification, async (call) => {
    await spend(db, `verify:address:${networkOf(call.request.ip)}`, perAddressAndHour)
    await sendVerificationLink.add(db, { email: call.body.email })
    return { message: 'Si un compte attend cette confirmation, vous recevrez un nouveau lien.' }
  })
}

/**
 * Removes every means of signing in except the password, whatever could hide its use, and what takes data out of the
 * account: before the address was confirmed, a stranger may have set them. The owner is notified of the latter.
 */
export async function removeWaysIn(tx: Db, userId: number): Promise<EndedOutlets> {
  await revokeSessionsOf(tx, userId)
  await forgetDevicesOf(tx, userId)
  await removeSecondFactor(tx, userId)
  await clearLinks(tx, userId)
  const ended = await stopSendingData(tx, userId)
  if (Object.values(ended).some((count) => count > 0))
    await tellOwner.add(tx, { userId, news: 'outlets ended' })
  return ended
}

/**
 * Returns the error for a link that was used, has expired, never existed, or was sent to a former address of the
 * account.
 */
export function deadLink(): AppError {
  return new AppError(
    'invalid',
    'Ce lien n’est plus valable\u00a0: il a déjà servi, ou il a expiré. Demandez-en un autre.',
  )
}
