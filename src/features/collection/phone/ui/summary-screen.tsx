import { useState } from 'react'
import { keyOfGood, type PhoneEntry } from '#features/collection/phone/phone.rules.ts'
import { select } from '#features/collection/phone/ui/field-store.ts'
import {
  draftsOf,
  entriesOfVisit,
  itemsOfVisit,
  leftOf,
  setPhoneState,
  type VisitScreenProps,
} from '#features/collection/phone/ui/phone-state.ts'
import { endVisit } from '#features/collection/phone/ui/rounds.ts'
import { StatusLine } from '#features/collection/phone/ui/status-line.tsx'
import {
  amountText,
  countWords,
  entryText,
  leftText,
  momentText,
  shortDay,
} from '#features/collection/phone/ui/words.ts'

/** The end of a visit: counts by kind, and the entries to check because they differ from the last visit. */
export function SummaryScreen({ state, round, visit }: VisitScreenProps) {
  const items = itemsOfVisit(state)
  const entries = [...entriesOfVisit(state).values()]
  const lastOf = new Map(items.map(({ key, lastPrice }) => [key, lastPrice]))
  const countOf = (kind: PhoneEntry['kind']) => entries.filter((entry) => entry.kind === kind).length
  const doubtful = entries.filter(({ isDoubtful }) => isDoubtful)
  const different = [
    ...doubtful,
    ...entries.filter((entry) => entry.kind !== 'unchanged' && !entry.isDoubtful),
  ]
  const missing = items.length - entries.length
  const left = leftOf(state)
  const typed = draftsOf(visit)
  const drafted = items.filter(({ key }) => typed[key])
  const [firstDrafted] = drafted
  const [isAsked, setAsked] = useState(false)
  return (
    <>
      <header>
        <button
          type="button"
          className="plain"
          aria-label="Revenir aux produits"
          onClick={() => setPhoneState({ screen: 'round' })}
        >
          ←
        </button>
        <div>
          <h1>{round.market.name}</h1>
          <p>{`Visite du ${shortDay(visit.startedAt)}`}</p>
        </div>
      </header>
      <StatusLine state={state} />
      <main className="scroll">
        <h2>
          {`${entries.length} sur ${items.length}, ${firstDrafted ? 'des prix ne sont pas enregistrés' : 'tout est gardé'}`}
        </h2>
        {firstDrafted && (
          <p className="doubt">
            {`${countWords(drafted.length, 'prix tapé n’est pas enregistré', 'prix tapés ne sont pas enregistrés')}\u00a0: `}
            <strong>{drafted.map(({ key, name }) => `${name} (${typed[key]})`).join(', ')}</strong>
          </p>
        )}
        <dl className="figures">
          {[
            [countOf('unchanged'), 'inchangés'],
            [countOf('typed') - doubtful.length, 'saisis'],
            [countOf('absent'), 'absents'],
            [doubtful.length, 'à vérifier'],
          ].map(([count, word]) => (
            <div key={word}>
              <dt>{word}</dt>
              <dd>{count}</dd>
            </div>
          ))}
        </dl>
        {missing > 0 && (
          <p className="note">{`${countWords(missing, 'produit n’est pas relevé', 'produits ne sont pas relevés')}\u00a0: rien n’en est dit.`}</p>
        )}
        {different.length > 0 && <h3>À relire avant de partir</h3>}
        <ul className="rows">
          {different.map((entry) => {
            const last = lastOf.get(keyOfGood(entry))
            return (
              <li key={entry.id}>
                <button type="button" onClick={() => void select(keyOfGood(entry))}>
                  <span>
                    <strong>{entry.label}</strong>
                    <small>
                      {entry.isDoubtful ? 'inhabituel, ' : ''}
                      {last ? `avant ${amountText(last.value, last.currency)}` : 'premier prix'}
                    </small>
                  </span>
                  <span>{entryText(entry)}</span>
                </button>
              </li>
            )
          })}
        </ul>
        <p className="note">
          {leftText({ ...left, unsent: left.unsent.length })}{' '}
          {state.lastReceivedAt && `Dernier envoi reçu\u00a0: ${momentText(state.lastReceivedAt)}.`}
        </p>
      </main>
      <footer>
        {/* Above the other, so that a second tap on « Terminer » does not fall on it. */}
        {firstDrafted && isAsked && (
          <button type="button" onClick={() => void endVisit()}>
            {drafted.length > 1 ? 'Terminer sans ces prix' : 'Terminer sans ce prix'}
          </button>
        )}
        {firstDrafted && (
          <button type="button" className="main" onClick={() => void select(firstDrafted.key)}>
            {`Enregistrer ${firstDrafted.name}`}
          </button>
        )}
        {!(firstDrafted && isAsked) && (
          <button
            type="button"
            className={firstDrafted ? undefined : 'main'}
            onClick={() => (firstDrafted ? setAsked(true) : void endVisit())}
          >
            Terminer la visite
          </button>
        )}
      </footer>
    </>
  )
}
