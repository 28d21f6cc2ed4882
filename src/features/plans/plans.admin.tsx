import { Link } from '@tanstack/react-router'
import { planFeatureNames, planFeatures } from '#features/plans/features.rules.ts'
import { plans } from '#features/plans/plans.contract.ts'
import { PlanPrice } from '#features/plans/ui/plan-cards.tsx'
import { adminScreens } from '#web/crud/admin-screens.tsx'
import { formatDate, formatDateTime, formatNumber, formatTyped } from '#web/format.ts'
import { CheckboxList } from '#web/forms/checkbox-list.tsx'
import { selectFilter } from '#web/forms/choice-filter.tsx'
import { currencyOptions } from '#web/forms/currencies.ts'
import { useMay } from '#web/session.ts'
import { Badge } from '#web/ui/badge.tsx'
import { buttonClass } from '#web/ui/button-class.ts'
import { AmountField, Checkbox, TextareaField, TextField } from '#web/ui/inputs.tsx'
import { SelectField } from '#web/ui/select-field.tsx'

const periods = [
  { value: 'MONTHLY', label: 'Mensuelle' },
  { value: 'YEARLY', label: 'Annuelle' },
]
const features = planFeatureNames.map((value) => ({ value, label: planFeatures[value].label }))
const users = {
  subscriptions: { one: 'un abonnement', many: 'des abonnements' },
  payments: { one: 'un paiement', many: 'des paiements' },
}
const activity = [
  { value: 'true', label: 'Actifs' },
  { value: 'false', label: 'Inactifs' },
]

const { ListPage } = adminScreens(plans, {
  path: '/plans',
  description: 'Les formules d’abonnement, leur prix et la période qu’elles couvrent.',
  whenEmpty: 'Une formule créée ici et active se propose aussitôt aux visiteurs.',
  nameOf: ({ name }) => name,
  columns: [
    {
      key: 'isActive',
      card: 'title',
      cell: ({ isActive }) => <Activity isActive={isActive} />,
    },
    { key: 'description', card: 'title', cell: ({ description }) => description },
    { key: 'price', cell: (plan) => <PlanPrice plan={plan} /> },
    {
      key: 'billingPeriod',
      cell: ({ billingPeriod }) => (billingPeriod === 'YEARLY' ? 'Annuelle' : 'Mensuelle'),
    },
    { key: 'created_at', cell: ({ created_at }) => formatDate(created_at) },
  ],
  filters: [{ key: 'isActive', label: 'Statut', ...selectFilter(activity, 'Tous') }],
  usedBy: ({ id, usedBy }) =>
    usedBy ? { ...users[usedBy], to: `/${usedBy}`, search: { planId: id } } : null,
  blank: {
    name: '',
    description: '',
    price: '',
    currency: 'USD',
    billingPeriod: 'MONTHLY',
    isActive: true,
    callsPerMinute: '60',
    callsPerMonth: '10000',
    smsPerMonth: '20',
    seats: '1',
    // Announced features are not ticked by default.
    features: planFeatureNames.filter((name) => !planFeatures[name].isComing),
  },
  valuesOf: ({ price, callsPerMinute, callsPerMonth, smsPerMonth, seats }) => ({
    price: formatTyped(price),
    callsPerMinute: String(callsPerMinute),
    callsPerMonth: String(callsPerMonth),
    smsPerMonth: String(smsPerMonth),
    seats: String(seats),
  }),
  requiredToSubmit: ['name', 'currency'],
  form: ({ control, field, register }) => (
    <>
      <TextField required maxLength={200} {...field('name')} />
      <TextareaField maxLength={2000} {...field('description')} />
      <div className="grid gap-4 sm:grid-cols-3">
        <AmountField required {...field('price')} />
        <SelectField options={currencyOptions} {...field('currency')} />
        <SelectField options={periods} {...field('billingPeriod')} />
      </div>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          inputMode="numeric"
          hint="Personnes qui lisent sur un abonnement, celle qui paie comprise"
          {...field('seats')}
        />
        <TextField inputMode="numeric" hint="Par les clés d’un abonné" {...field('callsPerMinute')} />
        <TextField inputMode="numeric" {...field('callsPerMonth')} />
        <TextField inputMode="numeric" hint="Alertes d’un abonné" {...field('smsPerMonth')} />
      </div>
      <div>
        <CheckboxList control={control} name="features" label="Comprend" groups={[{ options: features }]} />
        <p className="mt-1.5 text-xs text-ink-soft">
          Ce que le site en dit. Toute formule payée ouvre toutes les données.
        </p>
      </div>
      <Checkbox label="Actif" hint="Proposé aux abonnés" {...register('isActive')} />
    </>
  ),
  details: (plan) => [
    { key: 'name', value: plan.name },
    { key: 'description', value: plan.description ?? '–' },
    { key: 'price', value: <PlanPrice plan={plan} /> },
    { key: 'callsPerMinute', value: formatNumber(plan.callsPerMinute) },
    { key: 'callsPerMonth', value: formatNumber(plan.callsPerMonth) },
    { key: 'smsPerMonth', value: formatNumber(plan.smsPerMonth) },
    { key: 'seats', value: formatNumber(plan.seats) },
    { key: 'features', value: plan.features.map((name) => planFeatures[name].label).join(', ') || '–' },
    { key: 'isActive', value: <Activity isActive={plan.isActive} /> },
    { key: 'created_at', value: formatDateTime(plan.created_at) },
    { key: 'updated_at', value: formatDateTime(plan.updated_at) },
  ],
})

/** The plans, with a link to the page where users choose one. */
export function PlansPage() {
  const isExempt = useMay()('access.exempt')
  return (
    <ListPage
      actions={
        !isExempt && (
          <Link to="/subscriptions" hash="plans" className={buttonClass('primary')}>
            Choisir un plan
          </Link>
        )
      }
    />
  )
}

function Activity({ isActive }: { isActive: boolean }) {
  return <Badge tone={isActive ? 'green' : 'grey'}>{isActive ? 'Actif' : 'Inactif'}</Badge>
}
