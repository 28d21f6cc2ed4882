import { useEffect, useRef, useState } from 'react'
import { absenceWords } from '#features/collection/phone/absences.rules.ts'
import {
  beginningWith,
  doubtAbout,
  nearPrices,
  type PhoneEntry,
  type RoundItem,
  typedAmount,
} from '#features/collection/phone/phone.rules.ts'
import { CurrencyChoice } from '#features/collection/phone/ui/currency-choice.tsx'
import { chooseCurrency, enter, type GoodAnswer, typeKey } from '#features/collection/phone/ui/field-store.ts'
import { phoneState } from '#features/collection/phone/ui/phone-state.ts'
import { PhotoButton } from '#features/collection/phone/ui/photo-button.tsx'
import { sendSoon } from '#features/collection/phone/ui/sender.ts'
import { ageWords, amountText, bareText, entryText } from '#features/collection/phone/ui/words.ts'
import type { Currency } from '#shared/fields.ts'
import { moneyText } from '#shared/money.ts'

type GoodDockProps = {
  item: RoundItem
  /** The previous entry of this good. */
  entry: PhoneEntry | undefined
  typed: string
  /** The currency that the agent chose for this product. */
  chosen: Currency | undefined
  onUndo: (() => void) | null
}

type Asked = { asks: 'price' | 'absence'; doubted: number | null }
const nothingAsked: Asked = { asks: 'price', doubted: null }

/** Focuses an element when the good changes, if the button that was pressed is gone with the good before. */
function useFocusAfter(good: string) {
  const place = useRef<HTMLElement>(null)
  const former = useRef(good)
  useEffect(() => {
    if (former.current !== good && document.activeElement === document.body) place.current?.focus()
    former.current = good
  }, [good])
  return place
}

