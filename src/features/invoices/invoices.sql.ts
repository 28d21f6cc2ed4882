import { sql } from 'kysely'
import { z } from 'zod'
import type { BillingDetails, Invoice } from '#features/invoices/invoices.contract.ts'
import { invoices as contract } from '#features/invoices/invoices.contract.ts'
import type { BillingTerms, FrozenInvoice } from '#features/invoices/invoices.rules.ts'
import { isoInstant } from '#server/db/instant.ts'
import type { Db } from '#server/db/pool.ts'
import { defineRows } from '#server/db/rows.ts'
import { hasWords, isId, isSinceDay, isUntilDay, isValue } from '#server/db/selection.ts'

const columns = [
  'invoice.id',
  'invoice.number',
  sql<Invoice['kind']>`invoice.kind`.as('kind'),
  sql<string | null>`(select number from invoice i where i.id = invoice.corrects_id)`.as('corrects'),
  'invoice.payment_id as paymentId',
  'invoice.user_id as userId',
  sql<string>`invoice.buyer ->> 'name'`.as('client'),
  'invoice.plan',
  'invoice.amount',
  'invoice.vat_amount as vatAmount',
  sql<Invoice['currency']>`invoice.currency`.as('currency'),
  sql<Invoice['paymentMethod']>`invoice.payment_method`.as('paymentMethod'),
  'invoice.reference',
  'invoice.issued_at as issuedAt',
] as const

export const invoiceRows = defineRows(
  // The restriction to a user is set only by the routes.
  {
    query: contract.list.query.safeExtend({ userId: z.int().optional() }),
    sortable: ['issuedAt', 'amount'] as const,
  },
  {
    table: 'invoice',
    columns,
    sorts: { issuedAt: sql`invoice.issued_at`, amount: sql`invoice.amount` },
    defaultSort: '-issuedAt',
    from: (db: Db) => db.selectFrom('invoice'),
    filters: {
      search: hasWords(sql`fold(invoice.number || ' ' || (invoice.buyer ->> 'name'))`),
      kind: isValue('invoice.kind'),
      paymentId: isId('invoice.payment_id'),
      plan: isValue('invoice.plan'),
      paymentMethod: isValue('invoice.payment_method'),
      currency: isValue('invoice.currency'),
      startDate: isSinceDay('invoice.issued_at'),
      endDate: isUntilDay('invoice.issued_at'),
      userId: isValue('invoice.user_id'),
    },
  },
)

/** @param userId user of the invoice; null for any */
export async function findFrozen(
  db: Db,
  id: number,
  userId: number | null,
): Promise<FrozenInvoice | undefined> {
  const { rows } = await sql<FrozenInvoice>`
    select i.id, i.number, i.kind, corrected.number as corrects, ${isoInstant('i.issued_at')} as "issuedAt", i.plan,
           i.billing_period as "billingPeriod", ${isoInstant('i.period_start')} as "periodStart",
           ${isoInstant('i.period_end')} as "periodEnd", i.amount::text as amount, (i.amount - i.vat_amount)::text as "netAmount",
           i.vat_amount::text as "vatAmount", i.vat_rate::text as "vatRate",
           case when payment.credit > 0 then json_build_object('price', price.net::text, 'credit', (price.net - (i.amount - i.vat_amount))::text) end as credited,
           i.currency, i.vat_text as "vatText",
           i.payment_terms as "paymentTerms", i.seller, i.buyer, i.payment_method as "paymentMethod", i.reference, i.reason
      from invoice i left join invoice corrected on corrected.id = i.corrects_id join payment on payment.id = i.payment_id
           cross join lateral (select round((i.amount + payment.credit) / (1 + i.vat_rate / 100), 2) as net) price
     where i.id = ${id}::bigint and (${userId}::integer is null or i.user_id = ${userId})`.execute(db)
  return rows[0]
}

/** Issues the invoices of payments made in this transaction now, instead of at its end. */
export async function issueDue(tx: Db): Promise<void> {
  await sql`set constraints invoice_of_payment immediate`.execute(tx)
}

/** Issues the missing invoices of old payments, dated when they were paid. */
export async function issueMissing(tx: Db): Promise<void> {
  await sql`select issue_missing_invoices()`.execute(tx)
}

/** Stores our details for future invoices. */
export async function saveBillingTerms(db: Db, terms: BillingTerms): Promise<void> {
  const { seller, vatRate, vatText, paymentTerms } = terms
  await sql`
    update billing_terms set seller = ${JSON.stringify(seller)}::jsonb, vat_rate = ${vatRate}::numeric, vat_text = ${vatText},
           payment_terms = ${paymentTerms}`.execute(db)
}

/** Returns the stored details, with the account's name and email as defaults. */
export async function getBillingDetails(db: Db, userId: number): Promise<BillingDetails> {
  const { rows } = await sql<BillingDetails>`
    select coalesce(b.name, u.name) as name, b.address, b.tax_number as "taxNumber", coalesce(b.email, u.email) as email
      from app_user u left join billing_details b on b.user_id = u.id where u.id = ${userId}`.execute(db)
  return rows[0]!
}

export async function saveBillingDetails(
  tx: Db,
  userId: number,
  { name, address, taxNumber, email }: BillingDetails,
): Promise<void> {
  await sql`
    insert into billing_details (user_id, name, address, tax_number, email)
    values (${userId}, ${name}, ${address}, ${taxNumber}, ${email})
    on conflict (user_id) do update set name = excluded.name, address = excluded.address, tax_number = excluded.tax_number,
      email = excluded.email, updated_at = now()`.execute(tx)
}
