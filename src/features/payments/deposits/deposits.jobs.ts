import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CardPages } from '#features/payments/card/card.rules.ts'
import {
  aboutOrder,
  afterOtherMoney,
  decide,
  isForTeam,
  isLookedAt,
  isToBeSent,
  orderReferenceOf,
  pauseAfter,
  sendingWindowMs,
} from '#features/payments/deposits/deposits.rules.ts'
import {
  isCreditGone,
  isPaidTwice,
  type LeasedDeposit,
  leaseDueDeposits,
  lockDeposit,
  setProvider,
  updateDeposit,
} from '#features/payments/deposits/deposits.sql.ts'
import { lookMail } from '#features/payments/deposits/mails.rules.ts'
import {
  type Initiated,
  type MobileMoney,
  mayAskAnother,
  type News,
  type Provider,
  type ProviderName,
} from '#features/payments/mobile-money.rules.ts'
import { updatePayment } from '#features/payments/payments.sql.ts'
import { sendReceipt } from '#features/payments/receipts/receipts.jobs.ts'
import { getSettled, openPaid } from '#features/payments/settling.sql.ts'
import { lockSubscriber } from '#features/subscriptions/access.sql.ts'
import { insertAudit } from '#server/audit.sql.ts'
import type { Db } from '#server/db/pool.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { makeDueNow } from '#server/jobs/jobs.sql.ts'
import type { Task } from '#server/jobs/jobs.ts'
import type { Log } from '#server/log.ts'
import { queueMail } from '#server/mail/mail.ts'

/** Intervals (ms) at which due deposits are polled: between runs, and during a run. */
const everyMs = 2_000
const pollEveryMs = 250
/** Longest time (ms) in which one run takes new deposits: the job's transaction must not stay open for hours. */
const longestMs = 20_000
const atOnce = 32
/** Longer than a request to the provider and its processing may take. */
const leaseMs = 60_000

/** The database of deposits, and the address of the team that is mailed when one needs a decision. */
export type Ledger = { db: Db; team: string }

/**
 * Stores what the provider reports of a deposit, in one transaction: its state, its payment's status and the
 * subscription that it opens; reports may be repeated. Mails the team about deposits that need a decision, and about
 * refusals that are our fault.
 * @param by the reporting provider: a report of another provider than the last one asked never marks a payment as paid;
 * undefined for the last one asked
 * @returns whether the deposit exists
 */
export async function settleDeposit(
  { db, team }: Ledger,
  depositId: string,
  said: News | Initiated,
  at: Date,
  by?: ProviderName,
): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const locked = await lockDeposit(tx, depositId)
    if (!locked) return false
    if (locked.replacesId !== null) {
      await lockSubscriber(tx, locked.userId)
      locked.isCreditGone = await isCreditGone(tx, locked.replacesId)
    }
    const news = aboutOrder(said, locked.paymentId)
    if (news.kind === 'completed') {
      await lockSubscriber(tx, locked.userId)
      locked.isPaidTwice = await isPaidTwice(tx, locked.paymentId)
    }
    const ageMs = at.getTime() - Date.parse(locked.createdAt)
    const isOther = by !== undefined && locked.provider !== null && by !== locked.provider
    if (isOther && news.kind !== 'completed') return true
    const decision = isOther ? afterOtherMoney(locked) : decide(locked, news, ageMs)
    const pauseMs = isLookedAt(decision) ? pauseAfter(ageMs) : null
    await updateDeposit(tx, depositId, decision, {
      nextCheckAt: pauseMs === null ? null : new Date(at.getTime() + pauseMs),
      reference: 'reference' in news ? (news.reference ?? null) : null,
      pageUrl: 'pageUrl' in news ? (news.pageUrl ?? null) : null,
    })
    if (decision.payment) {
      await updatePayment(tx, locked.paymentId, { status: decision.payment })
      const payment = await getSettled(tx, locked.paymentId)
      const subscriptionId = decision.payment === 'PAID' ? await openPaid(tx, payment, at) : null
      if (subscriptionId !== null) await sendReceipt(tx, locked.paymentId, at)
      await insertAudit(tx, systemAuthor, {
        action: decision.payment === 'PAID' ? 'confirm' : 'fail',
        entity: 'payments',
        entityId: locked.paymentId,
        before: { status: locked.paymentStatus },
        after: { status: decision.payment, failureCode: decision.failureCode, subscriptionId },
      })
    }
    if (decision.state === 'review' && locked.state !== 'review') {
      await insertAudit(tx, systemAuthor, {
        action: 'review',
        entity: 'payments',
        entityId: locked.paymentId,
        after: { failureCode: decision.failureCode, news },
      })
    }
    if (decision.state !== locked.state && isForTeam(decision)) {
      await queueMail(tx, { to: team, replyTo: locked.email, content: lookMail(locked, decision) })
    }
    return true
  })
}

