import type { RawBuilder } from 'kysely'
import { type Author, insertAudit } from '#server/audit.sql.ts'
import type { Listener } from '#server/db/listener.ts'
import type { Db } from '#server/db/pool.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { type Actor, may } from '#server/http/actor.ts'
import { isApiKey } from '#server/session/api-keys.ts'
import type { CallLimits } from '#server/session/quotas.ts'
import {
  type Bearer,
  findBearer,
  findKeyBearer,
  findSessionOfRefreshToken,
  insertSession,
  insertTokens,
  isRefreshTokenLive,
  revokeSession,
  rotateTokens,
} from '#server/session/session.sql.ts'
import { hashToken, newToken } from '#server/session/tokens.ts'
import { permissionsOnDevice } from '#shared/permissions.ts'

const cachedForMs = 30_000
const mostCached = 20_000

export type TokenPair = { access: string; refresh: string }

/** Rule for access to paid data, defined by a feature and passed by main. */
export type AccessRule<Facts> = {
  /** SQL expression about the account `u`, read with the bearer of a token. */
  facts: RawBuilder<Facts>
  /** Returns why the account has no access at an instant, in French; null when it has access. */
  refusal: (facts: Facts, at: Date) => string | null
  /** Returns the call quotas of the account's API keys. */
  limits: (facts: Facts, at: Date, isExempt: boolean) => CallLimits
}

export type Sessions = ReturnType<typeof createSessions>

/**
 * Sessions and rights, cached in this process so that a check needs no query. Changes by this process invalidate the
 * cache at once (`drop`), changes by others on a PostgreSQL notification; the cache is not used while notifications may
 * be lost.
 */
export function createSessions<Facts>(options: {
  db: Db
  listener: Listener
  access: AccessRule<Facts>
  /** Whether these permissions are suspended until the account has a second factor. */
  demandsSecondFactor: (permissions: readonly string[]) => boolean
  /** Current time, for access to paid data. */
  clock: () => Date
  /** Queues look-ups, so that many invalid tokens do not block the database for others. */
  inTurn: <T>(work: () => Promise<T>) => Promise<T>
}) {
  const { db, listener, access, demandsSecondFactor, clock, inTurn } = options
  const cache = new Map<string, { bearer: Bearer<Facts>; until: number }>()
  // A look-up started before a change must not be cached after it.
  let changes = 0
  const followers = new Set<(userId?: number) => void>()

  function drop(userId?: number): void {
    changes++
    for (const [key, { bearer }] of cache) {
      if (userId === undefined || bearer.user_id === userId) cache.delete(key)
    }
    for (const tell of followers) tell(userId)
  }

  listener.subscribe('access_changed', {
    onConnect: () => drop(),
    onNotification: (payload) => drop(payload === '*' ? undefined : Number(payload)),
  })

  /** @param isFresh bypasses the cache */
  async function bearerOf(token: string, isFresh = false): Promise<Bearer<Facts> | undefined> {
    const hash = hashToken(token)
    const key = keyOf(hash)
    const now = Date.now()
    const cached = cache.get(key)
    if (cached && !isFresh && cached.until > now && listener.isConnected()) {
      return cached.bearer
    }
    const before = changes
    const find = isApiKey(token) ? findKeyBearer : findBearer
    const bearer = await inTurn(() => find(db, hash, access.facts))
    if (bearer && before === changes && listener.isConnected()) {
      if (cache.size >= mostCached) cache.clear()
      cache.set(key, { bearer, until: Math.min(now + cachedForMs, Date.parse(bearer.expires_at)) })
    }
    return bearer
  }

  function actorFrom(bearer: Bearer<Facts> | undefined): Actor | null {
    if (!bearer) return null
    const { session_id, user_id, name, key, is_device: isDevice } = bearer
    const isHeld = !bearer.has_second_factor && demandsSecondFactor(bearer.permissions)
    const permissions = isHeld ? [] : isDevice ? permissionsOnDevice(bearer.permissions) : bearer.permissions
    const isExempt = permissions.includes('access.exempt')
    return {
      userId: user_id,
      sessionId: session_id,
      key,
      isDevice,
      name,
      permissions: key
        ? permissions.filter((each) => each === 'access.exempt' || key.scopes.includes(each))
        : permissions,
      noAccessReason: access.refusal(bearer.access, clock()),
      limits: access.limits(bearer.access, clock(), isExempt),
    }
  }

  return {
    /** Returns the user id of a cached token, without a query. */
    userOf: (token: string): number | undefined => cache.get(keyOf(hashToken(token)))?.bearer.user_id,

    /** Invalidates the cache of a user, or of all users. */
    drop,

    /**
     * Subscribes a long response to changes of sessions and rights: `tell` gets the user's id, or undefined for all
     * users.
     *
     * @returns a function that unsubscribes
     */
    onChange(tell: (userId?: number) => void): () => void {
      followers.add(tell)
      return () => followers.delete(tell)
    },

    async actorOf(token: string): Promise<Actor | null> {
      const isRemembered = cache.has(keyOf(hashToken(token)))
      const actor = actorFrom(await bearerOf(token))
      const isDenied = actor && actor.noAccessReason !== null && !may(actor, 'access.exempt')
      // Reads again when the cache denies access: new access takes effect at once, even before its notification
      // arrives.
      return isDenied && isRemembered ? actorFrom(await bearerOf(token, true)) : actor
    },

    /** Opens a session for an authenticated user. */
    async open(tx: Db, userId: number, client: string): Promise<TokenPair> {
      const pair = newPair()
      await insertTokens(tx, await insertSession(tx, userId, client), hashesOf(pair))
      return pair
    },

    /** Whether a refresh token is valid, without using it. */
    isLive: (refresh: string): Promise<boolean> => isRefreshTokenLive(db, hashToken(refresh)),

    /**
     * Exchanges a refresh token for a new pair. The token stays valid until a refresh token of the new pair is used, in
     * case the response is lost. Its use after that revokes the session, because it is then assumed stolen.
     *
     * @returns null when the token is not, or no longer, valid
     */
    async rotate(refresh: string, author: Author): Promise<(TokenPair & { userId: number }) | null> {
      const pair = newPair()
      const token = await rotateTokens(db, hashToken(refresh), hashesOf(pair), author)
      if (token?.is_good) return { userId: token.user_id, ...pair }
      if (token) drop(token.user_id)
      return null
    },

    /** Revokes the session of a refresh or an access token. */
    async end(
      tokens: { refresh: string | undefined; access: string | undefined },
      author: Author,
    ): Promise<void> {
      const bearer = tokens.access ? await bearerOf(tokens.access) : undefined
      const owner = tokens.refresh
        ? await findSessionOfRefreshToken(db, hashToken(tokens.refresh))
        : undefined
      const ids = new Set([bearer?.session_id, owner?.id].filter((id) => id !== undefined && id !== null))
      await inTransaction(db, async (tx) => {
        for (const id of ids) {
          const userId = await revokeSession(tx, id)
          if (userId === undefined) continue
          const entry = { action: 'sign-out', entity: 'session', entityId: userId }
          await insertAudit(tx, { ...author, actor: { userId } }, entry)
        }
      })
      drop(bearer?.user_id ?? owner?.user_id)
    },
  }
}

const keyOf = (hash: Buffer) => hash.toString('base64')

function newPair(): TokenPair {
  return { access: newToken(), refresh: newToken() }
}

function hashesOf({ access, refresh }: TokenPair) {
  return { access: hashToken(access), refresh: hashToken(refresh) }
}
