import { useSyncExternalStore } from 'react'
import { lateSince } from '#features/collection/phone/phone.rules.ts'
import { leftOf, type PhoneState, setPhoneState } from '#features/collection/phone/ui/phone-state.ts'
import { unanswered } from '#features/collection/phone/ui/returned.ts'
import { statusText } from '#features/collection/phone/ui/words.ts'
import { followNetwork, isOnline } from '#web/network.ts'

/** Whether there is a network, and how many entries are unsent; opens the list of unsent entries. */
export function StatusLine({ state }: { state: PhoneState }) {
  const hasNetwork = useSyncExternalStore(followNetwork, isOnline)
  const { unsent, photos, toCheck } = leftOf(state)
  const since = lateSince(unsent, Date.now())
  const returned = unanswered(state).length
  return (
    <>
      <button
        type="button"
        className={hasNetwork && toCheck + returned === 0 && !since ? 'status' : 'status alerting'}
        onClick={() => setPhoneState({ screen: 'sends' })}
      >
        <span>{statusText({ hasNetwork, unsent: unsent.length, since, photos, toCheck, returned })}</span>
        <span aria-hidden>›</span>
      </button>
      <p className="failure" role="alert">
        {state.failure}
      </p>
    </>
  )
}
