import { useSyncExternalStore } from 'react'
import { lateSince } from '#features/collection/phone/phone.rules.ts'
import { type PhoneState, setPhoneState, unreceived } from '#features/collection/phone/ui/phone-state.ts'
import { unanswered } from '#features/collection/phone/ui/returned.ts'
import { countWords, shortDay } from '#features/collection/phone/ui/words.ts'
import { followNetwork, isOnline } from '#web/network.ts'

/** Whether there is a network, and how many entries are unsent; opens the list of unsent entries. */
export function StatusLine({ state }: { state: PhoneState }) {
  const hasNetwork = useSyncExternalStore(followNetwork, isOnline)
  const waiting = unreceived(state)
  const unsent = waiting.filter((entry) => entry.state !== 'check')
  const toCheck = waiting.length - unsent.length
  const left = unsent.length
  const since = lateSince(unsent, Date.now())
  const photos = state.photos.filter(({ agentId }) => agentId === state.agentId).length
  const returned = unanswered(state).length
  const parts = [
    hasNetwork ? null : 'Hors ligne',
    left > 0
      ? `${left} à envoyer${since ? ` depuis le ${shortDay(since)}` : ''}`
      : hasNetwork && photos === 0
        ? 'Tout est reçu'
        : 'Rien à envoyer',
    photos > 0 ? countWords(photos, 'photo', 'photos') : null,
    returned > 0 ? `${returned} à revoir` : null,
    toCheck > 0 ? countWords(toCheck, 'à vérifier', 'à vérifier') : null,
  ]
  return (
    <>
      <button
        type="button"
        className={hasNetwork && toCheck + returned === 0 && !since ? 'status' : 'status alerting'}
        onClick={() => setPhoneState({ screen: 'sends' })}
      >
        <span>{parts.filter(Boolean).join(' · ')}</span>
        <span aria-hidden>›</span>
      </button>
      <p className="failure" role="alert">
        {state.failure}
      </p>
    </>
  )
}
