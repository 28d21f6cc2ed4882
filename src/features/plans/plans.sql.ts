import { sql } from 'kysely'
import { type PlanFeature, planFeatureNames } from '#features/plans/features.rules.ts'
import { plans } from '#features/plans/plans.contract.ts'
import type { Db } from '#server/db/pool.ts'
import { defineRows } from '#server/db/rows.ts'
import { hasWords, inFrench, isValue } from '#server/db/selection.ts'
import { insertRow, updateRow } from '#server/db/write-row.ts'
import type { Use } from '#server/writes.ts'
import type { BodyOf } from '#shared/contract.ts'

const columns = [
  'id',
  'name',
  'description',
  'price',
  sql<'CDF' | 'USD'>`currency`.as('currency'),
  sql<'MONTHLY' | 'YEARLY'>`billing_period`.as('billingPeriod'),
  'is_active as isActive',
  'calls_per_minute as callsPerMinute',
  'calls_per_month as callsPerMonth',
  'sms_per_month as smsPerMonth',
  'seats',
  sql<PlanFeature[]>`features`.as('features'),
  'created_at',
  'updated_at',
  sql<'subscriptions' | 'payments' | null>`case
    when exists (select from subscription where plan_id = plan.id) then 'subscriptions'
    when exists (select from payment where plan_id = plan.id) then 'payments' end`.as('usedBy'),
] as const
const sorts = { name: inFrench('name'), price: sql`price`, created_at: sql`created_at` }

export const planRows = defineRows(plans, {
  table: 'plan',
  columns,
  sorts,
  defaultSort: 'price',
  from: (db: Db) => db.selectFrom('plan'),
  filters: {
    search: hasWords(sql`fold(name)`),
    isActive: isValue('is_active'),
  },
})

export async function insertPlan(tx: Db, input: BodyOf<typeof plans.create>): Promise<number> {
  const { name, price, description = null } = input
  return insertRow(tx, 'plan', { name, price, description, ...optionalOf(input) })
}

export async function updatePlan(tx: Db, id: number, input: BodyOf<typeof plans.update>): Promise<void> {
  const { name, price, description } = input
  await updateRow(tx, 'plan', id, { name, price, description, ...optionalOf(input) })
}

export async function countUsesOfPlan(tx: Db, id: number): Promise<Use[]> {
  const { rows } = await sql<Record<'subscriptions' | 'payments' | 'transfers', number>>`
    select (select count(*) from subscription where plan_id = ${id}) as subscriptions,
           (select count(*) from payment where plan_id = ${id} and not exists (
              select from subscription where id = subscription_id and plan_id = ${id})) as payments,
           (select count(*) from transfer_order where plan_id = ${id} and not exists (
              select from payment where id = payment_id and plan_id = ${id})) as transfers`.execute(tx)
  return [
    { count: rows[0]?.subscriptions ?? 0, one: 'abonnement', many: 'abonnements' },
    { count: rows[0]?.payments ?? 0, one: 'paiement', many: 'paiements' },
    { count: rows[0]?.transfers ?? 0, one: 'facture pro forma', many: 'factures pro forma' },
  ]
}

// Missing values get the database's default; of two spellings, the one of our responses takes precedence.
function optionalOf(input: Partial<BodyOf<typeof plans.update>>) {
  const period = input.billingPeriod ?? input.billing_period
  const isActive = input.isActive ?? input.is_active
  const features = input.features && planFeatureNames.filter((name) => input.features?.includes(name))
  return {
    currency: input.currency,
    billing_period: period,
    is_active: isActive,
    calls_per_minute: input.callsPerMinute,
    calls_per_month: input.callsPerMonth,
    sms_per_month: input.smsPerMonth,
    seats: input.seats,
    features,
  }
}
