import { type FormEvent, useState } from 'react'
import { readCard } from '#features/payments/card/card.rules.ts'
import { checkout, upgradePrice, type waysToPay } from '#features/payments/checkout/checkout.contract.ts'
import { type AmountDue, priceIn, readPayer } from '#features/payments/checkout/checkout.rules.ts'
import {
  guessOperator,
  type Operator,
  operatorNames,
  operators,
  unbroken,
} from '#features/payments/mobile-money.rules.ts'
import type { Plan } from '#features/plans/plans.contract.ts'
import { ownAccess } from '#features/subscriptions/subscriptions.contract.ts'
import { nextStart } from '#features/subscriptions/subscriptions.rules.ts'
import type { AnswerOf } from '#shared/contract.ts'
import { readPhone } from '#shared/phone.ts'
import { formatCount, formatDate, formatMoney, formatNumber } from '#web/format.ts'
import { useAttempt } from '#web/forms/attempt.ts'
import { LoadFailure } from '#web/load-failure.tsx'
import { statementOf, useAction, useAnswer } from '#web/query.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { ErrorNote } from '#web/ui/error-state.tsx'
import { TextField } from '#web/ui/inputs.tsx'
import { Segmented } from '#web/ui/segmented.tsx'
import { SelectField } from '#web/ui/select-field.tsx'

type PayerFormProps = {
  plan: Plan
  ways: AnswerOf<typeof waysToPay>
  isRenewal: boolean
  onPayment: (id: number) => void
  /** Called when the payment was refused, or no response came. */
  onFailure: () => void
  onChangePlan: () => void
}

