import { useSyncExternalStore } from 'react'
import { isUnreceived } from '#features/collection/phone/phone.rules.ts'
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
  if (state.agentId === null) return <SignInScreen waiting={state.entries.filter(isUnreceived).length} />
  if (state.screen === 'sends') return <SendsScreen state={state} entries={unreceived(state)} />
  const { screen, round, visit } = state
  if (screen === 'summary' && round && visit)
    return <SummaryScreen state={state} round={round} visit={visit} />
  if (screen === 'round' && round && visit) return <RoundScreen state={state} round={round} visit={visit} />
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
