import { useState } from 'react'
import { writtenAmount } from '#features/collection/phone/phone.rules.ts'
import { AmountBox } from '#features/collection/phone/ui/amount-box.tsx'
import { PhotoButton } from '#features/collection/phone/ui/photo-button.tsx'
import { answerReturned, placeOfReturned } from '#features/collection/phone/ui/returned.ts'
import { dayAtMarkets, shortDay } from '#features/collection/phone/ui/words.ts'
import type { ReturnedPrice } from '#features/collection/returns/returns.contract.ts'
import { moneyText } from '#shared/money.ts'

/** The returned prices, with reason and day: corrected, confirmed or withdrawn in one tap. */
export function ReturnedList({ returned }: { returned: readonly ReturnedPrice[] }) {
  return (
    <>
      {returned.map((each) => (
        <ReturnedCard key={`${each.priceId} ${each.returnedAt}`} returned={each} />
      ))}
    </>
  )
}

function ReturnedCard({ returned }: { returned: ReturnedPrice }) {
  const { priceId, product, market, priceValue, currency, day, comment, dueOn, likely } = returned
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState(currency)
  const amount = writtenAmount(typed)
  const shown = moneyText(priceValue, currency)
  const isLate = dueOn < dayAtMarkets()
  const isCorrection = amount !== null && (amount !== priceValue || chosen !== currency)
  const field = `returned-${priceId}`
  return (
    <section className="returned" aria-labelledby={`${field}-title`}>
      <h3
        id={`${field}-title`}
        className="alerting"
      >{`↩ Renvoyé par votre superviseur\u00a0: ${comment}`}</h3>
      <p className="good">
        <span>
          <strong>{`${product.name}, ${product.weight}`}</strong>
          <small>{`${market.name} · le ${shortDay(day)}`}</small>
        </span>
        <strong>{shown}</strong>
      </p>
      <p className={isLate ? 'alerting' : undefined}>
        {`${isLate ? 'Réponse attendue depuis le' : 'À répondre avant le'} ${shortDay(dueOn)}`}
      </p>
      <PhotoButton place={{ ...placeOfReturned(returned), label: `${product.name}, ${product.weight}` }} />
      {likely !== null && (
        <button type="button" className="main" onClick={() => void answerReturned(returned, likely)}>
          {`C’était ${moneyText(likely, currency)}`}
        </button>
      )}
      <button type="button" onClick={() => void answerReturned(returned, priceValue)}>
        {`C’est bien ${shown}, je l’ai vu`}
      </button>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (isCorrection) void answerReturned(returned, amount, chosen)
        }}
      >
        <AmountBox
          id={field}
          label={likely === null ? 'Le bon prix' : 'Un autre prix'}
          currency={chosen}
          typed={typed}
          onType={setTyped}
          onCurrency={setChosen}
        />
        <button type="submit" aria-disabled={!isCorrection}>
          Corriger
        </button>
      </form>
      <button type="button" className="plain" onClick={() => void answerReturned(returned, null)}>
        {'Je ne sais plus\u00a0: écarter ce relevé'}
      </button>
    </section>
  )
}
