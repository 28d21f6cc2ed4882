import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { config } from 'zod/v4/core'
import { authAddresses } from '#features/auth/auth.addresses.ts'
import type { login, logout, refresh } from '#features/auth/auth.contract.ts'
import { mayHaveSession } from '#features/auth/auth.rules.ts'
import { priceWords } from '#features/prices/ui/chart-words.ts'
import { askDemonstration } from '#main/is-demonstration.tsx'
import { router } from '#main/pages.tsx'
import { ApiError, exchange } from '#web/api.ts'
import { followArrivals } from '#web/arrival.ts'
import { addPopovers } from '#web/popovers.ts'
import { startSession } from '#web/session.ts'
import { applyTheme } from '#web/theme.ts'
import { tolerateTranslation } from '#web/translated-text.ts'
import { ChartWordsContext } from '#web/ui/charts/chart-words.ts'

// Must run before any schema is created: the content security policy refuses the code that zod would compile.
config({ jitless: true })

const place = document.getElementById('root')
if (!place) throw new Error('the page has no place for the program')

applyTheme()
tolerateTranslation()
followArrivals(router)
void startSession({
  signIn(body) {
    void askDemonstration()
    return exchange<typeof login>(authAddresses.login, { body })
  },
  async refresh() {
    // Without this check the server would answer 401, which browsers log as an error of the page.
    if (!mayHaveSession(document.cookie)) throw new ApiError(401, 'Connectez-vous pour continuer.')
    const isAsked = askDemonstration()
    const session = await exchange<typeof refresh>(authAddresses.refresh, {})
    await isAsked
    return session
  },
  signOut: (token) => exchange<typeof logout>(authAddresses.logout, {}, token),
})
await addPopovers()
createRoot(place).render(
  <StrictMode>
    <ChartWordsContext value={priceWords}>
      <RouterProvider router={router} />
    </ChartWordsContext>
  </StrictMode>,
)

/**
 * Delay in ms before the service worker is registered, so that the requested page has all the bandwidth of a slow
 * connection.
 */
const idleMs = 4_000
// Public pages register the worker too, but a user may open a page of the program first. Without the worker, a reload
// while offline shows the browser's own error page. A failed registration is harmless.
setTimeout(() => void navigator.serviceWorker?.register('/sw.js').catch(() => {}), idleMs)
