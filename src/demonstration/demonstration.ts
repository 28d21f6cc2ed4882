import {
  type DemonstrationUser,
  insertHistory,
  insertPaidPlans,
  insertUsers,
  isEmpty,
  waitForOtherLoads,
} from '#demonstration/accounts.sql.ts'
import { isoDay, periodUpTo } from '#demonstration/calendar.ts'
import { demonstrationRates } from '#demonstration/exchange-rates.ts'
import { accounts, collectors, demonstrationPassword } from '#demonstration/facts/people.ts'
import { insertFieldWork } from '#demonstration/field-work.sql.ts'
import {
  analyze,
  copyPrices,
  hasCatalogue,
  insertCatalogue,
  insertMarkets,
  insertRates,
} from '#demonstration/figures.sql.ts'
import { idOf } from '#demonstration/ids.ts'
import { demonstrationQuotes } from '#demonstration/quotes.ts'
import { randomStream } from '#demonstration/random.ts'
import { referencePrices } from '#demonstration/reference-prices.ts'
import { accountSubscription, demonstrationSubscribers } from '#demonstration/subscribers.ts'
import { issueMissing } from '#features/invoices/invoices.sql.ts'
import { demonstrationKey } from '#features/keys/keys.rules.ts'
import { insertKey } from '#features/keys/keys.sql.ts'
import { monthlyBulletin, nextInstant } from '#features/reports/reports.rules.ts'
import { insertUserReport } from '#features/reports/reports.sql.ts'
import { insertAudit } from '#server/audit.sql.ts'
import { type Bulk, inBulkTransaction } from '#server/db/bulk-transaction.ts'
import type { Database, Db } from '#server/db/pool.ts'
import { markDemonstration } from '#server/installation.sql.ts'
import { visibleEnds } from '#server/session/api-keys.ts'
import { hashPassword } from '#server/session/passwords.ts'
import { hashToken } from '#server/session/tokens.ts'
import { latestVersion } from '#shared/api-versions.ts'
import { dayMs, hourMs } from '#shared/days.ts'

type Options = {
  log: { info(message: string): void }
  /** Last day of the data; every other date is relative to it. The current time when absent. */
  today?: Date
  /** Number of prices collected before that day. */
  prices?: number
}

const allPrices = 300_000

/**
 * Loads the demonstration accounts and data into a database without any account; otherwise does nothing. Everything is
 * loaded in one transaction: a process killed during the load leaves the database empty. When an import has already
 * created a catalogue, only accounts and plans are loaded, so that made-up prices never mix with real ones.
 */
export async function loadDemonstration(pool: Database['pool'], options: Options): Promise<void> {
  const { log, today: now = new Date(), prices = allPrices } = options
  const startedAt = performance.now()
  await inBulkTransaction(pool, async (bulk) => {
    const { tx } = bulk
    await waitForOtherLoads(tx)
    if (!(await isEmpty(tx))) return
    const passwordHashes = await hashesPerAccount()
    const isFirst = !(await hasCatalogue(tx))
    if (isFirst) log.info('Chargement des données de démonstration…')

    const userIds = await insertUsers(tx, [
      ...accountUsers(now, passwordHashes),
      ...(isFirst ? otherCollectors(now) : []),
    ])
    const planIds = await insertPaidPlans(tx, new Date(periodUpTo(now).first * dayMs))
    for (const [email, userId] of userIds) {
      const account = accounts.find((each) => each.email === email)
      const subscription = account && accountSubscription(email, createdAt(account.ageDays, now), now)
      if (subscription) await insertHistory(tx, userId, planIds, subscription)
    }
    if (isFirst) await insertSubscribers(tx, planIds, now)
    await issueMissing(tx)
    if (!isFirst) return
    await insertPublicKey(tx, planIds, now)
    const count = await insertPrices(bulk, userIds, now, prices)
    const agents = collectors.filter(({ role }) => role === 'agent')
    await insertFieldWork(
      tx,
      agents.flatMap(({ email }) => userIds.get(email) ?? []),
    )
    await insertBulletin(tx, idOf(userIds, 'abonne@ntalo.cd'), now)
    await markDemonstration(tx)
    await insertAudit(
      tx,
      { actor: null, requestId: null },
      { action: 'import', entity: 'prices', after: { demonstration: true, prices: count } },
    )
    await analyze(tx)
    const seconds = (performance.now() - startedAt) / 1000
    log.info(`Données de démonstration chargées : ${french(count)} prix en ${french(seconds)}\u00a0s.`)
  })
}

