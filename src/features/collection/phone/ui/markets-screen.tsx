import { useState } from 'react'
import type { FieldState } from '#features/collection/phone/ui/field-store.ts'
import { unanswered } from '#features/collection/phone/ui/returned.ts'
import { ReturnedList } from '#features/collection/phone/ui/returned-list.tsx'
import { beginVisit, leavePhone } from '#features/collection/phone/ui/rounds.ts'
import { StatusLine } from '#features/collection/phone/ui/status-line.tsx'
import { foldedText, shortDay } from '#features/collection/phone/ui/words.ts'

const fewMarkets = 8

/** The markets to visit, the agent's own first. */
export function MarketsScreen({ state }: { state: FieldState }) {
  const [search, setSearch] = useState('')
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
        <button type="button" className="plain" onClick={() => void leavePhone()}>
          Changer d’agent
        </button>
      </header>
      <StatusLine state={state} />
      <main className="scroll">
        <ReturnedList returned={unanswered(state)} />
        <h2>Choisissez le marché</h2>
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
          {found.map(({ id, name, location, isOwn, plannedOn }) => (
            <li key={id}>
              <button type="button" onClick={() => void beginVisit(id)}>
                <span>
                  <strong>{name}</strong>
                  {plannedOn && (
                    <small className="alerting">{`visite prévue le ${shortDay(plannedOn)}`}</small>
                  )}
                  <small>{isOwn ? `${location}, votre marché` : location}</small>
                </span>
                <span aria-hidden>›</span>
              </button>
            </li>
          ))}
        </ul>
      </main>
    </>
  )
}
