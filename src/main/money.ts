// Wires the features about money: plans, payments, invoices, reconciliation and figures.

import { invoiceRoutes } from '#features/invoices/invoices.routes.ts'
import { simulatedCardPage } from '#features/payment-simulator/card-page.routes.ts'
import { cardReturnPage, cardRoutes } from '#features/payments/card/card.routes.ts'
import { checkoutRoutes, type PaymentProvider } from '#features/payments/checkout/checkout.routes.ts'
import { depositRoutes } from '#features/payments/deposits/deposits.routes.ts'
import { linkRoutes, payerPage } from '#features/payments/links/links.routes.ts'
import { paymentRoutes } from '#features/payments/payments.routes.ts'
import { transferRoutes } from '#features/payments/transfers/transfers.routes.ts'
import { reconciliationRoutes } from '#features/reconciliation/reconciliation.routes.ts'
import { strayRoutes } from '#features/reconciliation/strays/strays.routes.ts'
import { revenueRoutes } from '#features/revenue/revenue.routes.ts'
import type { Db } from '#server/db/pool.ts'
import type { Exports } from '#server/exports.ts'
import type { Api } from '#server/http/endpoint.ts'
import type { FormPage } from '#server/http/pages.ts'
import type { Webhooks } from '#server/http/webhooks.ts'
import type { Site } from '#shared/site.ts'

/** Payment providers configured at start; null when payments are not configured. */
export type Payments =
  | (PaymentProvider & {
      /** Address of the simulated card page's orders. */
      cardSimulator?: string
    })
  | null

type Dependencies = {
  payments: Payments
  exports: Exports
  bundle: string
  clock: () => Date
  publicUrl: string | null
}

export function moneyRoutes(
  api: Api,
  db: Db,
  { payments, exports, bundle, clock, publicUrl }: Dependencies,
): void {
  paymentRoutes(api, db, { exports, bundle, clock })
  checkoutRoutes(api, db, payments, clock)
  cardRoutes(api, db, { clock })
  revenueRoutes(api, db, clock)
  invoiceRoutes(api, db, exports, bundle)
  transferRoutes(api, db, bundle, clock)
  reconciliationRoutes(api, db, clock)
  strayRoutes(api, db, clock)
  linkRoutes(api, db, { provider: payments, clock, publicUrl })
}

/** Registers the webhooks that payment providers call. */
export function moneyWebhooks(
  webhooks: Webhooks,
  ledger: { db: Db; team: string },
  { payments, clock }: Pick<Dependencies, 'payments' | 'clock'>,
): void {
  const providers = [...(payments?.mobileMoney ?? []), ...(payments?.card ? [payments.card] : [])]
  for (const provider of providers) depositRoutes(webhooks, ledger, provider, clock)
}

type Framed = () => Promise<{ site: Site; isDemonstration: boolean }>

/** Registers the pages for payers without an account, and the pages that payment providers redirect to. */
export function moneyPages(
  db: Db,
  {
    payments,
    clock,
    publicUrl,
    framed,
  }: Pick<Dependencies, 'payments' | 'clock' | 'publicUrl'> & { framed: Framed },
): FormPage[] {
  return [
    payerPage(db, { provider: payments, clock, publicUrl }, framed),
    cardReturnPage(db, { card: payments?.card, clock, framed }),
    ...(payments?.cardSimulator ? [simulatedCardPage(payments.cardSimulator, framed)] : []),
  ]
}