/** The form of a payment: number and guessed operator, or card, then a confirmation of the plan. */
export function PayerForm({ plan, ways, isRenewal, onPayment, onFailure, onChangePlan }: PayerFormProps) {
  // When renewing, the last number is filled in.
  const { lastPayer } = ways
  const [method, setMethod] = useState<'MOBILE_MONEY' | 'VISA'>(
    ways.mobileMoney.length > 0 ? 'MOBILE_MONEY' : 'VISA',
  )
  const isByCard = method === 'VISA'
  const [phone, setPhone] = useState(lastPayer ? `+${lastPayer.phone}` : '')
  const prices = pricesOf(plan, ways)
  const [currency, setCurrency] = useState<AmountDue['currency']>(lastPayer?.currency ?? plan.currency)
  const price = prices.find((each) => each.currency === currency) ?? plan
  const upgrading = useAnswer(upgradePrice, { query: { planId: plan.id, currency: price.currency } })
  const upgrade = upgrading.data?.upgrade ?? null
  // A renewal begins at the end of the paid period.
  const [isAtTerm, setAtTerm] = useState(isRenewal)
  const now = upgrade && !isAtTerm ? upgrade : null
  const isPriceUnknown = upgrading.isPending && !isAtTerm
  const due: AmountDue = now ? { price: now.due, currency: now.currency } : price
  const [chosen, setChosen] = useState<Operator | null>(lastPayer?.operator ?? null)
  const [fault, setFault] = useState<{ field: string; message: string } | null>(null)
  // A renewal with a known number only needs a confirmation.
  const [isConfirming, setConfirming] = useState(
    () => isRenewal && lastPayer !== null && !('field' in readPayer(lastPayer, price, ways.mobileMoney)),
  )
  // Idempotency key: a request sent twice is paid once.
  const attempt = useAttempt()
  const payment = useAction(checkout, {
    onDone: ({ id }) => {
      setConfirming(false)
      onPayment(id)
    },
  })
  const access = useAnswer(ownAccess, {})
  const startsAt = access.data && nextStart(access.data, new Date())
  const read = readPhone(phone)
  const guess = read ? guessOperator(read) : undefined
  const operator = chosen ?? (guess === 'AFRICELL' ? undefined : guess)

  const submit = (event: FormEvent) => {
    event.preventDefault()
    event.stopPropagation()
    const payer =
      isByCard && ways.card
        ? readCard(due, ways.card)
        : readPayer({ phone, operator: chosen }, due, ways.mobileMoney)
    if ('field' in payer) return setFault(payer)
    setFault(null)
    payment.reset()
    setConfirming(true)
  }
  const confirm = () => {
    const body = {
      planId: plan.id,
      method,
      ...(!isByCard && { phone, operator: operator ?? null }),
      currency: due.currency,
      amount: due.price,
      when: now ? ('now' as const) : ('term' as const),
    }
    payment.mutate({ body, headers: attempt.headersFor(body) }, { onError: onFailure })
  }
  const errorOf = (field: string) => (fault?.field === field ? unbroken(fault.message) : undefined)
  return (
    <form onSubmit={submit} noValidate className="space-y-4">
      {ways.card && ways.mobileMoney.length > 0 && (
        <Segmented
          label="Moyen de paiement"
          value={method}
          options={[
            { value: 'MOBILE_MONEY', label: 'Mobile money' },
            { value: 'VISA', label: 'Carte bancaire' },
          ]}
          onChange={(value) => {
            setMethod(value)
            setFault(null)
          }}
        />
      )}
      {isByCard ? (
        <p className="text-ink-soft">
          Vous payez sur la page sécurisée de FlexPay, qui seule voit votre carte, puis vous revenez ici.
        </p>
      ) : (
        <>
          <TextField
            label="Numéro mobile money"
            type="tel"
            autoComplete="tel"
            inputMode="tel"
            required
            placeholder="+243 81 345 67 89"
            value={phone}
            error={errorOf('phone')}
            onChange={(event) => {
              setPhone(event.currentTarget.value)
              setChosen(null)
              setFault(null)
            }}
          />
          <SelectField
            label="Opérateur"
            required
            placeholder="Selon le numéro"
            value={operator ?? ''}
            error={errorOf('operator')}
            options={operators.map((value) => ({ value, label: operatorNames[value] }))}
            onChange={(event) => {
              setChosen((event.currentTarget.value || null) as Operator | null)
              setFault(null)
            }}
          />
        </>
      )}
      {prices.length > 1 && ways.rate && (
        <SelectField
          label="Payer en"
          value={currency}
          hint={`1\u00a0$US = ${formatMoney(ways.rate.cdfPerUsd, 'CDF')}, taux du ${formatDate(ways.rate.day)}`}
          options={prices.map((each) => ({
            value: each.currency,
            label: `${each.currency === 'USD' ? 'Dollars' : 'Francs congolais'}\u00a0: ${formatMoney(each.price, each.currency)}`,
          }))}
          onChange={(event) => {
            setCurrency(event.currentTarget.value as AmountDue['currency'])
            setFault(null)
          }}
        />
      )}
      {upgrade && (
        <SelectField
          label="Ce plan commence"
          value={isAtTerm ? 'term' : 'now'}
          hint={
            now
              ? `${formatMoney(now.price, now.currency)} moins ${formatMoney(now.credit, now.currency)}\u00a0: ${formatCount(now.daysLeft, 'jour', 'jours')} sur ${formatNumber(now.totalDays)} de votre plan actuel ne sont pas utilisés.`
              : 'Votre plan actuel continue jusque-là.'
          }
          options={[
            { value: 'now', label: `Tout de suite\u00a0: ${formatMoney(upgrade.due, upgrade.currency)}` },
            {
              value: 'term',
              label: `${startsAt ? `Le ${formatDate(startsAt)}` : 'Au terme'}\u00a0: ${formatMoney(price.price, price.currency)}`,
            },
          ]}
          onChange={(event) => {
            setAtTerm(event.currentTarget.value === 'term')
            setFault(null)
          }}
        />
      )}
      {upgrading.error && !upgrading.data && (
        <LoadFailure compact title="Erreur lors du calcul d’un début immédiat" answer={upgrading} />
      )}
      <p className="text-ink-soft">{'Espèces\u00a0: auprès de notre équipe.'}</p>
      {errorOf('planId') && <ErrorNote>{errorOf('planId')}</ErrorNote>}
      <div className="flex flex-wrap gap-3 *:max-sm:flex-1">
        <Button type="submit" variant="primary" busy={isPriceUnknown}>
          Valider le paiement
        </Button>
        <Button onClick={onChangePlan}>Changer de plan</Button>
      </div>
      <Dialog
        open={isConfirming}
        size="sm"
        title="Confirmer l’abonnement"
        busy={payment.isPending}
        error={payment.error && statementOf(payment.error)}
        onClose={() => setConfirming(false)}
        footer={
          <>
            <Button onClick={() => setConfirming(false)} disabled={payment.isPending}>
              Modifier
            </Button>
            <Button variant="primary" busy={payment.isPending} onClick={confirm} data-autofocus>
              Confirmer
            </Button>
          </>
        }
      >
        <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2 *:[dd]:text-right *:[dd]:font-medium">
          <dt>Plan</dt>
          <dd>{plan.name}</dd>
          {now && (
            <>
              <dt>Prix</dt>
              <dd>{formatMoney(now.price, now.currency)}</dd>
              <dt>Jours non utilisés</dt>
              <dd>{formatMoney(-now.credit, now.currency)}</dd>
            </>
          )}
          <dt>{now ? 'À payer' : 'Montant'}</dt>
          <dd>{formatMoney(due.price, due.currency)}</dd>
          <dt>Période</dt>
          <dd>
            {plan.billingPeriod === 'YEARLY' ? '1 an' : '1 mois'}
            {now ? ', tout de suite' : startsAt && `, à partir du ${formatDate(startsAt)}`}
          </dd>
          <dt>{isByCard ? 'Moyen' : 'Numéro'}</dt>
          <dd>{isByCard ? 'Carte bancaire' : phone}</dd>
        </dl>
      </Dialog>
    </form>
  )
}

/** Returns the plan's price in each accepted currency, its own first. */
function pricesOf(plan: Plan, { rate, mobileMoney, card }: PayerFormProps['ways']): AmountDue[] {
  const other = plan.currency === 'USD' ? 'CDF' : 'USD'
  const isTaken = card?.currencies.includes(other) || mobileMoney.some(({ currency }) => currency === other)
  const converted = isTaken ? priceIn(plan, other, rate?.cdfPerUsd) : undefined
  return converted ? [plan, converted] : [plan]
}
