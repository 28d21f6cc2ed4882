import { RefreshCcw } from 'lucide-react'
import { useState } from 'react'
import { operatorNames, operators } from '#features/payments/mobile-money.rules.ts'
import { paymentMethods, paymentStatuses, payments } from '#features/payments/payments.contract.ts'
import { paymentMethodName } from '#features/payments/payments.rules.ts'
import { PaymentBadge } from '#features/payments/ui/payment-badge.tsx'
import { PaymentFigures } from '#features/payments/ui/payment-figures.tsx'
import { planFirst, RefundReason, StatusDialog, statusesAfter } from '#features/payments/ui/status-dialog.tsx'
import { planChoices } from '#features/plans/ui/choices.ts'
import { type Subscription, subscriptions } from '#features/subscriptions/subscriptions.contract.ts'
import { optionsOf } from '#shared/options.ts'
import { call } from '#web/api.ts'
import { adminScreens } from '#web/crud/admin-screens.tsx'
import { formatDate, formatDateTime, formatMoney, formatTyped } from '#web/format.ts'
import { ChoiceField } from '#web/forms/choice-field.tsx'
import { choiceFilter, selectFilter } from '#web/forms/choice-filter.tsx'
import { choicesOf } from '#web/forms/choices.ts'
import { currencyOptions } from '#web/forms/currencies.ts'
import { periodControls } from '#web/forms/day-filter.tsx'
import { DateTime } from '#web/ui/date-time.tsx'
import { AmountField, TextField } from '#web/ui/inputs.tsx'
import { SelectField } from '#web/ui/select-field.tsx'

const statuses = optionsOf(paymentStatuses)
const methods = optionsOf(paymentMethods)

const optionOf = ({ id, user, plan, startDate }: Subscription) => ({
  value: id,
  label: `${user.name}, ${plan ?? 'essai'} du ${formatDate(startDate)}`,
})
const subscriptionChoices = {
  ...choicesOf(subscriptions, optionOf, 'Abonnement inconnu'),
  // Subscriptions have no name to sort by.
  search: async (search: string, signal: AbortSignal) => {
    const { data } = await call(subscriptions.list, { query: { search, limit: 30 }, signal })
    return data.map(optionOf)
  },
}

export const { ListPage: AllPayments } = adminScreens(payments, {
  path: '/payments',
  layout: 'table',
  ownOrder: { key: 'created_at', direction: 'desc' },
  description: 'Ce qui a été payé pour les abonnements, par quel moyen, et ce qui est encore attendu.',
  whenEmpty: 'Les paiements des abonnés apparaîtront ici, avec leur statut.',
  nameOf: ({ user, amount, currency }) => `${formatMoney(amount, currency)} de ${user.name}`,
  columns: [
    { key: 'user', cell: ({ user }) => user.name },
    { key: 'amount', align: 'end', cell: ({ amount, currency }) => formatMoney(amount, currency) },
    { key: 'status', cell: (payment) => <PaymentBadge payment={payment} /> },
    { key: 'paymentMethod', cell: paymentMethodName },
    { key: 'plan', cell: ({ plan }) => plan ?? '–' },
    { key: 'transactionRef', isExtra: true, cell: ({ transactionRef }) => transactionRef ?? '–' },
    { key: 'created_at', cell: ({ created_at }) => <DateTime value={created_at} /> },
  ],
  filters: [
    { key: 'status', ...selectFilter(statuses, 'Tous') },
    { key: 'paymentMethod', ...selectFilter(methods, 'Tous') },
    {
      key: 'toVerify',
      label: 'Vérification',
      isExtra: true,
      ...selectFilter([{ value: 'true', label: 'À vérifier' }], 'Tous'),
    },
    {
      key: 'subscriptionId',
      label: 'Abonnement',
      isExtra: true,
      ...choiceFilter(subscriptionChoices, 'Tous les abonnements'),
    },
    { key: 'planId', label: 'Plan', isExtra: true, ...choiceFilter(planChoices, 'Tous les plans') },
    { key: 'currency', isExtra: true, ...selectFilter(currencyOptions, 'Toutes') },
    ...periodControls.map((filter) => ({ ...filter, isExtra: true })),
  ],
  rowActions: [
    { label: 'Changer le statut', icon: RefreshCcw, right: 'payments.manage', dialog: StatusDialog },
  ],
  isLocked: ({ status, deposit }) => status === 'REFUNDED' || deposit !== null,
  isKept: ({ status }) => status === 'PAID',
  blank: {
    subscriptionId: '',
    amount: '0',
    currency: 'USD',
    status: 'PENDING',
    paymentMethod: 'VISA',
    transactionRef: '',
    authorizationCode: '',
    refundReason: '',
  },
  valuesOf: ({ amount, subscriptionId }) => ({ amount: formatTyped(amount), subscriptionId }),
  requiredToSubmit: ({ status, refundReason }) => status !== 'REFUNDED' || Boolean(refundReason?.trim()),
  form: ({ control, field, watch }, row) => (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <fieldset className="contents" disabled={row?.status === 'PAID'}>
          <ChoiceField
            control={control}
            name="subscriptionId"
            label="Abonnement"
            required
            className="sm:col-span-2"
            hint={!row && planFirst}
            placeholder="Nom de l’abonné…"
            search={subscriptionChoices.search}
            initial={
              row?.subscriptionId
                ? [{ value: row.subscriptionId, label: `${row.user.name}, ${row.plan ?? 'essai'}` }]
                : []
            }
          />
          <AmountField required {...field('amount')} />
          <SelectField options={currencyOptions} {...field('currency')} />
          <SelectField options={methods} {...field('paymentMethod')} />
        </fieldset>
        <SelectField options={statusesAfter(row?.status)} {...field('status')} />
      </div>
      {row && watch('status') === 'REFUNDED' && <RefundReason row={row} {...field('refundReason')} />}
      {watch('paymentMethod') === 'MOBILE_MONEY' && <OperatorChoice />}
      <TextField maxLength={200} {...field('transactionRef')} />
      <TextField maxLength={200} {...field('authorizationCode')} />
    </>
  ),
  details: (payment) => [
    { key: 'user', value: payment.user.name },
    { key: 'email', value: payment.user.email },
    { key: 'plan', value: payment.plan ?? '–' },
    { key: 'amount', value: formatMoney(payment.amount, payment.currency) },
    { key: 'status', value: <PaymentBadge payment={payment} /> },
    { key: 'paymentMethod', value: paymentMethodName(payment) },
    { label: 'Numéro', value: payment.deposit?.phone ? `+${payment.deposit.phone}` : '–' },
    { label: 'Motif', value: payment.deposit?.failure?.message ?? payment.refundReason ?? '–' },
    { key: 'transactionRef', value: payment.transactionRef ?? '–' },
    { key: 'authorizationCode', value: payment.authorizationCode ?? '–' },
    { key: 'created_at', value: formatDateTime(payment.created_at) },
    { key: 'updated_at', value: formatDateTime(payment.updated_at) },
  ],
})

/** The sums, then the list of payments. */
export function PaymentsOverview() {
  return (
    <AllPayments>
      <PaymentFigures />
    </AllPayments>
  )
}

// Only helps the person who records the payment; not stored.
function OperatorChoice() {
  const [operator, setOperator] = useState('')
  return (
    <SelectField
      label="Opérateur"
      placeholder="Choisir un opérateur…"
      value={operator}
      options={operators.map((value) => ({ value, label: operatorNames[value] }))}
      onChange={(event) => setOperator(event.currentTarget.value)}
    />
  )
}
