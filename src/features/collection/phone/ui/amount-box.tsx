import { writtenAmount } from '#features/collection/phone/phone.rules.ts'
import { CurrencyChoice } from '#features/collection/phone/ui/currency-choice.tsx'
import { ambiguityOf } from '#shared/amounts.ts'
import type { Currency } from '#shared/fields.ts'
import { moneyText } from '#shared/money.ts'

type AmountBoxProps = {
  id: string
  label: string
  currency: Currency
  typed: string
  onType: (typed: string) => void
  onCurrency: (currency: Currency) => void
}

/** A box for a price typed on the phone's own keyboard. A price with a mark is shown as it is understood. */
export function AmountBox({ id, label, currency, typed, onType, onCurrency }: AmountBoxProps) {
  const reading = readingOf(typed, currency)
  return (
    <>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        inputMode="decimal"
        autoComplete="off"
        aria-describedby={`${id}-reading`}
        value={typed}
        onChange={(event) => onType(event.target.value)}
      />
      <CurrencyChoice currency={currency} onChange={onCurrency} />
      <small id={`${id}-reading`} role="status">
        {reading}
      </small>
    </>
  )
}

function readingOf(typed: string, currency: Currency): string | null {
  const amount = writtenAmount(typed)
  if (amount !== null) return /\D/.test(typed) ? `Lu\u00a0: ${moneyText(amount, currency)}` : null
  const ambiguity = ambiguityOf(typed)
  if (ambiguity) return `${ambiguity}.`
  return typed.trim() === '' ? null : 'Un prix est attendu, avec deux décimales au plus.'
}