const systemAuthor = { actor: null, requestId: null }

const name = 'follow deposits'

/** Processes due deposits as soon as the transaction commits. */
export function pollDepositsNow(tx: Db): Promise<void> {
  return makeDueNow(tx, name)
}

/**
 * Sends deposits to the provider and polls their status. `next_check_at` says which are due, and each is leased while
 * it is processed: if a process dies, others take its deposits after the lease.
 */
export function depositTask({
  ledger,
  providers,
  card = null,
  log,
  clock,
}: {
  ledger: Ledger
  /** In order: the next is asked only when the previous certainly took nothing. */
  providers: readonly MobileMoney[]
  card?: CardPages | null | undefined
  log: Log
  clock: () => Date
}): Task {
  let isMore = false
  return {
    name,
    everyMs: () => (isMore ? 0 : everyMs),
    async run(_payload, { signal }) {
      const startedAt = performance.now()
      const running = new Set<Promise<void>>()
      const failures: unknown[] = []
      let settled = 0
      isMore = false
      for (;;) {
        isMore = performance.now() - startedAt > longestMs
        const most = signal.aborted || isMore ? 0 : atOnce - running.size
        const due = most > 0 ? await leaseDueDeposits(ledger.db, { at: clock(), most, leaseMs }) : []
        for (const deposit of due) {
          const work: Promise<void> = processDeposit(deposit)
            .then(() => {
              settled += 1
            })
            // Retried when its lease expires.
            .catch((error: unknown) => {
              log.warn({ err: error, deposit: deposit.id }, 'deposit not processed')
              failures.push(error)
            })
            .finally(() => running.delete(work))
          running.add(work)
        }
        if (running.size === 0) break
        await Promise.race([...running, sleep(pollEveryMs)])
      }
      // A single failure is retried after its lease; if every deposit failed, the job fails.
      if (failures.length > 0 && settled === 0) throw failures[0]
    },
  }

  async function processDeposit(deposit: LeasedDeposit): Promise<void> {
    const news = await askProvider(deposit)
    if (news.kind === 'unknown' || news.kind === 'unsent') {
      log.warn({ deposit: deposit.id, reason: news.reason }, 'the provider gave no answer')
    }
    await settleDeposit(ledger, deposit.id, news, clock())
  }

  // If the deposit may have been sent, poll the same provider first, before sending it again: its id makes the provider
  // accept it only once.
  async function askProvider(deposit: LeasedDeposit): Promise<News | Initiated> {
    const { id, state, attempts, reference } = deposit
    const ageMs = clock().getTime() - Date.parse(deposit.createdAt)
    if (deposit.provider === null) {
      const isToBeTried = attempts === 1 ? ageMs <= sendingWindowMs : isToBeSent(state, ageMs)
      return isToBeTried ? send(deposit) : { kind: 'unsent', reason: 'it is too late to ask for it' }
    }
    const provider = takersOf(deposit).find(({ name }) => name === deposit.provider)
    if (!provider) return { kind: 'unknown', reason: `${deposit.provider} is not configured any more` }
    const news = await provider.getStatus(id, { reference, ageMs, page: deposit.page })
    if (news.kind !== 'not found' || !isToBeSent(state, ageMs)) return news
    const said = await provider.initiate()
    return said.kind === 'unsent' ? { kind: 'unknown', reason: said.reason } : said
  }

  /** Returns the providers that can take a deposit, each with its order. */
  function takersOf(deposit: LeasedDeposit): Taker[] {
    const { id: depositId, amount, currency, phone, operator, paymentId } = deposit
    const order = { depositId, amount, currency, reference: orderReferenceOf(paymentId) }
    if (phone === null || operator === null) return card ? [takerOf(card, order)] : []
    return providers.map((provider) => takerOf(provider, { ...order, phone, operator }))
  }

  async function send(deposit: LeasedDeposit): Promise<Initiated> {
    let said: Initiated = { kind: 'unsent', reason: 'no provider is configured' }
    for (const provider of takersOf(deposit)) {
      await setProvider(ledger.db, deposit.id, provider.name)
      said = await provider.initiate()
      if (!mayAskAnother(said)) return said
      log.warn({ deposit: deposit.id, provider: provider.name, said }, 'the provider takes no payments now')
    }
    if (said.kind === 'unsent') await setProvider(ledger.db, deposit.id, null)
    return said
  }
}

type Taker = Pick<Provider<never>, 'name' | 'getStatus'> & { initiate(): Promise<Initiated> }

function takerOf<Asked>(provider: Provider<Asked>, order: Asked): Taker {
  const { name, getStatus } = provider
  return { name, getStatus, initiate: () => provider.initiate(order) }
}