/** The controls of one good: unchanged in one tap, a price near the last, any price, or absent. */
export function GoodDock({ item, entry, typed, chosen, onUndo }: GoodDockProps) {
  const [asked, setAsked] = useState({ key: item.key, ...nothingAsked })
  // What is asked about a good ends with it; the buttons stay, and with them the focus.
  const { asks, doubted } = asked.key === item.key ? asked : nothingAsked
  const ask = (next: Partial<Asked>) => setAsked({ key: item.key, asks, doubted, ...next })
  const dock = useFocusAfter(item.key)
  const pressed = useRef(item.key)
  const last = item.isBlind ? null : item.lastPrice
  const currency = chosen ?? item.lastPrice?.currency ?? 'CDF'
  const doubt = doubted === null ? null : doubtAbout(doubted, currency, item)

  async function say(answer: GoodAnswer) {
    ask(nothingAsked)
    await enter(item, answer)
    sendSoon()
  }
  const sayPrice = (priceValue: number, isDoubtful = false) =>
    say({ kind: 'typed', priceValue, currency, isDoubtful })
  function offer(price: number) {
    if (doubtAbout(price, currency, item)) ask({ doubted: price })
    else void sayPrice(price)
  }
  function press(key: string) {
    ask({ doubted: null })
    void typeKey(key)
  }
  const amount = typedAmount(typed)
  const begun = beginningWith(typed, currency, item)
  // Trailing zeros need not be typed.
  const whole = begun.find((price) => String(price).replace(/0+$/, '') === typed.replace(/0+$/, '')) ?? amount

  const near =
    typed === '' && last?.currency === currency
      ? nearPrices(last.value, currency)
      : begun.filter((price) => price !== whole)

  return (
    <section
      ref={dock}
      tabIndex={-1}
      className="dock"
      aria-label={`${item.name}, ${item.weight}`}
      onPointerDown={() => {
        pressed.current = item.key
      }}
      onClickCapture={(event) => {
        // A press that began on the good before is not about this one; only a key of the pad is. A keyboard has none.
        const isOfPad = event.target instanceof Element && event.target.closest('.pad') !== null
        if (event.detail > 0 && !isOfPad && pressed.current !== item.key) event.stopPropagation()
      }}
    >
      <div className="asked">
        <p>
          <strong role="status">{`${item.name}, ${item.weight}`}</strong>{' '}
          <small>
            {item.isBlind
              ? 'sans le dernier prix'
              : item.absence && !entry
                ? `absent ${ageWords(item.absence.day)}`
                : entry
                  ? entryText(entry)
                  : last
                    ? ageWords(last.day)
                    : 'jamais relevé ici'}
          </small>
        </p>
        {onUndo && (
          <button type="button" onClick={onUndo}>
            Annuler
          </button>
        )}
        <PhotoButton
          place={{
            visit: phoneState().visit?.startedAt ?? '',
            good: item.key,
            label: `${item.name}, ${item.weight}`,
          }}
        />
        <button
          type="button"
          aria-pressed={asks === 'absence'}
          onClick={() => ask({ asks: asks === 'absence' ? 'price' : 'absence' })}
        >
          Absent
        </button>
      </div>
      {asks === 'absence' && (
        <div className="reasons">
          {absenceWords.map(([reason, words]) => (
            <button
              key={reason}
              type="button"
              onClick={() => void say({ kind: 'absent', reason, isDoubtful: false })}
            >
              {words}
            </button>
          ))}
        </div>
      )}
      {asks === 'price' && doubted !== null && doubt && (
        <div className="doubt" role="alert">
          <p>
            {doubt.times !== null && <strong>{timesWords(doubt.times)} </strong>}
            {item.usual
              ? `Ici, on paie d’habitude ${amountText(item.usual.low, 'CDF')} à ${moneyText(item.usual.high, 'CDF')}.`
              : 'Ce prix est loin du dernier.'}
          </p>
          {doubt.likely !== null && !item.isBlind && (
            <button type="button" className="main" onClick={() => void sayPrice(doubt.likely ?? doubted)}>
              {`C’est ${moneyText(doubt.likely, currency)}`}
            </button>
          )}
          <button type="button" onClick={() => void sayPrice(doubted, true)}>
            {`C’est bien ${moneyText(doubted, currency)}`}
          </button>
        </div>
      )}
      {asks === 'price' && (
        <div className="amount">
          {!doubt &&
            (typed === '' && last ? (
              <button
                type="button"
                className="main"
                onClick={() =>
                  void say({
                    kind: 'unchanged',
                    priceValue: last.value,
                    currency: last.currency,
                    isDoubtful: false,
                  })
                }
              >
                <span aria-hidden>=</span> <strong>{moneyText(last.value, last.currency)}</strong> inchangé
              </button>
            ) : (
              <button
                type="button"
                className="main"
                aria-disabled={whole === null}
                onClick={() => whole !== null && offer(whole)}
              >
                {whole === null ? 'Tapez le prix' : `OK, ${moneyText(whole, currency)}`}
              </button>
            ))}
          <CurrencyChoice
            currency={currency}
            onChange={(next) => {
              ask({ doubted: null })
              void chooseCurrency(item.productId, next)
            }}
          />
        </div>
      )}
      {asks === 'price' && !doubt && (
        <>
          {amount !== null && whole !== amount && (
            <button type="button" onClick={() => offer(amount)}>
              {`Seulement ${moneyText(amount, currency)}`}
            </button>
          )}
          {near.length > 0 && (
            <div className="near">
              {near.map((price) => (
                <button key={price} type="button" onClick={() => offer(price)}>
                  {bareText(price, currency)}
                </button>
              ))}
            </div>
          )}
        </>
      )}
      {asks === 'price' && (
        <div className="pad">
          {padOf(currency).map((key) => (
            <button
              key={key}
              type="button"
              aria-label={key === 'back' ? 'Effacer un chiffre' : undefined}
              onClick={() => press(key)}
            >
              {key === 'back' ? '⌫' : key}
            </button>
          ))}
        </div>
      )}
    </section>
  )
}

const padOf = (currency: string) => [
  ...['1', '2', '3', '4', '5', '6', '7', '8', '9'],
  ...[currency === 'USD' ? ',' : '00', '0', 'back'],
]

function timesWords(times: number): string {
  if (times >= 1) return `${times === 10 ? 'Dix' : 'Cent'} fois le prix habituel.`
  return `Un prix ${times === 0.1 ? 'dix' : 'cent'} fois plus petit que d’habitude.`
}
