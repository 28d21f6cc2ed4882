import { useState } from 'react'
import { addGood } from '#features/collection/phone/ui/field-store.ts'
import type { CatalogueGood, PhoneState } from '#features/collection/phone/ui/phone-state.ts'
import { foldedText } from '#features/collection/phone/ui/words.ts'

const mostShown = 12
/** Takes the focus from the button that opened the box, and is gone. */
const focusBox = (box: HTMLInputElement | null) => box?.focus()

/** Adds a good that is not on the market's list to this visit only, from the catalogue stored on the phone. */
export function AddGood({ state: { catalogue } }: { state: PhoneState }) {
  const [isOpen, setOpen] = useState(false)
  const [search, setSearch] = useState('')
  if (!isOpen)
    return (
      <button type="button" onClick={() => setOpen(true)}>
        Ajouter un autre produit
      </button>
    )
  const words = foldedText(search).split(' ')
  const found = search
    ? catalogue.filter(({ name, weight }) =>
        words.every((word) => foldedText(`${name} ${weight}`).includes(word)),
      )
    : []
  const isUnknown = search !== '' && catalogue.length > 0 && found.length === 0
  async function choose(good: CatalogueGood) {
    setOpen(false)
    setSearch('')
    await addGood(good)
  }
  return (
    <>
      <label htmlFor="other-good">Un produit qui n’est pas dans la liste</label>
      <input
        id="other-good"
        type="search"
        ref={focusBox}
        value={search}
        onChange={(event) => setSearch(event.target.value)}
      />
      {catalogue.length === 0 && (
        <p>Le catalogue n’est pas encore sur ce téléphone. Il arrive avec le réseau.</p>
      )}
      <p role="status" className={isUnknown ? undefined : 'hidden'}>
        {isUnknown && 'Aucun produit de ce nom.'}
      </p>
      <ul className="rows">
        {found.slice(0, mostShown).map((good) => (
          <li key={good.productId}>
            <button type="button" onClick={() => void choose(good)}>
              <span>{`${good.name}, ${good.weight}`}</span>
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}
