import type { FastifyRequest } from 'fastify'
import {
  methodsOf,
  type PaymentProvider,
  paymentsUnavailable,
  takeOrder,
} from '#features/payments/checkout/checkout.routes.ts'
import { payByLink, paymentLinks } from '#features/payments/links/links.contract.ts'
import {
  endLink,
  findLinkPayment,
  findPaymentLink,
  insertPaymentLink,
  type LinkRow,
  listLinks,
} from '#features/payments/links/links.sql.ts'
import { failureWords } from '#features/payments/mobile-money.rules.ts'
import type { PaymentStatus } from '#features/payments/payments.contract.ts'
import { planRows } from '#features/plans/plans.sql.ts'
import { getSubscriber, lockSubscriber } from '#features/subscriptions/access.sql.ts'
import { insertAudit } from '#server/audit.sql.ts'
import type { Db } from '#server/db/pool.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { AppError, invalidField, notFound } from '#server/errors.ts'
import { type Api, signedIn } from '#server/http/endpoint.ts'
import { type FormPage, type PageAnswer, submit } from '#server/http/pages.ts'
import { siteOrigin } from '#server/http/site-origin.ts'
import { networkOf } from '#server/http/visitors.ts'
import { withIdempotencyKey } from '#server/idempotency.ts'
import { spend } from '#server/session/rate-limit.sql.ts'
import { newToken } from '#server/session/tokens.ts'
import { authorOf, missing } from '#server/writes.ts'
import { dayMs } from '#shared/days.ts'
import { tokenInAddress } from '#shared/fields.ts'
import { moneyText } from '#shared/money.ts'
import type { Noun } from '#shared/resource.ts'

const lastsMs = 14 * dayMs
const mostLinks = 10
/** Limit per network: each attempt makes a phone ring. */
const perNetworkAndHour = { hits: 20, windowS: 3600 }
const noun: Noun = { one: 'Lien de paiement', many: 'liens de paiement', gender: 'm' }

type Dependencies = { provider: PaymentProvider | null; clock: () => Date; publicUrl: string | null }

/**
 * Registers the routes of links by which someone without an account pays for a subscriber; they reveal nothing about
 * the subscriber.
 */
export function linkRoutes(api: Api, db: Db, { provider, clock, publicUrl }: Dependencies): void {
  const shownAt =
    (request: FastifyRequest) =>
    ({ token, planId: _, ...link }: LinkRow) => ({
      ...link,
      url: `${siteOrigin(request, publicUrl)}/payer/${token}`,
    })

  api.on(paymentLinks.list, async ({ actor, request }) => ({
    data: (await listLinks(db, signedIn(actor).userId, clock())).map(shownAt(request)),
  }))

  api.on(paymentLinks.create, async (call) => {
    const { userId } = signedIn(call.actor)
    return inTransaction(db, (tx) =>
      withIdempotencyKey(tx, call, async () => {
        const at = clock()
        const { isEmailVerified } = await getSubscriber(tx, userId, at, true)
        if (!isEmailVerified)
          throw new AppError('forbidden', 'Confirmez votre adresse e-mail avant de payer.')
        const plan = await planRows.find(tx, call.body.planId)
        if (!plan?.isActive || plan.price === 0) throw invalidField('planId', 'Ce plan n’est pas proposé.')
        if ((await listLinks(tx, userId, at)).length >= mostLinks) {
          throw new AppError(
            'conflict',
            `Vous avez déjà ${mostLinks} liens\u00a0: retirez-en un pour en faire un autre.`,
          )
        }
        const expiresAt = new Date(at.getTime() + lastsMs)
        await insertPaymentLink(tx, { token: newToken(), userId, planId: plan.id, expiresAt }, at)
        const [made = missing(noun)] = await listLinks(tx, userId, at)
        const { token: _, ...after } = made
        await insertAudit(tx, authorOf(call), {
          action: 'create',
          entity: 'payment-links',
          entityId: made.id,
          after,
        })
        return { ...shownAt(call.request)(made), message: 'Lien de paiement créé' }
      }),
    )
  })

  api.on(paymentLinks.remove, async (call) => {
    const { userId } = signedIn(call.actor)
    await inTransaction(db, async (tx) => {
      const found = (await listLinks(tx, userId, clock())).find(({ id }) => id === call.params.id)
      const { token: _, ...before } = found ?? missing(noun)
      await endLink(tx, before.id, clock())
      await insertAudit(tx, authorOf(call), {
        action: 'delete',
        entity: 'payment-links',
        entityId: before.id,
        before,
      })
    })
    return { message: 'Lien retiré' }
  })

  api.on(payByLink, async (call) => {
    await spend(db, `pay-link:address:${networkOf(call.request.ip)}`, perNetworkAndHour)
    if (!provider) throw paymentsUnavailable()
    const { method, ...given } = call.body
    if (method === 'VISA' && !provider.card) throw invalidField('method', 'La carte n’est pas prise ici.')
    const methods = method === 'VISA' && provider.card ? provider.card : await methodsOf(provider)
    return inTransaction(db, async (tx) => {
      const at = clock()
      const found = await findPaymentLink(tx, call.params.token, at)
      if (!found?.isOpen) throw notFound('Ce lien de paiement ne vaut plus.')
      const { id: linkId, userId, planId } = found
      // After locking the subscriber, payments requested concurrently by the same link are visible.
      await lockSubscriber(tx, userId)
      const taken = takenWords((await findPaymentLink(tx, call.params.token, at))?.payment ?? null)
      if (taken) throw new AppError('conflict', taken)
      const { depositId, after } = await takeOrder(tx, { ...given, userId, planId, linkId }, methods, at)
      await insertAudit(tx, authorOf(call), {
        action: 'create',
        entity: 'payments',
        entityId: after.id,
        after,
      })
      return { reference: depositId, message: 'Demande de paiement enregistrée' }
    })
  })
}

