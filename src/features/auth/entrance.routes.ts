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
import { deviceLifetimeS, isKnownDevice, rememberDevice } from '#server/session/known-devices.sql.ts'
import type { Sessions } from '#server/session/sessions.ts'
import { hashToken, newToken, refreshLifetimeS } from '#server/session/tokens.ts'
import { authorOf } from '#server/writes.ts'

export type Entrance = ReturnType<typeof createEntrance>

/** Creates the single entry point that opens sessions, by whatever means the user was authenticated. */
export function createEntrance(
  db: Db,
  sessions: Sessions,
  options: { isHttps: boolean; demandsSecondFactor: (permissions: readonly string[]) => boolean },
) {
  const cookie = refreshCookie(options.isHttps)
  const device = deviceCookie(options.isHttps)

  /** Returns a user as their own browser needs it, with the permissions of the moment. */
  async function identityOf(userId: number) {
    const { hasSecondFactor, user, ...identity } = await getIdentity(db, userId)
    const needsSecondFactor = !hasSecondFactor && options.demandsSecondFactor(user.permissions)
    const permissions = needsSecondFactor ? [] : user.permissions
    return { ...identity, user: { ...user, permissions, needsSecondFactor } }
  }

  return {
    cookie,
    identityOf,

    /** Returns the hash of the cookie that identifies a browser. */
    deviceOf: (request: FastifyRequest): Buffer | null => {
      const token = device.read(request)
      return token ? hashToken(token) : null
    },

    /** Returns the browser's device in base64url if the user signed in with it before. */
    async knownDeviceOf(request: FastifyRequest, userId: number): Promise<string | null> {
      const hash = hashToken(device.read(request) ?? '')
      return (await isKnownDevice(db, hash, userId)) ? hash.toString('base64url') : null
    },

    /** Returns whether the cookie of the request is worth a session. */
    async isSignedIn(request: FastifyRequest): Promise<boolean> {
      const refresh = cookie.read(request)
      return refresh !== undefined && sessions.isLive(refresh)
    },

    /**
     * Opens a session for an authenticated user, replacing the one of their browser. The second factor, if any, must
     * have been checked before.
     * @param how the means of authentication, for the audit
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
      // Several users may share a browser: its device cookie stays the same, unless we do not know it.
      const brought = device.read(request)
      const isOurs = brought !== undefined && (await isKnownDevice(db, hashToken(brought)))
      const deviceToken = isOurs ? brought : newToken()
      if (former) await sessions.end({ refresh: former, access: undefined }, author)
      const pair = await db.transaction().execute(async (tx) => {
        await markSignedIn(tx, userId)
        const entry = { action: 'sign-in', entity: 'session', entityId: userId, after: { by: how } }
        await insertAudit(tx, { ...author, actor }, entry)
        const client = (request.headers['user-agent'] ?? '').slice(0, 300)
        // An unconfirmed address may be a stranger's, whose owner did not choose this mail.
        if (who.user.email_verified && (await isWanted(tx, userId, 'sign-ins'))) {
          await queueMail(tx, { to: who.user.email, content: signInMail(who.user, client, new Date()) })
        }
        await rememberDevice(tx, userId, hashToken(deviceToken))
        return sessions.open(tx, userId, client)
      })
      cookie.set(reply, pair.refresh)
      device.set(reply, deviceToken)
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

function deviceCookie(isHttps: boolean) {
  const name = isHttps ? '__Host-ntalo_device' : 'ntalo_device'
  return {
    read: (request: FastifyRequest) => request.cookies[name],
    set: (reply: FastifyReply, token: string) =>
      reply.setCookie(name, token, {
        path: '/',
        httpOnly: true,
        sameSite: 'lax',
        secure: isHttps,
        maxAge: deviceLifetimeS,
      }),
  }
}
