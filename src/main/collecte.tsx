import { createRoot } from 'react-dom/client'
import { FieldProgram } from '#features/collection/phone/ui/field-program.tsx'
import { loadPhoneState } from '#features/collection/phone/ui/field-store.ts'
import { followServer } from '#features/collection/phone/ui/follow-server.ts'
import { noReading, setPhoneState } from '#features/collection/phone/ui/phone-state.ts'
import { findAgent, followDay } from '#features/collection/phone/ui/rounds.ts'
import { applyTheme } from '#web/theme.ts'
import { tolerateTranslation } from '#web/translated-text.ts'

const place = document.getElementById('root')
if (!place) throw new Error('the page has no place for the program')

applyTheme()
tolerateTranslation()
createRoot(place).render(<FieldProgram />)
await loadPhoneState().then(start, () => setPhoneState({ failure: noReading }))
void navigator.storage?.persist?.().catch(() => {})

function start() {
  void findAgent()
  followDay()
  followServer()
}

const workers = navigator.serviceWorker
if (workers) {
  const registration = await workers
    .register('/collecte-sw.js', { scope: '/collecte' })
    .catch(() => undefined)
  // Activates a new version only while the page is hidden, also one that is still being fetched when it is hidden.
  const activateWhenHidden = () => {
    if (document.hidden) registration?.waiting?.postMessage('take over')
  }
  registration?.addEventListener('updatefound', () =>
    registration.installing?.addEventListener('statechange', activateWhenHidden),
  )
  document.addEventListener('visibilitychange', () => {
    activateWhenHidden()
    if (!document.hidden) void registration?.update().catch(() => {})
  })
}