/** Inserts the subscriber's monthly bulletin, ready to be sent once the subscriber adds recipients. */
async function insertBulletin(tx: Db, userId: number, now: Date): Promise<void> {
  const { title, blocks, schedule } = monthlyBulletin()
  const nextAt = schedule && nextInstant(schedule, now)
  await insertUserReport(tx, userId, { title, blocks, schedule, nextAt })
}

async function insertPrices(
  bulk: Bulk,
  users: Map<string, number>,
  now: Date,
  prices: number,
): Promise<number> {
  const { tx } = bulk
  const period = periodUpTo(now)
  const openedAt = new Date(period.first * dayMs)
  const products = await insertCatalogue(tx, openedAt, referencePrices(period))
  const markets = await insertMarkets(tx, openedAt)
  // Inserted before the prices, because the weekly aggregates convert prices in dollars with these rates.
  await insertRates(
    tx,
    demonstrationRates(period).map((rate, i) => ({ day: isoDay(period.first + i), rate })),
  )
  return copyPrices(bulk, demonstrationQuotes(now, prices), { products, markets, users })
}

async function insertSubscribers(tx: Db, planIds: Map<string, number>, now: Date): Promise<void> {
  const subscribers = demonstrationSubscribers(now)
  const ids = await insertUsers(
    tx,
    subscribers.map((subscriber) => ({
      ...subscriber,
      passwordHash: null,
      firstSignedInAt: subscriber.createdAt,
      updatedAt: subscriber.createdAt,
    })),
  )
  for (const { email, subscriptions } of subscribers) {
    const userId = ids.get(email)
    if (userId === undefined) continue
    for (const subscription of subscriptions) await insertHistory(tx, userId, planIds, subscription)
  }
}

/** Inserts the public API key: its account has no password and no data, and has the quota of the smallest plan. */
async function insertPublicKey(tx: Db, planIds: Map<string, number>, now: Date): Promise<void> {
  const email = 'api@ntalo.cd'
  const account = { email, name: 'Clé de la démonstration', role: 'user', location: 'Kinshasa' }
  const never = { passwordHash: null, firstSignedInAt: now, createdAt: now, updatedAt: now }
  const userId = idOf(await insertUsers(tx, [{ ...account, ...never }]), email)
  const endDate = new Date(now.getTime() + 20 * 365 * dayMs)
  const subscription = {
    plan: 'Particulier',
    status: 'ACTIVE',
    startDate: now,
    endDate,
    payments: [],
  } as const
  await insertHistory(tx, userId, planIds, { ...subscription, payments: [] })
  await insertKey(tx, {
    userId,
    name: account.name,
    expiresAt: null,
    isReadOnly: true,
    hash: hashToken(demonstrationKey),
    prefix: visibleEnds(demonstrationKey),
    scopes: ['prices.read', 'statistics.read', 'catalogue.read', 'markets.read'],
    version: latestVersion,
  })
}

// Hashes one password at a time: concurrent hashes would queue, and be refused after two seconds.
async function hashesPerAccount(): Promise<Map<string, string>> {
  const hashes = new Map<string, string>()
  for (const { email } of accounts) hashes.set(email, await hashPassword(demonstrationPassword))
  return hashes
}

function accountUsers(now: Date, hashes: Map<string, string>): DemonstrationUser[] {
  return accounts.map((account) => {
    const created = createdAt(account.ageDays, now)
    return {
      ...account,
      passwordHash: hashes.get(account.email) ?? null,
      createdAt: created,
      firstSignedInAt: account.hasSignedIn ? created : null,
      updatedAt: account.hasSignedIn ? lastSeen(account.email, created, now) : created,
    }
  })
}

/** Returns the collectors without a demonstration account; they have no password, so nobody can sign in as them. */
function otherCollectors(now: Date): DemonstrationUser[] {
  return collectors
    .filter(({ email }) => !accounts.some((account) => account.email === email))
    .map(({ email, name, role, markets }) => {
      const created = createdAt(740, now)
      const location = markets[0]?.city ?? ''
      const updatedAt = lastSeen(email, created, now)
      return {
        email,
        name,
        role,
        location,
        passwordHash: null,
        createdAt: created,
        firstSignedInAt: created,
        updatedAt,
      }
    })
}

function createdAt(ageDays: number, now: Date): Date {
  // One extra hour, so that the age in whole days is reached immediately rather than a few minutes after the load.
  return ageDays === 0 ? now : new Date(now.getTime() - ageDays * dayMs - hourMs)
}

function lastSeen(email: string, created: Date, now: Date): Date {
  const hoursAgo = randomStream(`seen/${email}`).between(1, 30)
  return new Date(Math.max(created.getTime(), now.getTime() - hoursAgo * hourMs))
}

function french(value: number): string {
  return value.toLocaleString('fr-FR', { maximumFractionDigits: 1 })
}
