import { QueryClientProvider } from '@tanstack/react-query'
import {
  type HistoryState,
  lazyRouteComponent,
  Outlet,
  type ParsedLocation,
  useMatches,
  useRouter,
} from '@tanstack/react-router'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import type { Permission } from '#shared/permissions.ts'
import { useDefaultTitle } from '#web/arrival.ts'
import { createQueryClient } from '#web/query.ts'
import { startSession, useSession } from '#web/session.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Toaster } from '#web/ui/toasts.tsx'

declare module '@tanstack/react-router' {
  /** What the site map says of a page. */
  interface StaticDataRouteOption {
    title?: string
    permission?: Permission
  }
  interface HistoryState {
    /** Where to go once signed in. */
    returnTo?: string
  }
}

const home = '/dashboard'

/** What surrounds the protected pages, in a chunk that visitors do not load. */
export const LazyShell = lazyRouteComponent(() => import('#main/shell.tsx'), 'Shell')

/** Around every page: its title, and the notifications. */
export function Root() {
  const page = useMatches({ select: (matches) => matches.at(-1)?.staticData })
  useDefaultTitle(page?.title ?? 'Page non trouvée')
  return (
    <>
      <Outlet />
      <Toaster />
    </>
  )
}

/** Pages for visitors only: whoever is signed in is already where they lead. */
export function Guest() {
  const session = useSession()
  return session.status === 'in' ? (
    <Redirect goal={({ state }) => ({ href: state.returnTo ?? home })} />
  ) : (
    <Outlet />
  )
}

/** Pages of the administration: for somebody signed in, with the right that the page needs. */
export function Protected() {
  const session = useSession()
  switch (session.status) {
    case 'loading':
      return <Alone>Chargement...</Alone>
    case 'unreachable':
      return (
        <Alone>
          <ErrorState
            title="Erreur de connexion"
            message="Le serveur ne répond pas. Vérifiez votre connexion et réessayez."
            onRetry={() => startSession()}
          />
        </Alone>
      )
    case 'out':
      return (
        <Redirect
          goal={({ href }) => ({ href: '/auth/login', state: session.byChoice ? {} : { returnTo: href } })}
        />
      )
    case 'in':
      return (
        <Answers>
          <LazyShell />
        </Answers>
      )
  }
}

/** What the server answered one user. Comes with the sign-in page, while whoever reads it has yet to type. */
function Answers({ children }: { children: ReactNode }) {
  const [client] = useState(createQueryClient)
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>
}

type Goal = { href: string; state?: HistoryState }

/** Goes elsewhere, once, from where one is when it appears; nothing typed here can be saved any more. */
function Redirect({ goal }: { goal: (here: ParsedLocation) => Goal }) {
  const router = useRouter()
  const go = useEffectEvent(() =>
    router.navigate({ ...goal(router.latestLocation), replace: true, ignoreBlocker: true }),
  )
  useEffect(() => {
    void go()
  }, [])
  return null
}

function Alone({ children }: { children: ReactNode }) {
  return (
    <main className="grid min-h-dvh place-items-center bg-paper p-4 text-ink-soft">
      <div role="status">{children}</div>
    </main>
  )
}
