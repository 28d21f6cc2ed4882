import { randomUUID } from 'node:crypto'
import { type CardPages, readCard } from '#features/payments/card/card.rules.ts'
import { checkout, upgradePrice, waysToPay } from '#features/payments/checkout/checkout.contract.ts'
import { type AmountDue, priceIn, readPayer } from '#features/payments/checkout/checkout.rules.ts'
import { hasOpenUpgrade, priceUpgrade, type UpgradePrice } from '#features/payments/checkout/upgrade.sql.ts'
import { pollDepositsNow } from '#features/payments/deposits/deposits.jobs.ts'
import {
  findLastPayer,
  findSameOpen,
  getAsked,
  insertDeposit,
} from '#features/payments/deposits/deposits.sql.ts'
import { type MobileMoney, mergedMethods, type PayingMethod } from '#features/payments/mobile-money.rules.ts'
import { payments } from '#features/payments/payments.contract.ts'
import { paymentRows } from '#features/payments/payments.sql.ts'
import { planRows } from '#features/plans/plans.sql.ts'
import { findRateAt } from '#features/rates/rates.sql.ts'
import { getSubscriber } from '#features/subscriptions/access.sql.ts'
import { insertAudit } from '#server/audit.sql.ts'
import type { Db } from '#server/db/pool.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { AppError, invalidField } from '#server/errors.ts'
import { type Api, signedIn } from '#server/http/endpoint.ts'
import { withIdempotencyKey } from '#server/idempotency.ts'
import { authorOf, missing } from '#server/writes.ts'
import type { BodyOf } from '#shared/contract.ts'
import { hourMs } from '#shared/days.ts'
import { moneyText } from '#shared/money.ts'

/** Providers configured for this server; `isSimulated`: no money is moved. */
export type PaymentProvider = {
  mobileMoney: readonly MobileMoney[]
  /** The card page; absent where none is configured. */
  card?: CardPages | null
  isSimulated: boolean
}

/**
 * Limits per account and hour of attempts and of distinct numbers, because each attempt makes a phone ring, perhaps a
 * stranger's.
 */
const mostAttempts = 6
const mostPhones = 3

/**
 * Registers the routes that begin a payment.
 * @param provider null where none is configured
 */
export function checkoutRoutes(api: Api, db: Db, provider: PaymentProvider | null, clock: () => Date): void {
  api.on(waysToPay, async ({ actor }) => ({
    isSimulated: provider?.isSimulated ?? false,
    rate: (await findRateAt(db, clock())) ?? null,
    lastPayer: await findLastPayer(db, signedIn(actor).userId),
    card: provider?.card ? { currencies: [...provider.card.currencies] } : null,
    mobileMoney: provider ? await methodsOf(provider) : [],
  }))

  api.on(upgradePrice, async ({ query, actor }) => {
    const at = clock()
    const plan = await planRows.find(db, query.planId)
    if (!plan?.isActive || plan.price === 0) return { upgrade: null }
    const rate = await findRateAt(db, at)
    const price = priceIn(plan, query.currency ?? plan.currency, rate?.cdfPerUsd)
    if (!price) return { upgrade: null }
    const { userId } = signedIn(actor)
    const asked = { userId, planId: plan.id, price, cdfPerUsd: rate?.cdfPerUsd ?? null }
    const found = await priceUpgrade(db, asked, at)
    if (!found) return { upgrade: null }
    const { subscriptionId: _, ...upgrade } = found
    return { upgrade }
  })

  api.on(checkout, async (call) => {
    const { userId } = signedIn(call.actor)
    const { method } = call.body
    if (method !== 'MOBILE_MONEY' && method !== 'VISA')
      throw invalidField('method', 'Les paiements en espèces sont enregistrés par notre équipe.')
    if (method === 'VISA' && !provider?.card)
      throw invalidField('method', 'Le paiement par carte n’est pas ouvert. Payez par mobile money.')
    if (!provider) throw paymentsUnavailable()
    // Called before the transaction, because the provider may be slow.
    const methods = method === 'VISA' ? provider.card! : await methodsOf(provider)
    return inTransaction(db, (tx) =>
      withIdempotencyKey(tx, call, async () => {
        const { after } = await takeOrder(tx, { ...call.body, userId }, methods, clock())
        await insertAudit(tx, authorOf(call), {
          action: 'create',
          entity: 'payments',
          entityId: after.id,
          after,
        })
        return { ...after, message: 'Demande de paiement enregistrée' }
      }),
    )
  })
}

/** A plan, and the payer to ask; with a link, the payer is not the subscriber. */
type Asked = Omit<BodyOf<typeof checkout>, 'method'> & { userId: number; linkId?: number }

/**
 * Creates a payment, and sends it to the provider after the transaction commits.
 * @param methods the phone operators accepted, or the card page
 * @throws AppError where the payment is not possible, with an alternative
 */
