import { type Ledger, pollDepositsNow, settleDeposit } from '#features/payments/deposits/deposits.jobs.ts'
import { makeDepositDue } from '#features/payments/deposits/deposits.sql.ts'
import type { Provider } from '#features/payments/mobile-money.rules.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { AppError } from '#server/errors.ts'
import type { Webhooks } from '#server/http/webhooks.ts'

/** Registers the webhook where providers report the results of deposits. */
export function depositRoutes(
  webhooks: Webhooks,
  ledger: Ledger,
  provider: Pick<Provider<never>, 'name' | 'callbackPath' | 'parseCallback'>,
  clock: () => Date,
): void {
  webhooks.on(provider.callbackPath, async (request) => {
    const said = await provider.parseCallback(request)
    switch (said.kind) {
      case 'unreadable':
        throw new AppError('invalid', 'Ce message n’est pas celui d’un paiement.')
      case 'forged':
        throw new AppError('unauthenticated', 'La signature de ce message n’est pas valable.')
      case 'proved':
        await settleDeposit(ledger, said.depositId, said.news, clock(), provider.name)
        return
      case 'hint':
        // The message is unsigned, so it only triggers a status check.
        await inTransaction(ledger.db, async (tx) => {
          await makeDepositDue(tx, said, clock())
          await pollDepositsNow(tx)
        })
    }
  })
}
