import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { CookieSerializeOptions } from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { login, logout, me, refresh } from '#features/auth/auth.contract.ts'
import { signedInCookie, statusRefusals } from '#features/auth/auth.rules.ts'
import { findCredentials, getIdentity, markSignedIn } from '#features/auth/auth.sql.ts'
import { insertAudit } from '#server/audit.sql.ts'
import type { Db } from '#server/db/pool.ts'
import { AppError } from '#server/errors.ts'
import type { Authenticate } from '#server/http/actor.ts'
import { type Api, signedIn } from '#server/http/endpoint.ts'
import { verifyPassword } from '#server/session/passwords.ts'
import { forget, giveBack, spend } from '#server/session/rate-limit.sql.ts'
import type { Sessions } from '#server/session/sessions.ts'
import { refreshLifetimeS } from '#server/session/tokens.ts'
import { authorOf } from '#server/writes.ts'

const perAccount = { hits: 10, windowS: 15 * 60 }
const perAddress = { hits: 100, windowS: 15 * 60 }

const wrongCredentials = () => new AppError('unauthenticated', 'Email ou mot de passe incorrect')

export function authRoutes(api: Api, db: Db, sessions: Sessions, isHttps: boolean): void {
  const cookie = refreshCookie(isHttps)

  api.on(login, async (call) => {
    const { email, password } = call.body
    const known = await findCredentials(db, email)
    // By its id: letters that PostgreSQL folds and JavaScript does not would open another count for the same account.
    const accountKey = `sign-in:account:${known?.id ?? digest(email.toLowerCase())}`
    const addressKey = `sign-in:address:${call.request.ip}`
    // Counted before the answer is known, so that parallel guesses cannot outrun the count; given back on success.
    await spend(db, addressKey, perAddress)
    await spend(db, accountKey, perAccount)

    const isRight = await verifyPassword(known?.password_hash ?? null, password)
    if (!known || !isRight) {
      await insertAudit(db, authorOf(call), {
        action: 'sign-in-refused',
        entity: 'session',
        entityId: known?.id ?? null,
      })
      throw wrongCredentials()
    }
    if (known.status !== 'ACTIVE') {
      throw new AppError('forbidden', statusRefusals[known.status] ?? 'Ce compte n’est pas actif.')
    }

    const identity = await getIdentity(db, known.id)
    const actor = { userId: known.id, name: identity.user.name }
    const pair = await db.transaction().execute(async (tx) => {
      await markSignedIn(tx, known.id)
      await insertAudit(
        tx,
        { ...authorOf(call), actor },
        { action: 'sign-in', entity: 'session', entityId: known.id },
      )
      return sessions.open(tx, known.id, clientOf(call.request))
    })
    await forget(db, accountKey)
    await giveBack(db, addressKey)
    cookie.set(call.reply, pair.refresh)
    const { subscriptions, ...who } = identity
    return {
      ...who,
      token: pair.access,
      subscription: subscriptions[0] ?? null,
      allSubscriptions: subscriptions,
      message: 'Connexion réussie',
    }
  })

  api.on(me, async ({ actor }) => {
    const { subscriptions, ...who } = await getIdentity(db, signedIn(actor).userId)
    return { ...who, subscription: subscriptions[0] ?? null }
  })

  for (const endpoint of [refresh, { ...refresh, path: '/auth/refresh' }]) {
    api.on(endpoint, async ({ request, reply }) => {
      const old = cookie.read(request)
      const pair = old ? await sessions.rotate(old, clientOf(request)) : null
      if (!pair) {
        cookie.clear(reply)
        throw new AppError('unauthenticated', 'Votre session est terminée. Connectez-vous à nouveau.')
      }
      cookie.set(reply, pair.refresh)
      const { subscriptions, ...who } = await getIdentity(db, pair.userId)
      return { ...who, token: pair.access, subscription: subscriptions[0] ?? null }
    })
  }

  api.on(logout, async ({ request, reply }) => {
    await sessions.end({ refresh: cookie.read(request), access: bearerToken(request.headers) })
    cookie.clear(reply)
    return { message: 'Déconnexion réussie' }
  })
}

/** Reads the bearer token of a request and finds who holds it. */
export function authenticator(sessions: Sessions): Authenticate {
  return async (request) => {
    const token = bearerToken(request.headers)
    return token ? sessions.actorOf(token) : null
  }
}

/** Tells who asks, when he asked a moment ago. */
export function recogniser(sessions: Sessions) {
  return ({ headers }: IncomingMessage): number | undefined => {
    const token = bearerToken(headers)
    return token ? sessions.userOf(token) : undefined
  }
}

function bearerToken({ authorization }: IncomingHttpHeaders): string | undefined {
  return /^Bearer ([\w-]{43})$/i.exec(authorization ?? '')?.[1]
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

// Enough to tell one's own browser from another's, and nothing that could be read back.
function clientOf(request: FastifyRequest): string {
  return digest(request.headers['user-agent'] ?? '')
}

function digest(value: string): string {
  return createHash('sha256').update(value).digest('base64url')
}
