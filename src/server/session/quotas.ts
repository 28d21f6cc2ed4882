import type { FastifyReply } from 'fastify'
import type { Db } from '#server/db/pool.ts'
import { AppError } from '#server/errors.ts'
import type { Actor, ApiKey } from '#server/http/actor.ts'
import type { Log } from '#server/log.ts'
import {
  addCalls,
  readUsage,
  returnLease,
  takeLease,
  type Window,
  windows,
} from '#server/session/quotas.sql.ts'

/** Maximum number of calls of an account's API keys per minute and per month. */
export type CallLimits = Record<Window, number>

/** A lease of this process: `granted` calls of a window, of which `left` are unspent. */
type Lease = {
  granted: number
  startsAt: string
  /** End of the window, by `performance.now()`. */
  endsAt: number
  left: number
  /** Calls that no process had leased when this lease was taken. */
  rest: number
  limit: number
  /** Last use, by `performance.now()`. */
  usedAt: number
}
type Account = Partial<Record<Window, Lease>>

/** Idle time (ms) after which a lease is returned, so that other processes can use it. */
const idleMs = 2_000

/** How long (ms) after a refusal the database is not asked again for a spent quota. */
const refusedForMs = 500

export type Quotas = ReturnType<typeof createQuotas>

/**
 * Creates quotas shared by all processes. Each process takes a lease from the database, spends it in memory, and
 * returns the rest when idle or stopping. A killed process loses its lease: the account gets fewer calls than its
 * quota, never more.
 */
export function createQuotas(
  db: Db,
  { log, inTurn }: { log: Log; inTurn: <T>(work: () => Promise<T>) => Promise<T> },
) {
  const accounts = new Map<number, Account>()
  const calls = new Map<number, number>()
  // A process takes one lease per account and window at a time; the calls that wait for it share it.
  const pending = new Map<string, Promise<void>>()

  async function take(account: Account, userId: number, window: Window, limit: number): Promise<void> {
    const now = performance.now()
    const held = account[window]
    delete account[window]
    if (held && held.endsAt > now && held.left > 0) await returnLease(db, userId, window, held)
    const { granted, used, startsAt, msLeft } = await inTurn(() => takeLease(db, userId, window, limit))
    // Measured from before the query, so the window ends slightly early here, never late.
    account[window] = {
      startsAt,
      endsAt: now + msLeft,
      granted,
      left: granted,
      rest: limit - used,
      limit,
      usedAt: now,
    }
  }

  /** Spends one call of a lease. It is counted in the turn of the event loop that finds it, so calls cannot race. */
  async function spendOne(userId: number, window: Window, limit: number): Promise<Lease> {
    for (let attempt = 0; ; attempt++) {
      const account = accounts.get(userId) ?? {}
      accounts.set(userId, account)
      const held = account[window]
      const isCurrent = held && held.endsAt > performance.now() && held.limit === limit
      if (isCurrent && held.left > 0) {
        held.left -= 1
        held.usedAt = performance.now()
        return held
      }
      // Not asked again right after a refusal: only another process could have returned calls since.
      const isSpent =
        isCurrent && held.granted === 0 && (attempt > 0 || held.usedAt > performance.now() - refusedForMs)
      if (isSpent) {
        throw new AppError('quota_exceeded', spent[window](limit), {
          retryAfterS: Math.max(1, (held.endsAt - performance.now()) / 1_000),
          limit: { name: window, hits: limit, windowS: seconds[window] },
        })
      }
      const key = `${userId} ${window}`
      const taking =
        pending.get(key) ?? take(account, userId, window, limit).finally(() => pending.delete(key))
      pending.set(key, taking)
      await taking
    }
  }

  /**
   * Spends one call of the minute and one of the month.
   *
   * @returns a function that refunds the call, for a response that does not count
   * @throws AppError 429 when either quota is spent
   */
  async function spend(
    { userId, limits, key }: Actor & { key: ApiKey },
    reply: FastifyReply,
  ): Promise<() => void> {
    const minute = await spendOne(userId, 'minute', limits.minute)
    const month = await spendOne(userId, 'month', limits.month).catch((error: unknown) => {
      minute.left += 1
      throw error
    })
    calls.set(key.id, (calls.get(key.id) ?? 0) + 1)
    const held = { minute, month }
    const of = (say: (window: Window) => string) => windows.map(say).join(', ')
    reply.header(
      'ratelimit-policy',
      of((window) => `"${window}";q=${limits[window]};w=${seconds[window]}`),
    )
    reply.header(
      'ratelimit',
      of((window) => {
        const { rest, left, endsAt } = held[window]
        return `"${window}";r=${rest + left};t=${Math.ceil((endsAt - performance.now()) / 1_000)}`
      }),
    )
    return () => {
      minute.left += 1
      month.left += 1
      calls.set(key.id, (calls.get(key.id) ?? 0) - 1)
    }
  }

  /** Returns idle leases (or all) to the database, and stores the counts of calls. */
  async function settle(isEverything = false): Promise<void> {
    const now = performance.now()
    for (const [userId, account] of accounts) {
      for (const window of windows) {
        const held = account[window]
        if (!held || (!isEverything && held.endsAt > now && held.usedAt > now - idleMs)) continue
        delete account[window]
        if (held.left > 0 && held.endsAt > now) await returnLease(db, userId, window, held)
      }
      if (windows.every((window) => !account[window])) accounts.delete(userId)
    }
    const made = [...calls].filter(([, count]) => count > 0)
    calls.clear()
    await addCalls(
      db,
      made.map(([keyId, count]) => ({ keyId, calls: count })),
    )
  }

  let settling = Promise.resolve()
  const timer = setInterval(() => {
    if (accounts.size === 0 && calls.size === 0) return
    settling = settling.then(() => settle()).catch((err) => log.warn({ err }, 'quotas were not settled'))
  }, idleMs).unref()

  return {
    spend,
    settle: () => settle(),

    /** Reads the usage of the current windows, the latest calls of this process included. */
    async usageOf(userId: number): Promise<Awaited<ReturnType<typeof readUsage>>> {
      await settle()
      const held = accounts.get(userId)
      const usage = await readUsage(db, userId)
      return usage.map((each) => ({ ...each, used: each.used - (held?.[each.window]?.left ?? 0) }))
    },

    async close(): Promise<void> {
      clearInterval(timer)
      await settling
      await settle(true).catch((err) => log.warn({ err }, 'leases were not given back'))
    },
  }
}

// Window lengths (s) for headers; a month is given as 31 days.
const seconds: Record<Window, number> = { minute: 60, month: 31 * 24 * 3600 }

const count = new Intl.NumberFormat('fr-FR')
const spent: Record<Window, (hits: number) => string> = {
  minute: (hits) => `Vos clés ont fait les ${count.format(hits)} appels de cette minute.`,
  month: (hits) => `Vos clés ont fait les ${count.format(hits)} appels de ce mois.`,
}
