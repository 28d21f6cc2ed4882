import { useNavigate, useSearch } from '@tanstack/react-router'
import { FileText, Landmark, Plus, SearchX } from 'lucide-react'
import { useState } from 'react'
import { Paying } from '#features/payments/checkout/ui/paying.tsx'
import { PayLinks } from '#features/payments/links/ui/pay-links.tsx'
import { operatorNames } from '#features/payments/mobile-money.rules.ts'
import {
  ownPayments,
  ownStatement,
  type Payment,
  paymentMethods,
  payments,
} from '#features/payments/payments.contract.ts'
import { transfers } from '#features/payments/transfers/transfers.contract.ts'
import { PaymentBadge } from '#features/payments/ui/payment-badge.tsx'
import { plans } from '#features/plans/plans.contract.ts'
import { PlanCards, PlanPrice } from '#features/plans/ui/plan-cards.tsx'
import { ApiError } from '#web/api.ts'
import { useList } from '#web/crud/list.tsx'
import { ExportMenu } from '#web/export-menu.tsx'
import { formatMoney } from '#web/format.ts'
import { useAttempt } from '#web/forms/attempt.ts'
import { useListState } from '#web/list-state.ts'
import { LoadFailure } from '#web/load-failure.tsx'
import { useAction, useAnswer } from '#web/query.ts'
import { useMay } from '#web/session.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { DateTime } from '#web/ui/date-time.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { Table } from '#web/ui/table.tsx'

const listed = { name: 'own-payments', query: ownPayments.query.omit({ status: true }) }

/** The subscriber's own payments, and the form to pay: `planId` in the address is the chosen plan. */
export function OwnPayments() {
  const search: { planId?: string; paiement?: string; renouveler?: unknown } = useSearch({ strict: false })
  const navigate = useNavigate()
  const [isChoosing, setChoosing] = useState(false)
  const isExempt = useMay()('access.exempt')
  const { answer, table, pager } = useList(useListState(listed), {
    endpoint: ownPayments,
    noun: payments.noun,
    pauseMs: (data) => (data?.payments.some(({ status }) => status === 'PENDING') ? 5_000 : false),
    nothing: { text: 'Vos paiements apparaîtront ici.' },
    pager: 'plain',
  })
  const choose = (planId: number | null) => {
    setChoosing(planId === null)
    void navigate({ to: '/payments', search: planId === null ? {} : { planId } })
  }
  const planId = Number(search.planId) || null
  return (
    <>
      <PageHeader
        title="Paiements"
        description="Ce que vous avez payé, et ce qui est encore en attente."
        actions={<YearStatement />}
        primary={
          !isExempt &&
          !planId &&
          !isChoosing && (
            <Button variant="primary" icon={Plus} onClick={() => setChoosing(true)}>
              Payer un abonnement
            </Button>
          )
        }
      />
      {planId ? (
        <>
          <PayPlan
            planId={planId}
            followed={Number(search.paiement) || null}
            isRenewal={search.renouveler !== undefined}
            onChangePlan={() => choose(null)}
            onPaid={() => location.replace('/subscriptions')}
          />
          <PayLinks planId={planId} />
        </>
      ) : (
        isChoosing && (
          <Card title="Choisissez votre plan">
            <PlanCards onSelect={({ id }) => choose(id)} />
          </Card>
        )
      )}
      <Table
        caption="Mes paiements"
        columns={columns}
        rows={answer.data?.payments ?? []}
        rowKey={({ id }) => id}
        {...table}
      />
      {pager}
    </>
  )
}

const pdf = { format: 'pdf', label: 'Document PDF', icon: FileText }

/** Downloads the user's payments of this year or one of the four before. */
function YearStatement() {
  const thisYear = new Date().getFullYear()
  const [year, setYear] = useState(String(thisYear))
  const years = Array.from({ length: 5 }, (_, before) => String(thisYear - before))
  return (
    <div className="flex items-end gap-2">
      <SelectField
        label="Année du relevé"
        hideLabel
        options={years.map((value) => ({ value, label: value }))}
        value={year}
        onChange={(event) => setYear(event.currentTarget.value)}
      />
      <ExportMenu endpoint={ownStatement} label="Relevé" query={{ year }} others={[pdf]} />
    </div>
  )
}

type PayPlanProps = {
  planId: number
  /** Id of the payment that the payer returns from the card page with. */
  followed: number | null
  /** Whether to ask for the confirmation at once, with the last number. */
  isRenewal: boolean
  onChangePlan: () => void
  onPaid: () => void
}

function PayPlan({ planId, followed, isRenewal, onChangePlan, onPaid }: PayPlanProps) {
  const answer = useAnswer(plans.find, { params: { id: planId } })
  const { data: plan, error } = answer
  if (plan?.isActive === false || (error instanceof ApiError && error.status === 404)) {
    return (
      <Card>
        <EmptyState
          compact
          icon={SearchX}
          title="Ce plan n’est plus proposé"
          action={<Button onClick={onChangePlan}>Choisir un autre plan</Button>}
        />
      </Card>
    )
  }
  if (error && !plan) return <LoadFailure title="Erreur lors du chargement du plan" answer={answer} compact />
  if (!plan) return <Skeleton className="h-40 w-full" />
  return (
    <Card
      title="Paiement de l’abonnement"
      description={`${plan.name}${plan.description ? `. ${plan.description}` : ''}`}
    >
      <p className="mb-4 text-lg font-semibold tracking-tight">
        <PlanPrice plan={plan} />
      </p>
      <Paying
        plan={plan}
        returning={followed}
        isRenewal={isRenewal}
        onPaid={onPaid}
        onChangePlan={onChangePlan}
      />
      <ByTransfer planId={plan.id} />
    </Card>
  )
}

/** For organisations that pay by bank: creates a pro-forma with the reference of the transfer. */
function ByTransfer({ planId }: { planId: number }) {
  const navigate = useNavigate()
  const attempt = useAttempt()
  const order = useAction(transfers.create, { onDone: () => navigate({ to: '/virements' }) })
  return (
    <div className="mt-6 flex flex-wrap items-center gap-3 border-t border-line pt-4">
      <p className="text-ink-soft">{'Pour une organisation, avec une facture pro forma\u00a0:'}</p>
      <Button
        icon={Landmark}
        disabled={order.isPending}
        onClick={() => order.mutate({ body: { planId }, headers: attempt.headersFor({ planId }) })}
      >
        Payer par virement
      </Button>
    </div>
  )
}

const columns = [
  { key: 'created_at', header: 'Date', cell: ({ created_at }: Payment) => <DateTime value={created_at} /> },
  {
    key: 'amount',
    header: 'Montant',
    align: 'end' as const,
    cell: ({ amount, currency }: Payment) => formatMoney(amount, currency),
  },
  { key: 'status', header: 'Statut', cell: (payment: Payment) => <PaymentBadge payment={payment} /> },
  { key: 'plan', header: 'Plan', cell: ({ plan }: Payment) => plan ?? '–' },
  {
    key: 'method',
    header: 'Moyen',
    cell: ({ paymentMethod, deposit }: Payment) =>
      deposit?.operator ? operatorNames[deposit.operator] : paymentMethods[paymentMethod],
  },
  {
    key: 'failure',
    header: 'Motif',
    cell: ({ deposit, refundReason }: Payment) => deposit?.failure?.message ?? refundReason ?? '–',
    className: 'max-w-72 whitespace-normal',
  },
]
