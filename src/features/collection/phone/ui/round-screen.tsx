import { useEffect, useRef } from 'react'
import { keyOfGood, type PhoneEntry, type RoundItem } from '#features/collection/phone/phone.rules.ts'
import { AddGood } from '#features/collection/phone/ui/add-good.tsx'
import { select, undo } from '#features/collection/phone/ui/field-store.ts'
import { GoodDock } from '#features/collection/phone/ui/good-dock.tsx'
import {
  entriesOfVisit,
  itemsOfVisit,
  setPhoneState,
  type VisitScreenProps,
} from '#features/collection/phone/ui/phone-state.ts'
import { StatusLine } from '#features/collection/phone/ui/status-line.tsx'
import { amountText, entryText, shortDay } from '#features/collection/phone/ui/words.ts'

/** The goods of a market at the top, the selected one at the bottom. */
export function RoundScreen({ state, round, visit }: VisitScreenProps) {
  const items = itemsOfVisit(state)
  const entries = entriesOfVisit(state)
  const current = items.find(({ key }) => key === visit.current)
  return (
    <>
      <header>
        <button
          type="button"
          className="plain"
          aria-label="Terminer la visite"
          onClick={() => setPhoneState({ screen: 'summary' })}
        >
          ←
        </button>
        <div>
          <h1>{round.market.name}</h1>
          <p>{`Ma tournée du ${shortDay(visit.startedAt)}`}</p>
        </div>
        <span className="count">{`${entries.size} / ${items.length}`}</span>
        <progress value={entries.size} max={Math.max(items.length, 1)} aria-label="Produits relevés" />
      </header>
      <StatusLine state={state} />
      <main className="scroll">
        {items.length === 0 && (
          <p className="note">
            Ce marché n’a pas encore de liste. Un collecteur la compose sur la page du marché.
          </p>
        )}
        <ul className="goods">
          {items.map((item) => (
            <GoodRow
              key={item.key}
              item={item}
              entry={entries.get(item.key)}
              draft={item.key === current?.key ? visit.typed : visit.drafts?.[item.key]}
              isCurrent={item.key === current?.key}
            />
          ))}
        </ul>
        <AddGood state={state} />
      </main>
      {current && (
        <GoodDock
          item={current}
          entry={entries.get(current.key)}
          typed={visit.typed}
          chosen={visit.currencies?.[current.productId]}
          onUndo={entries.size > 0 ? () => void undo() : null}
        />
      )}
    </>
  )
}

const marks: Record<PhoneEntry['kind'], [mark: string, word: string]> = {
  unchanged: ['=', 'inchangé'],
  typed: ['✓', 'relevé'],
  absent: ['∅', 'absent'],
  withdrawn: ['×', 'retiré'],
}

type GoodRowProps = {
  item: RoundItem
  entry: PhoneEntry | undefined
  /** The typed price of this good that is not stored yet. */
  draft: string | undefined
  isCurrent: boolean
}

function GoodRow({ item, entry, draft, isCurrent }: GoodRowProps) {
  const row = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (isCurrent) row.current?.scrollIntoView({ block: 'center' })
  }, [isCurrent])
  const [mark, word] = entry ? marks[entry.kind] : ['', '']
  const last =
    item.lastPrice && !item.isBlind ? amountText(item.lastPrice.value, item.lastPrice.currency) : ''
  return (
    <li ref={row} className={isCurrent ? 'current' : undefined}>
      <button
        type="button"
        aria-current={isCurrent ? 'step' : undefined}
        onClick={() => void select(keyOfGood(item))}
      >
        <span className="mark" aria-hidden>
          {mark}
        </span>
        <span className="name">
          <span>{item.name}</span>
          <small>{`, ${item.weight}`}</small>
        </span>
        <span className={entry ? 'said' : 'last'}>
          {draft ? `brouillon ${draft}` : entry ? entryText(entry) : last}
          {entry && <span className="hidden">{word}</span>}
        </span>
      </button>
    </li>
  )
}
