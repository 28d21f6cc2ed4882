import { invoiceNoun, invoices, ownBilling, salesColumns } from '#features/invoices/invoices.contract.ts'
import { drawnInvoice, type FrozenInvoice } from '#features/invoices/invoices.rules.ts'
import {
  findFrozen,
  getBillingDetails,
  invoiceRows,
  saveBillingDetails,
} from '#features/invoices/invoices.sql.ts'
import { insertAudit } from '#server/audit.sql.ts'
import type { Db } from '#server/db/pool.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { Exports } from '#server/exports.ts'
import { type Actor, may } from '#server/http/actor.ts'
import { type Api, signedIn } from '#server/http/endpoint.ts'
import { drawReport } from '#server/report/report.ts'
import { authorOf, missing } from '#server/writes.ts'
import { paginate } from '#shared/contract.ts'

/** @param viewsBundle the build of the views, which draw the logo on a PDF */
export function invoiceRoutes(api: Api, db: Db, exports: Exports, viewsBundle: string): void {
  /** Returns the user that the query is restricted to: the caller, unless they manage payments. */
  const ownerOf = (actor: Actor) => (may(actor, 'payments.manage') ? null : actor.userId)

  api.on(invoices.list, async ({ query, actor }) => {
    const owner = ownerOf(signedIn(actor))
    const { rows, total } = await invoiceRows.list(db, {
      ...query,
      ...(owner !== null && { userId: owner }),
    })
    return { data: rows, pagination: paginate(query, total) }
  })

  api.on(invoices.exportAll, (call) =>
    exports.list(call, { noun: { ...invoiceNoun, many: 'ventes' }, columns: salesColumns }, (from, query) =>
      invoiceRows.selectAll(from, { ...query, sort: query.sort ?? 'issuedAt' }),
    ),
  )

  api.on(invoices.pdf, async ({ params, actor, reply }) => {
    const found = (await findFrozen(db, params.id, ownerOf(signedIn(actor)))) ?? missing(invoiceNoun)
    reply.headers({
      'content-type': 'application/pdf',
      'content-disposition': `attachment; filename="${found.kind === 'invoice' ? 'facture' : 'avoir'}-${found.number}.pdf"`,
    })
    return drawn(found, viewsBundle)
  })

  api.on(ownBilling.read, ({ actor }) => getBillingDetails(db, signedIn(actor).userId))

  api.on(ownBilling.change, (call) =>
    inTransaction(db, async (tx) => {
      const { userId } = signedIn(call.actor)
      const before = await getBillingDetails(tx, userId)
      const { name, email, address = null, taxNumber = null } = call.body
      await saveBillingDetails(tx, userId, { name, email, address, taxNumber })
      const after = await getBillingDetails(tx, userId)
      await insertAudit(tx, authorOf(call), {
        action: 'update',
        entity: 'billing',
        entityId: userId,
        before,
        after,
      })
      return { ...after, message: 'Coordonnées de facturation enregistrées' }
    }),
  )
}

// A generator, so that the response begins before the PDF is drawn, within its time limit.
async function* drawn(invoice: FrozenInvoice, viewsBundle: string) {
  yield await drawReport(drawnInvoice(invoice), viewsBundle)
}
