import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { login, logout, me, refresh } from '#features/auth/auth.contract.ts'
import { statusRefusals } from '#features/auth/auth.rules.ts'
import { findCredentials, renewPasswordHash } from '#features/auth/auth.sql.ts'
import type { Entrance } from '#features/auth/entrance.routes.ts'
import { insertAudit } from '#server/audit.sql.ts'
import type { Db } from '#server/db/pool.ts'
import { AppError } from '#server/errors.ts'
import type { Authenticate } from '#server/http/actor.ts'
import { type Api, signedIn } from '#server/http/endpoint.ts'
import { keyOf } from '#server/http/keys.ts'
import { networkOf } from '#server/http/visitors.ts'
import { hashPassword, isOutdated, verifyPassword } from '#server/session/passwords.ts'
import { proveSecondFactor } from '#server/session/proof.ts'
import { refundHit, resetCounters, resetCountersUnder, spend } from '#server/session/rate-limit.sql.ts'
import type { Sessions } from '#server/session/sessions.ts'
import { authorOf } from '#server/writes.ts'
import { dayS } from '#shared/days.ts'

const perAccount = { hits: 10, windowS: 15 * 60, grows: true }
/** Limit of failures in a row, at any speed and from any number of networks (NIST SP 800-63B-4, section 3.2.2). */
const inARow = {
  hits: 100,
  windowS: 365 * dayS,
  refusal:
    'Trop d’échecs de suite pour cette adresse\u00a0: choisissez un nouveau mot de passe par «\u202fMot de passe oublié\u202f».',
}
/** Limit of session renewals: reached only by a faulty program, or many tabs for hours, never by normal use. */
const perSignedIn = { hits: 1_000, windowS: 15 * 60 }
const perAddress = { hits: 100, windowS: 15 * 60 }

const wrongCredentials = () => new AppError('unauthenticated', 'Email ou mot de passe incorrect')

/** Registers the routes that sign in with a password, renew a session, and sign out. */
export function authRoutes(api: Api, db: Db, sessions: Sessions, entrance: Entrance): void {
  api.on(login, async (call) => {
    const { email, password } = call.body
    const credentials = await findCredentials(db, email)
    // Counted by account id: letters that PostgreSQL folds and JavaScript does not would open a second count for the
    // same account.
    const account = credentials?.id ?? digest(email.toLowerCase())
    const network = networkOf(call.request.ip)
    // A known browser has its own allowance, so that strangers' failures do not lock the owner out.
    const device = await entrance.knownDeviceOf(call.request, credentials?.id ?? 0)
    const counts = device
      ? [
          { key: `${signInKeys.device}:${account}:${device}`, budget: perAccount },
          { key: `${signInKeys.inARow}:${account}:${device}`, budget: inARow },
        ]
      : [
          { key: `${signInKeys.account}:${account}:${network}`, budget: perAccount },
          { key: `${signInKeys.inARow}:${account}`, budget: inARow },
        ]
    const addressKey = device ? null : `sign-in:address:${network}`
    // Counted before the password is checked, so that parallel guesses cannot exceed the limit; refunded on success.
    if (addressKey) await spend(db, addressKey, perAddress)
    for (const { key, budget } of counts) await spend(db, key, budget)

    const isRight = await verifyPassword(credentials?.password_hash ?? null, password)
    const noteRefusal = () =>
      insertAudit(db, authorOf(call), {
        action: 'sign-in-refused',
        entity: 'session',
        entityId: credentials?.id ?? null,
      })
    if (!credentials || !isRight) {
      await noteRefusal()
      throw wrongCredentials()
    }
    if (credentials.status !== 'ACTIVE') {
      await noteRefusal()
      throw new AppError('forbidden', statusRefusals[credentials.status] ?? 'Ce compte n’est pas actif.')
    }
    // The password is right; no session is open yet.
    try {
      await proveSecondFactor(db, credentials.id, call.body.code, device)
    } catch (error) {
      if (call.body.code) await noteRefusal()
      throw error
    }
    const opened = await entrance.open(call, credentials.id, 'password')
    await resetCounters(db, ...counts.map(({ key }) => key), `${signInKeys.inARow}:${account}`)
    if (addressKey) await refundHit(db, addressKey)
    const { password_hash: stored } = credentials
    if (stored && isOutdated(stored)) {
      await renewPasswordHash(db, credentials.id, stored, await hashPassword(password))
    }
    return opened
  })

  api.on(me, async ({ actor }) => {
    const { subscriptions, ...who } = await entrance.identityOf(signedIn(actor).userId)
    return { ...who, subscription: subscriptions[0] ?? null }
  })

  for (const endpoint of [refresh, { ...refresh, path: '/auth/refresh' }]) {
    api.on(endpoint, async (call) => {
      const { request, reply } = call
      const old = entrance.cookie.read(request)
      const pair = old ? await sessions.rotate(old, authorOf(call)) : null
      if (!pair) {
        entrance.cookie.clear(reply)
        if (old) await spend(db, `refresh:address:${networkOf(request.ip)}`, perAddress)
        throw new AppError('unauthenticated', 'Votre session est terminée. Connectez-vous à nouveau.')
      }
      // The request's cookie stays valid, so a user refused here can retry later.
      await spend(db, `refresh:account:${pair.userId}`, perSignedIn)
      entrance.cookie.set(reply, pair.refresh)
      const { subscriptions, ...who } = await entrance.identityOf(pair.userId)
      return { ...who, token: pair.access, subscription: subscriptions[0] ?? null }
    })
  }

  api.on(logout, async (call) => {
    const { request, reply } = call
    const tokens = { refresh: entrance.cookie.read(request), access: bearerToken(request.headers) }
    await sessions.end(tokens, authorOf(call))
    entrance.cookie.clear(reply)
    return { message: 'Déconnexion réussie' }
  })
}

/** Keys that failures to sign in are counted under, followed by the account, then the network or the device. */
const signInKeys = {
  account: 'sign-in:account',
  device: 'sign-in:device',
  inARow: 'sign-in:in-a-row',
}

/** Resets all counts of failures to sign in to an account. */
export async function forgetFailures(tx: Db, userId: number): Promise<void> {
  for (const key of Object.values(signInKeys)) await resetCountersUnder(tx, `${key}:${userId}`)
}

/** Returns a function that reads the token or API key of a request and finds its user. */
export function authenticator(sessions: Sessions): Authenticate {
  return async (request) => {
    const token = credentialOf(request.headers)
    return token ? sessions.actorOf(token) : null
  }
}

/** Returns a function that identifies the user of a request, if a recent request has cached it. */
export function recogniser(sessions: Sessions) {
  return ({ headers }: IncomingMessage): number | undefined => {
    const token = credentialOf(headers)
    return token ? sessions.userOf(token) : undefined
  }
}

// Spreadsheets cannot set headers, so a key is also accepted as the user name of Basic authentication.
function credentialOf(headers: IncomingHttpHeaders): string | undefined {
  return bearerToken(headers) ?? keyOf(headers)
}

function bearerToken({ authorization }: IncomingHttpHeaders): string | undefined {
  return /^Bearer ([\w-]{43})$/i.exec(authorization ?? '')?.[1]
}

function digest(value: string): string {
  return createHash('sha256').update(value).digest('base64url')
}
