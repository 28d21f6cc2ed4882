import { useSyncExternalStore } from 'react'
import { MarketsScreen } from '#features/collection/phone/ui/markets-screen.tsx'
import { phoneState, subscribeToPhone, unreceived } from '#features/collection/phone/ui/phone-state.ts'
import { RoundScreen } from '#features/collection/phone/ui/round-screen.tsx'
import { SendsScreen } from '#features/collection/phone/ui/sends-screen.tsx'
import { SignInScreen } from '#features/collection/phone/ui/sign-in-screen.tsx'
import { SummaryScreen } from '#features/collection/phone/ui/summary-screen.tsx'

/** The field tool, which shows one screen at a time. */
export function FieldProgram() {
  const state = useSyncExternalStore(subscribeToPhone, phoneState)
  if (!state.isLoaded) return <LoadingScreen failure={state.failure} />
  if (state.agentId === null) return <SignInScreen waiting={state.entries.filter(isWaiting).length} />
  if (state.screen === 'sends') return <SendsScreen state={state} entries={unreceived(state)} />
  if (state.screen === 'summary' && state.round) return <SummaryScreen state={state} round={state.round} />
  if (state.screen === 'round' && state.round) return <RoundScreen state={state} round={state.round} />
  return <MarketsScreen state={state} />
}

function LoadingScreen({ failure }: { failure: string | null }) {
  if (!failure) return <p className="wait">Chargement…</p>
  return (
    <main className="scroll">
      <p className="failure" role="alert">
        {failure}
      </p>
      <button type="button" className="main" onClick={() => location.reload()}>
        Réessayer
      </button>
    </main>
  )
}

const isWaiting = ({ state }: { state: string }) => state !== 'received'
