import { Link } from '@tanstack/react-router'
import { BadgeCheck, CirclePause } from 'lucide-react'
import { planChoices } from '#features/plans/ui/choices.ts'
import { PlanPrice } from '#features/plans/ui/plan-cards.tsx'
import { PauseDialog } from '#features/subscriptions/changes/ui/pause-dialog.tsx'
import { subscriptionStatuses, subscriptions } from '#features/subscriptions/subscriptions.contract.ts'
import { subscriberChoices } from '#features/subscriptions/ui/subscriber-choices.ts'
import { SubscriptionBadge } from '#features/subscriptions/ui/subscription-badge.tsx'
import { SubscriptionCard } from '#features/subscriptions/ui/subscription-card.tsx'
import { Email } from '#features/users/accounts/ui/person.tsx'
import { dayInKinshasa } from '#shared/days.ts'
import { optionsOf } from '#shared/options.ts'
import { adminScreens } from '#web/crud/admin-screens.tsx'
import { formatDate, formatNumber } from '#web/format.ts'
import { ChoiceField } from '#web/forms/choice-field.tsx'
import { choiceFilter, selectFilter } from '#web/forms/choice-filter.tsx'
import { useAnswer } from '#web/query.ts'
import { useMay } from '#web/session.ts'
import { buttonClass } from '#web/ui/button-class.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { DateField } from '#web/ui/inputs.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { SelectField } from '#web/ui/select-field.tsx'

const statuses = optionsOf(subscriptionStatuses)
// Pausing is a separate action.
const givenStatuses = statuses.filter(({ value }) => value !== 'PAUSED')

const { ListPage, DetailPage } = adminScreens(subscriptions, {
  path: '/subscriptions',
  detailPath: ({ id }) => `/subscriptions/${id}`,
  layout: 'table',
  ownOrder: { key: 'startDate', direction: 'desc' },
  description: 'Qui est abonné à quoi, et jusqu’à quand.',
  whenEmpty: 'Les essais et les abonnements payés apparaîtront ici.',
  nameOf: ({ user, plan }) => `${user.name}\u00a0– ${plan ?? 'Essai gratuit'}`,
  columns: [
    {
      key: 'user',
      // The address is below the name: beside it, the columns of end and status would not fit on a usual screen.
      cell: ({ user }) => (
        <div className="min-w-0">
          {user.name}
          <div className="text-xs font-normal text-ink-soft">
            <Email email={user.email} />
          </div>
        </div>
      ),
    },
    { key: 'email', isExtra: true, cell: ({ user }) => user.email },
    { key: 'plan', cell: ({ plan }) => plan ?? 'Essai gratuit' },
    {
      key: 'price',
      align: 'end',
      cell: ({ planRef }) => (planRef ? <PlanPrice plan={planRef} /> : 'Gratuit'),
    },
    { key: 'startDate', card: 'hidden', cell: ({ startDate }) => formatDate(startDate) },
    { key: 'endDate', cell: ({ endDate }) => formatDate(endDate) },
    { key: 'status', cell: ({ status }) => <SubscriptionBadge status={status} /> },
    {
      key: 'paymentsCount',
      align: 'end',
      card: 'hidden',
      cell: ({ paymentsCount }) => formatNumber(paymentsCount),
    },
  ],
  filters: [
    { key: 'status', ...selectFilter(statuses, 'Tous') },
    { key: 'planId', label: 'Plan', ...choiceFilter(planChoices, 'Tous les plans') },
    {
      key: 'ending',
      label: 'Fin',
      isExtra: true,
      ...selectFilter([{ value: 'true', label: 'Sous 7\u00a0jours' }], 'Toutes'),
    },
    // Links of the revenue page set this filter.
    { key: 'userId', label: 'Utilisateur', chip: SubscriberName },
  ],
  rowActions: [
    {
      label: 'Pause et reprise',
      icon: CirclePause,
      right: 'subscriptions.write',
      fits: ({ status }) => status === 'ACTIVE' || status === 'PAUSED',
      dialog: PauseDialog,
    },
  ],
  isLocked: ({ status }) => status === 'PAUSED',
  deletionEffect: 'L’accès qu’il donne aux données s’arrête aussitôt.',
  usedBy: ({ id, paymentsCount }) =>
    paymentsCount > 0
      ? {
          count: paymentsCount,
          one: 'paiement',
          many: 'paiements',
          to: '/payments',
          search: { subscriptionId: id },
        }
      : null,
  blank: { userId: '', planId: '', startDate: '', endDate: '', status: 'TRIAL' },
  valuesOf: ({ planId, startDate, endDate, status }) => ({
    planId,
    startDate: dayInKinshasa(startDate),
    endDate: dayInKinshasa(endDate),
    status: status === 'PAUSED' ? 'ACTIVE' : status,
  }),
  // The free trial that a user started has no plan.
  requiredToSubmit: ({ userId, planId, startDate, endDate }, row) =>
    [userId, startDate, endDate, ...(row?.planId === null ? [] : [planId])].every((given) => given !== ''),
  form: ({ control, field }, row) => (
    <>
      {!row && (
        <ChoiceField
          control={control}
          name="userId"
          label="Utilisateur"
          required
          placeholder="Choisir un utilisateur…"
          search={subscriberChoices}
        />
      )}
      <ChoiceField
        control={control}
        name="planId"
        label="Plan"
        required={!row || row.planId !== null}
        placeholder="Choisir un plan…"
        search={planChoices.search}
        initial={row?.planRef ? [{ value: row.planRef.id, label: row.planRef.name }] : []}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <DateField required {...field('startDate')} />
        <DateField required {...field('endDate')} />
      </div>
      <SelectField options={givenStatuses} {...field('status')} />
    </>
  ),
  details: ({ user, plan, planRef, startDate, endDate, status, paymentsCount }) => [
    { key: 'user', value: user.name },
    { key: 'email', value: user.email },
    { key: 'plan', value: plan ?? 'Essai gratuit' },
    { key: 'price', value: planRef ? <PlanPrice plan={planRef} /> : 'Gratuit' },
    { key: 'startDate', value: formatDate(startDate) },
    { key: 'endDate', value: formatDate(endDate) },
    { key: 'status', value: <SubscriptionBadge status={status} /> },
    { key: 'paymentsCount', value: formatNumber(paymentsCount) },
  ],
})

export const SubscriptionPage = DetailPage

/** The user's own subscription with the plans to choose from, and all subscriptions for users who may see them. */
export function SubscriptionsPage() {
  const isStaff = useMay()('subscriptions.read')
  if (isStaff) {
    return (
      <ListPage>
        <SubscriptionCard />
      </ListPage>
    )
  }
  return (
    <>
      <PageHeader
        title="Abonnements"
        description="Votre abonnement, ce qu’il coûte et jusqu’à quand il court."
        actions={
          <Link to="/payments" className={buttonClass()}>
            Mes paiements
          </Link>
        }
      />
      <SubscriptionCard
        whenExempt={
          <EmptyState
            title="Aucun abonnement à prendre"
            icon={BadgeCheck}
            action={
              <Link to="/prices" className={buttonClass()}>
                Voir les prix
              </Link>
            }
          >
            Votre rôle donne accès aux prix sans abonnement.
          </EmptyState>
        }
      />
    </>
  )
}

// Reads the name from a subscription, since managers may not read accounts.
function SubscriberName({ value }: { value: string }) {
  const { data } = useAnswer(subscriptions.list, { query: { userId: Number(value), limit: 1 } })
  return data ? (data.data[0]?.user.name ?? `nº\u00a0${value}`) : '…'
}
