import type { Currency } from '#shared/fields.ts'

type CurrencyChoiceProps = { currency: Currency; onChange: (currency: Currency) => void }

const words: [Currency, string][] = [
  ['CDF', 'FC'],
  ['USD', '$US'],
]

/** The currency of the price beside it: francs or dollars. */
export function CurrencyChoice({ currency, onChange }: CurrencyChoiceProps) {
  return (
    <fieldset className="currency" aria-label="Devise du prix">
      {words.map(([each, word]) => (
        <button key={each} type="button" aria-pressed={each === currency} onClick={() => onChange(each)}>
          {word}
        </button>
      ))}
    </fieldset>
  )
}
