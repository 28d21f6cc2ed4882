import { QueryClientProvider } from '@tanstack/react-query'
import { Outlet, useMatches, useRouter } from '@tanstack/react-router'
import { type ReactNode, Suspense, useEffect, useEffectEvent, useState } from 'react'
import type { Permission } from '#shared/permissions.ts'
import { useDefaultTitle } from '#web/arrival.ts'
import { lazyCode } from '#web/lazy-code.tsx'
import { createQueryClient } from '#web/query.ts'
import { startSession, useSession } from '#web/session.ts'
import { returnToKey } from '#web/session-keys.ts'
import { buttonClass } from '#web/ui/button-class.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { LogoMark } from '#web/ui/logo.view.tsx'
import { Toaster } from '#web/ui/toasts.tsx'

declare module '@tanstack/react-router' {
  /** Data of a page from the site map. */
  interface StaticDataRouteOption {
    title?: string
    permission?: Permission
  }
}

/** The layout of protected pages, in a chunk that visitors do not load. */
export const LazyShell = lazyCode(() => import('#main/shell.tsx'), 'Shell', 'page')

/** Wraps every page: sets its title and shows notifications. */
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

/** Guards the administration pages: requires a session, and the permission of the page. */
export function Protected() {
  const session = useSession()
  switch (session.status) {
    case 'loading':
      return <Starting />
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
      return session.how === 'over' || session.how === 'left' ? (
        <ToSignIn isComingBack={session.how === 'over'} />
      ) : (
        <Alone>
          {session.how === 'leaving' ? 'Déconnexion…' : <p>Vous êtes déconnecté.</p>}
          {session.how === 'unconfirmed' && (
            <p className="mt-3">
              <a href={signInPath} className={buttonClass('primary')}>
                Se connecter
              </a>
            </p>
          )}
        </Alone>
      )
    case 'in':
      return (
        <Answers>
          <Suspense fallback={<Starting />}>
            <LazyShell />
          </Suspense>
        </Answers>
      )
  }
}

/** Holds the query cache of one user. Loaded with the sign-in page, while the user types. */
function Answers({ children }: { children: ReactNode }) {
  const [client] = useState(createQueryClient)
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>
}

const signInPath = '/auth/login'

/** Goes to the sign-in page, outside this program; unsaved input can no longer be saved. */
function ToSignIn({ isComingBack }: { isComingBack: boolean }) {
  const router = useRouter()
  const go = useEffectEvent(() => {
    if (isComingBack) sessionStorage.setItem(returnToKey, router.latestLocation.href)
    location.replace(signInPath)
  })
  useEffect(() => {
    go()
  }, [])
  return <Starting />
}

/** Shows the same content as the document before the program loaded, so that nothing flickers. */
function Starting() {
  return (
    <Alone>
      <span className="flex flex-col items-center gap-4">
        <LogoMark className="size-12" />
        Chargement...
      </span>
    </Alone>
  )
}

function Alone({ children }: { children: ReactNode }) {
  return (
    <main className="grid min-h-dvh place-items-center bg-paper p-4 text-ink-soft">
      <div role="status">{children}</div>
    </main>
  )
}