export async function takeOrder(
  tx: Db,
  given: Asked,
  methods: readonly PayingMethod[] | Pick<CardPages, 'currencies'>,
  at: Date,
) {
  const { userId, planId, linkId = null } = given
  const { isEmailVerified } = await getSubscriber(tx, userId, at, true)
  if (!isEmailVerified) {
    throw new AppError('forbidden', 'Confirmez votre adresse e-mail avant de payer.')
  }
  const plan = await planRows.find(tx, planId)
  if (!plan?.isActive) throw invalidField('planId', 'Ce plan n’est plus proposé.')
  if (plan.price === 0) throw invalidField('planId', 'Ce plan est gratuit\u00a0: il n’y a rien à payer.')
  const full = await toPay(tx, plan, given.currency ?? plan.currency, at)
  const upgrade = given.when === 'now' ? await toUpgrade(tx, { userId, planId, price: full }, at) : null
  const price = upgrade ? { price: upgrade.due, currency: upgrade.currency } : full
  const payer = 'currencies' in methods ? readCard(price, methods) : readPayer(given, price, methods)
  if ('field' in payer) throw invalidField(payer.field, payer.message)
  if (given.amount && given.amount !== price.price) {
    throw new AppError(
      'conflict',
      `Le montant a changé\u00a0: ce plan coûte maintenant ${moneyText(price.price, price.currency)}. Vérifiez le montant, puis confirmez.`,
    )
  }
  const order = {
    userId,
    planId,
    billingPeriod: plan.billingPeriod,
    amount: price.price,
    currency: price.currency,
    ...payer,
    linkId,
    replaces: upgrade ? { subscriptionId: upgrade.subscriptionId, credit: upgrade.credit } : undefined,
  }
  const open = await findSameOpen(tx, order, at)
  if (open) {
    throw new AppError(
      'conflict',
      open === 'phone'
        ? 'Ce paiement est déjà en attente sur un téléphone. Validez-le avec le code PIN, ou attendez quelques minutes.'
        : linkId === null
          ? 'Une page de paiement par carte est déjà ouverte pour ce plan. Reprenez-la, ou abandonnez-la, à la page Paiements.'
          : 'Cet abonnement est peut-être en train d’être payé par carte. Réessayez dans une demi-heure.',
    )
  }
  refuseTooMany(await getAsked(tx, { userId, linkId }, new Date(at.getTime() - hourMs)), payer.phone)
  const depositId = randomUUID()
  const id = await insertDeposit(tx, { ...order, depositId }, at)
  await pollDepositsNow(tx)
  const after = (await paymentRows.find(tx, id)) ?? missing(payments.noun)
  return { depositId, after }
}

/**
 * Returns the price of an upgrade.
 *
 * @throws AppError where the plan cannot begin at once
 */
async function toUpgrade(
  tx: Db,
  asked: { userId: number; planId: number; price: AmountDue },
  at: Date,
): Promise<UpgradePrice> {
  const rate = await findRateAt(tx, at)
  const upgrade = await priceUpgrade(tx, { ...asked, cdfPerUsd: rate?.cdfPerUsd ?? null }, at)
  if (!upgrade) {
    throw invalidField(
      'when',
      'Un plan ne commence tout de suite que s’il coûte plus que la période payée en cours\u00a0: celui-ci commence à son terme.',
    )
  }
  if (await hasOpenUpgrade(tx, upgrade.subscriptionId)) {
    throw new AppError(
      'conflict',
      'Un changement de plan attend déjà son paiement. Suivez-le à la page Paiements.',
    )
  }
  return upgrade
}

function refuseTooMany(
  { attempts, phones }: { attempts: number; phones: string[] },
  phone: string | null,
): void {
  const isNew = phone !== null && !phones.includes(phone)
  if (attempts < mostAttempts && !(isNew && phones.length >= mostPhones)) return
  throw new AppError(
    'limited',
    attempts < mostAttempts
      ? 'Vous avez déjà essayé trois numéros en une heure. Reprenez l’un d’eux, ou réessayez dans une heure.'
      : 'Vous avez demandé trop de paiements en une heure. Réessayez plus tard, ou écrivez-nous par la page Contact.',
    { retryAfterS: hourMs / 1000, limit: { name: 'checkout', hits: mostAttempts, windowS: hourMs / 1000 } },
  )
}

async function toPay(tx: Db, plan: AmountDue, currency: AmountDue['currency'], at: Date): Promise<AmountDue> {
  const rate = plan.currency === currency ? undefined : await findRateAt(tx, at)
  const price = priceIn(plan, currency, rate?.cdfPerUsd)
  if (!price) {
    throw invalidField('currency', `Aucun taux de change n’est connu\u00a0: payez en ${plan.currency}.`)
  }
  return price
}

/** @throws AppError where no provider responds */
export async function methodsOf({ mobileMoney }: PaymentProvider): Promise<PayingMethod[]> {
  const lists = await Promise.allSettled(mobileMoney.map((each) => each.listMethods()))
  const heard = lists.flatMap((list) => (list.status === 'fulfilled' ? [list.value] : []))
  const failed = lists.find((list) => list.status === 'rejected')
  if (heard.length === 0 && failed) throw paymentsUnavailable(failed.reason)
  return mergedMethods(heard)
}

/** Returns the error for payments being unavailable. */
export function paymentsUnavailable(cause?: unknown): AppError {
  return new AppError(
    'unavailable',
    'Le paiement mobile ne répond pas pour le moment. Rien n’a été débité\u202f; réessayez dans quelques minutes.',
    { retryAfterS: 60, cause },
  )
}
