import { useState, useSyncExternalStore } from 'react'
import { type PhoneState, unreceived } from '#features/collection/phone/ui/phone-state.ts'
import { unanswered } from '#features/collection/phone/ui/returned.ts'
import { ReturnedList } from '#features/collection/phone/ui/returned-list.tsx'
import { beginVisit, leavePhone } from '#features/collection/phone/ui/rounds.ts'
import { StatusLine } from '#features/collection/phone/ui/status-line.tsx'
import { countWords, foldedText, shortDay } from '#features/collection/phone/ui/words.ts'
import { mostRoundMarkets } from '#features/collection/rounds/rounds.rules.ts'
import { followNetwork, isOnline } from '#web/network.ts'

const fewMarkets = 8
/** A slow phone takes seconds to draw a list of hundreds. */
const mostShown = 200

/** The markets to visit, the agent's own first. */
export function MarketsScreen({ state }: { state: PhoneState }) {
  const [search, setSearch] = useState('')
  const [isLeaving, setLeaving] = useState(false)
  const agent = state.agents.find(({ userId }) => userId === state.agentId)
  const found = state.markets.filter(({ name, location }) =>
    foldedText(`${name} ${location}`).includes(foldedText(search)),
  )
  return (
    <>
      <header>
        <div>
          <h1>Ma tournée</h1>
          <p>{agent?.name}</p>
        </div>
        <button type="button" className="plain" onClick={() => setLeaving(!isLeaving)}>
          Changer d’agent
        </button>
      </header>
      <StatusLine state={state} />
      {isLeaving && <LeavingQuestion waiting={unreceived(state).length} onStay={() => setLeaving(false)} />}
      <main className="scroll">
        <ReturnedList returned={unanswered(state)} />
        <h2>Choisissez le marché</h2>
        <p role="status" className="hidden">
          {state.opening !== null && 'Chargement de la liste…'}
        </p>
        {state.markets.length > fewMarkets && (
          <input
            type="search"
            aria-label="Chercher un marché"
            placeholder="Chercher un marché"
            value={search}
            onChange={(event) => setSearch(event.target.value)}
          />
        )}
        {state.markets.length === 0 && <p>La liste des marchés arrive dès que le réseau est là.</p>}
        <ul className="rows">
          {found.slice(0, mostShown).map(({ id, name, location, isOwn, plannedOn }) => (
            <li key={id}>
              <button type="button" aria-busy={state.opening === id} onClick={() => void beginVisit(id)}>
                <span>
                  <strong>{name}</strong>
                  {plannedOn && (
                    <small className="alerting">{`visite prévue le ${shortDay(plannedOn)}`}</small>
                  )}
                  {state.opening === id && <small aria-hidden>Chargement de la liste…</small>}
                  <small>{isOwn ? `${location}, votre marché` : location}</small>
                </span>
                <span aria-hidden>›</span>
              </button>
            </li>
          ))}
        </ul>
        {found.length > mostShown && (
          <p>{`${countWords(found.length - mostShown, 'autre marché', 'autres marchés')}\u00a0: cherchez par le nom ou le lieu.`}</p>
        )}
        {state.markets.length >= mostRoundMarkets && (
          <p>La liste est coupée&nbsp;: pour un marché qui n’y est pas, demandez qu’on vous l’attribue.</p>
        )}
      </main>
    </>
  )
}

/** Leaving deletes the agent's key: only the network and the password bring the agent back. */
function LeavingQuestion({ waiting, onStay }: { waiting: number; onStay: () => void }) {
  const hasNetwork = useSyncExternalStore(followNetwork, isOnline)
  return (
    <section className="doubt leaving" role="alert">
      <p>
        {waiting > 0 &&
          `${countWords(waiting, 'relevé attend et part', 'relevés attendent et partent')} quand vous revenez sur ce téléphone. `}
        {hasNetwork
          ? 'Pour revenir, il faut le réseau et votre mot de passe.'
          : 'Vous êtes hors ligne\u00a0: personne ne pourra collecter sur ce téléphone avant le retour du réseau.'}
      </p>
      <button type="button" className="main" onClick={onStay}>
        Rester
      </button>
      <button type="button" onClick={() => void leavePhone()}>
        Quitter ce téléphone
      </button>
    </section>
  )
}
