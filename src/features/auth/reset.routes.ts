import { forgetFailures } from '#features/auth/auth.routes.ts'
import { sendResetLink, tellOwner } from '#features/auth/links.jobs.ts'
import { findLink, spendLink } from '#features/auth/links.sql.ts'
import { deadLink, perAddressAndHour, removeWaysIn } from '#features/auth/registration.routes.ts'
import { resetPasswordOf } from '#features/auth/registration.sql.ts'
import { forgotPassword, resetPassword } from '#features/auth/reset.contract.ts'
import { forgotten } from '#features/auth/visitor-page.rules.ts'
import { insertAudit } from '#server/audit.sql.ts'
import type { Db } from '#server/db/pool.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { Api } from '#server/http/endpoint.ts'
import { networkOf } from '#server/http/visitors.ts'
import { forgetDevicesOf } from '#server/session/known-devices.sql.ts'
import { refuseWeakPassword } from '#server/session/password-policy.ts'
import { hashPassword } from '#server/session/passwords.ts'
import { spend } from '#server/session/rate-limit.sql.ts'
import { revokeSessionsOf } from '#server/session/session.sql.ts'
import type { Sessions } from '#server/session/sessions.ts'
import { hashToken } from '#server/session/tokens.ts'
import { authorOf } from '#server/writes.ts'

/** Registers the routes that reset a password, or set the first one of an account created by an administrator. */
export function resetRoutes(api: Api, db: Db, sessions: Sessions): void {
  for (const endpoint of [forgotPassword, { ...forgotPassword, path: '/auth/forgot-password' }]) {
    api.on(endpoint, async (call) => {
      await spend(db, `reset:address:${networkOf(call.request.ip)}`, perAddressAndHour)
      await sendResetLink.add(db, { email: call.body.email })
      return { message: forgotten }
    })
  }

  for (const endpoint of [resetPassword, { ...resetPassword, path: '/auth/reset-password' }]) {
    api.on(endpoint, async (call) => {
      const { token, password } = call.body
      await spend(db, `reset:link:${networkOf(call.request.ip)}`, perAddressAndHour)
      const hash = hashToken(token)
      const link = await findLink(db, hash, 'reset')
      if (!link?.is_current) throw deadLink()
      // Checked before the link is used, so that a refused password leaves the link valid.
      await refuseWeakPassword(password, [link.name, link.email])
      const passwordHash = await hashPassword(password)
      const userId = link.user_id
      await inTransaction(db, async (tx) => {
        const email = await spendLink(tx, hash, 'reset')
        const wasVerified = email && (await resetPasswordOf(tx, { userId, email }, passwordHash))
        if (wasVerified === undefined) throw deadLink()
        const ended = wasVerified ? undefined : await removeWaysIn(tx, userId)
        await revokeSessionsOf(tx, userId)
        await forgetDevicesOf(tx, userId)
        const author = { ...authorOf(call), actor: { userId, name: link.name } }
        await insertAudit(tx, author, {
          action: 'reset-password',
          entity: 'users',
          entityId: userId,
          after: ended,
        })
        await forgetFailures(tx, userId)
        await tellOwner.add(tx, { userId, news: 'password changed' })
      })
      sessions.drop(userId)
      return { message: 'Votre mot de passe est changé. Connectez-vous.' }
    })
  }
}
