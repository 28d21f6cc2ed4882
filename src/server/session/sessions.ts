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

const cachedForMs = 30_000
const mostCached = 20_000

export type TokenPair = { access: string; refresh: string }

/** What paid data rest on: a rule of a feature, given by main. */
export type AccessRule<Facts> = {
  /** About the account `u`, read with who bears a token. */
  facts: RawBuilder<Facts>
  /** Why they are closed at a moment, in words; null when they are open. */
  refusal: (facts: Facts, at: Date) => string | null
  /** How many calls its keys may make. */
  limits: (facts: Facts, at: Date, isExempt: boolean) => CallLimits
}

export type Sessions = ReturnType<typeof createSessions>

/**
 * Sessions and rights, cached in this process so that a check costs no query. Changes made here are followed at once
 * (`drop`), changes made elsewhere when PostgreSQL notifies them; nothing is cached while notifications may be lost.
 */
export function createSessions<Facts>(options: {
  db: Db
  listener: Listener
  access: AccessRule<Facts>
  /** Whether these permissions rest until a second factor is on. */
  demandsSecondFactor: (permissions: readonly string[]) => boolean
  /** What time it is, for access. */
  clock: () => Date
  /** Does work when its turn comes: invented tokens, however many, must not take the database from everybody else. */
  inTurn: <T>(work: () => Promise<T>) => Promise<T>
}) {
  const { db, listener, access, demandsSecondFactor, clock, inTurn } = options
  const cache = new Map<string, { bearer: Bearer<Facts>; until: number }>()
  // A look-up that began before a change must not be cached after it.
  let changes = 0
  const followers = new Set<(userId?: number) => void>()

  function drop(userId?: number): void {
    changes++
    for (const [key, { bearer }] of cache) {
      if (userId === undefined || bearer.user_id === userId) cache.delete(key)
    }
    for (const tell of followers) tell(userId)
  }

  listener.hear('access_changed', {
    onConnect: () => drop(),
    onNotification: (payload) => drop(payload === '*' ? undefined : Number(payload)),
  })

  /** @param isFresh asked anew, whatever is remembered */
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
    const { session_id, user_id, name, key } = bearer
    const isHeld = !bearer.has_second_factor && demandsSecondFactor(bearer.permissions)
    const permissions = isHeld ? [] : bearer.permissions
    const isExempt = permissions.includes('access.exempt')
    return {
      userId: user_id,
      sessionId: session_id,
      key,
      name,
      permissions: key
        ? permissions.filter((each) => each === 'access.exempt' || key.scopes.includes(each))
        : permissions,
      closed: access.refusal(bearer.access, clock()),
      limits: access.limits(bearer.access, clock(), isExempt),
    }
  }

  return {
    /** The user of a token that is cached, without asking the database. */
    userOf: (token: string): number | undefined => cache.get(keyOf(hashToken(token)))?.bearer.user_id,

    /** Forgets what is cached about a user, or about everybody. */
    drop,

    /**
     * For an answer that lasts: `tell` hears whose session or rights may have changed, nobody named meaning anybody's.
     *
     * @returns what to call to hear no more
     */
    onChange(tell: (userId?: number) => void): () => void {
      followers.add(tell)
      return () => followers.delete(tell)
    },

    async actorOf(token: string): Promise<Actor | null> {
      const isRemembered = cache.has(keyOf(hashToken(token)))
      const actor = actorFrom(await bearerOf(token))
      const isShut = actor && actor.closed !== null && !may(actor, 'access.exempt')
      // What opens the data does so at once: what is remembered may be older than the notification of it.
      return isShut && isRemembered ? actorFrom(await bearerOf(token, true)) : actor
    },

    /** Opens a session for a user who proved who he is. */
    async open(tx: Db, userId: number, client: string): Promise<TokenPair> {
      const pair = newPair()
      await insertTokens(tx, await insertSession(tx, userId, client), hashesOf(pair))
      return pair
    },

    /** Whether a refresh token opens a session, without using it. */
    isLive: (refresh: string): Promise<boolean> => isRefreshTokenLive(db, hashToken(refresh)),

    /**
     * Changes a refresh token for a new pair. It stays good until a token that it gave is used: the answer may be lost on
     * its way. After that, it revokes the whole family: somebody else has it.
     *
     * @returns null when the token opens nothing (any more)
     */
    async rotate(refresh: string, author: Author): Promise<(TokenPair & { userId: number }) | null> {
      const pair = newPair()
      const token = await rotateTokens(db, hashToken(refresh), hashesOf(pair), author)
      if (token?.is_good) return { userId: token.user_id, ...pair }
      if (token) drop(token.user_id)
      return null
    },

    /** Ends the session that a refresh or an access token belongs to. */
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
