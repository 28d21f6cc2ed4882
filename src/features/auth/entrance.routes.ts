import type { CookieSerializeOptions } from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { OpenedSession } from '#features/auth/auth.contract.ts'
import { signedInCookie } from '#features/auth/auth.rules.ts'
import { getIdentity, markSignedIn } from '#features/auth/auth.sql.ts'
import { signInMail } from '#features/auth/mails.rules.ts'
import { isWanted } from '#features/auth/notifications/notifications.sql.ts'
import { insertAudit } from '#server/audit.sql.ts'
import type { Db } from '#server/db/pool.ts'
import { queueMail } from '#server/mail/mail.ts'
import type { Sessions } from '#server/session/sessions.ts'
import { refreshLifetimeS } from '#server/session/tokens.ts'
import { authorOf } from '#server/writes.ts'

export type Entrance = ReturnType<typeof createEntrance>

/** The one door by which people get in, whatever they showed to prove who they are. */
export function createEntrance(
  db: Db,
  sessions: Sessions,
  options: { isHttps: boolean; demandsSecondFactor: (permissions: readonly string[]) => boolean },
) {
  const cookie = refreshCookie(options.isHttps)

  /** A user as his own browser needs him, with the permissions that he has at the moment. */
  async function identityOf(userId: number) {
    const { hasSecondFactor, user, ...identity } = await getIdentity(db, userId)
    const needsSecondFactor = !hasSecondFactor && options.demandsSecondFactor(user.permissions)
    const permissions = needsSecondFactor ? [] : user.permissions
    return { ...identity, user: { ...user, permissions, needsSecondFactor } }
  }

  return {
    cookie,
    identityOf,

    /** Whether the browser that asks would be given a session for its cookie. */
    async isSignedIn(request: FastifyRequest): Promise<boolean> {
      const refresh = cookie.read(request)
      return refresh !== undefined && sessions.isLive(refresh)
    },

    /**
     * Opens a session for a user who has proved who he is, in place of the one that his browser had. A second factor,
     * where the account has one, must have been asked for before.
     *
     * @param how what he proved it by, for the audit
     */
    async open(
      call: { request: FastifyRequest; reply: FastifyReply },
      userId: number,
      how: 'password' | 'google',
    ): Promise<OpenedSession> {
      const { request, reply } = call
      const { subscriptions, ...who } = await identityOf(userId)
      const actor = { userId, name: who.user.name }
      const former = cookie.read(request)
      const author = authorOf({ actor: null, request })
      if (former) await sessions.end({ refresh: former, access: undefined }, author)
      const pair = await db.transaction().execute(async (tx) => {
        await markSignedIn(tx, userId)
        const entry = { action: 'sign-in', entity: 'session', entityId: userId, after: { by: how } }
        await insertAudit(tx, { ...author, actor }, entry)
        const client = (request.headers['user-agent'] ?? '').slice(0, 300)
        if (await isWanted(tx, userId, 'sign-ins')) {
          await queueMail(tx, { to: who.user.email, content: signInMail(who.user, client, new Date()) })
        }
        return sessions.open(tx, userId, client)
      })
      cookie.set(reply, pair.refresh)
      return {
        ...who,
        token: pair.access,
        subscription: subscriptions[0] ?? null,
        allSubscriptions: subscriptions,
        message: 'Connexion réussie',
      }
    },
  }
}

function refreshCookie(isHttps: boolean) {
  const name = isHttps ? '__Host-ntalo_refresh' : 'ntalo_refresh'
  const options: CookieSerializeOptions = { path: '/', httpOnly: true, sameSite: 'lax', secure: isHttps }
  const readable = { ...options, httpOnly: false }
  return {
    read: (request: FastifyRequest) => request.cookies[name],
    set: (reply: FastifyReply, token: string) =>
      reply
        .setCookie(name, token, { ...options, maxAge: refreshLifetimeS })
        .setCookie(signedInCookie, '1', { ...readable, maxAge: refreshLifetimeS }),
    clear: (reply: FastifyReply) => reply.clearCookie(name, options).clearCookie(signedInCookie, readable),
  }
}
