import { type SubmitEvent, useId, useState } from 'react'
import { type PhoneEntry, withDay, writtenAmount } from '#features/collection/phone/phone.rules.ts'
import { AmountBox } from '#features/collection/phone/ui/amount-box.tsx'
import { removeEntries, updateEntries } from '#features/collection/phone/ui/database.ts'
import { newId, oneEntryAtATime, storeInstead } from '#features/collection/phone/ui/field-store.ts'
import {
  noRoom,
  type PhoneState,
  phoneState,
  photosOfAgent,
  replaceEntries,
  setPhoneState,
} from '#features/collection/phone/ui/phone-state.ts'
import { PhotoList } from '#features/collection/phone/ui/photo-button.tsx'
import { fetchReturned, unanswered } from '#features/collection/phone/ui/returned.ts'
import { ReturnedList } from '#features/collection/phone/ui/returned-list.tsx'
import { sendAll } from '#features/collection/phone/ui/sender.ts'
import { entryText, momentText, shortDay, stateWords } from '#features/collection/phone/ui/words.ts'

/**
 * The entries that are not received, the reason, and the possible actions.
 * @param entries those of the agent
 */
export function SendsScreen({ state, entries }: { state: PhoneState; entries: readonly PhoneEntry[] }) {
  const photos = photosOfAgent(state)
  const lackDay = entries.filter(({ isDayNeeded }) => isDayNeeded)
  const shown = entries.filter(({ isDayNeeded }) => !isDayNeeded)
  return (
    <>
      <header>
        <button
          type="button"
          className="plain"
          aria-label="Revenir"
          onClick={() => setPhoneState({ screen: state.visit ? 'round' : 'markets' })}
        >
          ←
        </button>
        <div>
          <h1>Mes envois</h1>
          <p>
            {state.lastReceivedAt
              ? `Dernier envoi reçu\u00a0: ${momentText(state.lastReceivedAt)}`
              : 'Rien n’est encore reçu'}
          </p>
        </div>
      </header>
      <p className="failure" role="alert">
        {state.failure}
      </p>
      <main className="scroll">
        <ReturnedList returned={unanswered(state)} />
        {entries.length + photos.length === 0 && <p>Tout est reçu. Rien n’attend sur ce téléphone.</p>}
        {[...new Set(lackDay.map(({ visit }) => visit))].map((visit) => (
          <DayQuestion key={visit} entries={lackDay.filter((entry) => entry.visit === visit)} />
        ))}
        <ul className="rows">
          {shown.map((entry) => (
            <li key={entry.id}>
              <p>
                <strong>{entry.label}</strong>
                <small>{`${entryText(entry)}, ${shortDay(entry.deviceAt)}`}</small>
                <small className={entry.state === 'check' ? 'alerting' : undefined}>
                  {[stateWords[entry.state], entry.message].filter(Boolean).join('\u00a0: ')}
                </small>
              </p>
              {entry.state === 'check' && <Correction entry={entry} />}
            </li>
          ))}
        </ul>
        <PhotoList photos={photos} />
      </main>
      <footer>
        <button
          type="button"
          className="main"
          aria-busy={state.isSending}
          onClick={() => void sendAll(true).then(fetchReturned)}
        >
          {state.isSending ? 'Envoi…' : 'Envoyer maintenant'}
        </button>
      </footer>
    </>
  )
}

/** Asks for the day of the entries of a visit whose clock cannot be trusted; it is never guessed. */
function DayQuestion({ entries }: { entries: readonly PhoneEntry[] }) {
  const id = useId()
  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    const day = String(new FormData(event.currentTarget).get('day'))
    const dated = entries.map((entry) => withDay(entry, day))
    try {
      await updateEntries(dated)
    } catch {
      setPhoneState({ failure: noRoom })
      return
    }
    replaceEntries(dated)
    void sendAll(true)
  }
  return (
    <form className="doubt" onSubmit={submit}>
      <label htmlFor={id}>
        {`L’horloge du téléphone a changé. Quel jour avez-vous fait ${entries.length > 1 ? `ces ${entries.length} relevés` : 'ce relevé'}\u202f?`}
      </label>
      <small>{entries.map(({ label }) => label).join(' · ')}</small>
      <input id={id} name="day" type="date" required />
      <button type="submit" className="main">
        C’était ce jour-là
      </button>
    </form>
  )
}

/** A refused entry, which only its agent corrects or removes. */
function Correction({ entry }: { entry: PhoneEntry }) {
  const [typed, setTyped] = useState('')
  const [currency, setCurrency] = useState(entry.currency)
  const amount = writtenAmount(typed)
  const put = (corrected: PhoneEntry | null) =>
    oneEntryAtATime(async () => {
      if (!phoneState().entries.some(({ id }) => id === entry.id)) return
      if (corrected) {
        if (await storeInstead(corrected, entry)) void sendAll(true)
        return
      }
      try {
        await removeEntries([entry.id])
      } catch {
        setPhoneState({ failure: noRoom })
        return
      }
      setPhoneState({ entries: phoneState().entries.filter(({ id }) => id !== entry.id) })
    })
  const hasDay = entry.day !== null
  const isIncomplete = amount === null && (!hasDay || typed.trim() !== '')
  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    if (isIncomplete) return
    const day = hasDay ? String(new FormData(event.currentTarget).get('day')) : null
    const said = { currency, ...(amount !== null && { kind: 'typed' as const, priceValue: amount }) }
    // The readings of the clock stay those of the entry: the clock may have been set since.
    await put({ ...entry, ...said, id: newId(), state: 'waiting', message: null, day })
  }
  const withdrawing = (
    <button type="button" onClick={() => void put(null)}>
      Retirer
    </button>
  )
  // An answer is given again from the list of returned prices.
  if (entry.answers) return withdrawing
  return (
    <form onSubmit={submit}>
      <AmountBox
        id={entry.id}
        label="Le bon prix"
        currency={currency}
        typed={typed}
        onType={setTyped}
        onCurrency={setCurrency}
      />
      {entry.day !== null && (
        <>
          <label htmlFor={`${entry.id}-day`}>Le bon jour</label>
          <input id={`${entry.id}-day`} name="day" type="date" required defaultValue={entry.day} />
        </>
      )}
      <button type="submit" aria-disabled={isIncomplete}>
        Corriger
      </button>
      {withdrawing}
    </form>
  )
}