/** Returns why a link can no longer be used; null where it can. */
function takenWords(payment: PaymentStatus | null): string | null {
  if (payment === null) return null
  return payment === 'PENDING'
    ? 'Quelqu’un paie déjà par ce lien. Attendez la fin de son paiement\u00a0: s’il n’aboutit pas, vous pourrez payer.'
    : 'Cet abonnement est déjà payé par ce lien. Merci\u202f! Il n’y a plus rien à payer.'
}

type Shown = {
  /** A payment already begun: its progress is shown also when the link has ended, without the form. */
  isFollowed?: boolean
  isAsking?: boolean
  [name: string]: unknown
}

type Framed = () => Promise<{ site: object; isDemonstration: boolean }>

/** Returns the page of a link: plan and amount, a number to debit, then the progress. */
export function payerPage(db: Db, { provider, clock }: Dependencies, framed: Framed): FormPage {
  const page = async (
    token: string,
    { isFollowed = false, ...shown }: Shown,
    status = 200,
  ): Promise<PageAnswer> => {
    const frame = await framed()
    const link = await findPaymentLink(db, token, clock())
    if (!link || !(link.isOpen || isFollowed))
      return { view: 'not-found', status: 404, props: { ...frame, previousUrl: null } }
    const { plan, amount, currency, billingPeriod } = link
    const taken = shown.isAsking === false ? null : takenWords(link.payment)
    const asked = {
      token,
      plan,
      amount,
      currency,
      billingPeriod,
      isSimulated: provider?.isSimulated ?? false,
      isCardTaken: provider?.card?.currencies.includes(currency) ?? false,
    }
    return {
      view: 'payer',
      status,
      props: {
        ...frame,
        ...asked,
        values: {},
        notice: null,
        faults: {},
        isAsking: link.isOpen,
        cardPage: null,
        ...shown,
        ...(taken && {
          isAsking: false,
          notice: { tone: 'success', title: 'Rien à payer pour le moment', message: taken },
        }),
      },
    }
  }
  /** Empty where the token cannot be valid: an address may contain characters that the database cannot store. */
  const tokenOf = (params: unknown) => {
    const token = String(Object(params).token ?? '')
    return tokenInAddress.test(token) ? token : ''
  }
  return {
    path: '/payer/:token',
    async show({ request, query }) {
      const token = tokenOf(request.params)
      const reference = tokenInAddress.test(query.paiement ?? '') ? query.paiement : undefined
      const payment = reference ? await findLinkPayment(db, token, reference) : undefined
      if (!payment) return page(token, {})
      const { status, state, amount, currency, isByCard, pageUrl, failureCode } = payment
      const sum = moneyText(amount, currency)
      if (status === 'PAID' || status === 'REFUNDED')
        return page(token, {
          isFollowed: true,
          isAsking: false,
          notice: {
            tone: 'success',
            ...(status === 'PAID'
              ? {
                  title: 'Paiement confirmé',
                  message: `${sum} reçus. Merci\u202f! Vous pouvez fermer cette page.`,
                }
              : { title: 'Paiement remboursé', message: `${sum} ont été rendus.` }),
          },
        })
      if (status === 'FAILED')
        return page(token, {
          isFollowed: true,
          notice: {
            tone: 'error',
            title: 'Le paiement n’a pas abouti',
            message:
              failureWords[failureCode ?? ''] ??
              'Personne n’a été débité. Réessayez, ou essayez un autre numéro.',
          },
        })
      const isOpen = state === 'created' || state === 'pending'
      // `retour` means that the payer comes back from the card page: do not redirect there again.
      const isBack = query.retour !== undefined
      if (isByCard && isOpen && pageUrl && !isBack) return { goTo: pageUrl }
      const message = !isOpen
        ? 'L’opérateur n’a pas encore répondu. Notre équipe vérifie ce paiement\u00a0: ne payez pas une seconde fois.'
        : isByCard
          ? isBack
            ? `Nous vérifions auprès de la banque si ${sum} sont payés. Cette page suit le paiement.`
            : `La page sécurisée où vous payez ${sum} s’ouvre.`
          : `Validez le paiement de ${sum} sur votre téléphone avec votre code PIN. Cette page suit le paiement.`
      const answer = await page(token, {
        isFollowed: true,
        isAsking: false,
        cardPage: isByCard && isOpen ? pageUrl : null,
        notice: { tone: 'success', title: 'Paiement en cours', message },
      })
      const path = `/payer/${token}?paiement=${query.paiement}${isBack ? '&retour=1' : ''}`
      return 'view' in answer ? { ...answer, next: { path, afterS: isByCard && !isBack ? 2 : 5 } } : answer
    },
    async take(fields, visit) {
      const token = tokenOf(visit.request.params)
      const path = payByLink.path.replace('{token}', encodeURIComponent(token))
      const outcome = await submit(
        visit,
        { method: payByLink.method, path: path as typeof payByLink.path },
        fields,
      )
      if (outcome.isDone) return { goTo: `/payer/${token}?paiement=${Object(outcome.answer).reference}` }
      const { status, message, faults } = outcome
      return page(
        token,
        { values: fields, faults, notice: { tone: 'error', title: 'Demande non envoyée', message } },
        status,
      )
    },
  }
}
