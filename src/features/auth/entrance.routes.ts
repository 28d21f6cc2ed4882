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

/** The one door by which people get in, whatever they showed to prove who they are. */
export function createEntrance(
  db: Db,
  sessions: Sessions,
  options: { isHttps: boolean; demandsSecondFactor: (permissions: readonly string[]) => boolean },
) {
  const cookie = refreshCookie(options.isHttps)
  const device = deviceCookie(options.isHttps)

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

    /** The hash of the cookie that recognises a browser. */
    deviceOf: (request: FastifyRequest): Buffer | null => {
      const token = device.read(request)
      return token ? hashToken(token) : null
    },

    /** The device that asks, in letters, when a user signed in with it before. */
    async knownDeviceOf(request: FastifyRequest, userId: number): Promise<string | null> {
      const hash = hashToken(device.read(request) ?? '')
      return (await isKnownDevice(db, hash, userId)) ? hash.toString('base64url') : null
    },

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
      // Several people may use one browser: its cookie stays the same, unless it is none of ours.
      const brought = device.read(request)
      const isOurs = brought !== undefined && (await isKnownDevice(db, hashToken(brought)))
      const deviceToken = isOurs ? brought : newToken()
      if (former) await sessions.end({ refresh: former, access: undefined }, author)
      const pair = await db.transaction().execute(async (tx) => {
        await markSignedIn(tx, userId)
        const entry = { action: 'sign-in', entity: 'session', entityId: userId, after: { by: how } }
        await insertAudit(tx, { ...author, actor }, entry)
        const client = (request.headers['user-agent'] ?? '').slice(0, 300)
        if (await isWanted(tx, userId, 'sign-ins')) {
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
