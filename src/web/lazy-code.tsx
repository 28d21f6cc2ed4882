import {
  type ComponentType,
  createElement,
  type ReactNode,
  use,
  useEffect,
  useEffectEvent,
  useReducer,
  useState,
} from 'react'
import { healthAddress } from '#shared/addresses.ts'
import { exchange } from '#web/api.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { PageSkeleton } from '#web/ui/skeleton.tsx'

/**
 * What is shown when the code cannot be loaded: an error page, an error in a part of a page, an error dialog, or
 * nothing.
 */
type Place = 'page' | 'part' | 'dialog' | 'nothing'

type PropsOf<T> = T extends (props: infer Props) => unknown ? Props : never
type LazyComponent<Props> = ((props: Props) => ReactNode) & { preload: () => Promise<void> }

const parts = new Set<() => Promise<void>>()
const retryAfterMs = 1_000

/** Loads the parts registered by the current pages, one after the other. */
export async function preloadParts(isWanted: () => Promise<boolean>): Promise<void> {
  for (const preload of parts) if (await isWanted()) await preload()
}

/**
 * Returns a component whose code is loaded on first use. When loading fails, an error with a retry button is shown; the
 * document is never reloaded while the server cannot be reached.
 */
export function lazyCode<Module, Name extends keyof Module & string>(
  load: () => Promise<Module>,
  name: Name,
  place: Place = 'part',
): LazyComponent<PropsOf<Module[Name]>> {
  type Props = PropsOf<Module[Name]>
  let found: ComponentType<Props & object> | undefined
  let loading: Promise<void> | undefined
  let failedAt: number | undefined

  function preload(): Promise<void> {
    if (found || (loading && failedAt === undefined)) return loading ?? Promise.resolve()
    failedAt = undefined
    // When `import()` fails, the browser caches the failure for the whole document, so it is not tried while offline.
    const asked = navigator.onLine ? load() : Promise.reject(new Error('no network'))
    loading = asked.then(
      (module) => {
        // The cast is safe: the named export is a component of that module.
        found = module[name] as ComponentType<Props & object>
      },
      () => {
        failedAt = Date.now()
      },
    )
    return loading
  }
  // Pages are preloaded by address, other code by the module that needs it.
  if (place === 'part' || place === 'dialog') parts.add(preload)

  function Lazy(props: Props) {
    const [, renew] = useReducer((count: number) => count + 1, 0)
    if (!found) use(loading ?? preload())
    if (found) return createElement(found, props as Props & object)
    const retry = async () => {
      await preload()
      renew()
      return found !== undefined
    }
    return (
      <Missing
        place={place}
        isOld={Date.now() - (failedAt ?? 0) > retryAfterMs}
        retry={retry}
        {...Object(props)}
      />
    )
  }
  return Object.assign(Lazy, { preload })
}

type MissingProps = { place: Place; isOld: boolean; retry: () => Promise<boolean>; onClose?: () => void }

function Missing({ place, isOld, retry, onClose }: MissingProps) {
  const [isBusy, setBusy] = useState(false)
  const [isAnswered, setAnswered] = useState(false)
  const again = async (isAsked: boolean) => {
    setBusy(true)
    const isReached = !(await retry()) && (await isServerThere())
    // The server answers but no longer has this file: a new version of the program was deployed.
    if (isReached && isAsked) return location.reload()
    setAnswered(isReached)
    setBusy(false)
  }
  const onArrival = useEffectEvent(async () => {
    // The failure is old, so loading is tried again.
    if (isOld) void again(false)
    else setAnswered(await isServerThere())
  })
  const onBack = useEffectEvent(() => void again(false))
  useEffect(() => {
    const listen = () => onBack()
    void onArrival()
    window.addEventListener('online', listen)
    return () => window.removeEventListener('online', listen)
  }, [])
  if (place === 'nothing') return null
  const title = isAnswered ? 'Écran à recharger' : 'Hors ligne'
  const failure = (
    <ErrorState
      title="Cet écran n’est pas encore chargé"
      message={
        isAnswered
          ? 'La connexion a été coupée, ou Ntalo a été mis à jour\u00a0: réessayer recharge la page.'
          : 'Veuillez vérifier votre connexion et réessayer.'
      }
      isOffline={!isAnswered}
      busy={isBusy}
      onRetry={() => void again(true)}
      compact={place !== 'page'}
    />
  )
  if (place === 'page') {
    return (
      <>
        <PageHeader title={title} />
        {failure}
      </>
    )
  }
  if (place === 'part') return <div className="rounded-md border border-line bg-surface">{failure}</div>
  // A dialog that cannot be closed must not stand in front of the page.
  if (!onClose) {
    return (
      <div className="fixed right-4 bottom-4 z-50 max-w-sm rounded-md border border-line bg-surface shadow-float">
        {failure}
      </div>
    )
  }
  return (
    <Dialog open size="sm" title={title} footer={false} onClose={onClose}>
      {failure}
    </Dialog>
  )
}

const patienceMs = 6_000

/** Placeholder while the code of a page loads; after a delay it says so and offers a retry. */
export function PendingPage() {
  const [isSlow, setSlow] = useState(false)
  const [isBusy, setBusy] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), patienceMs)
    return () => clearTimeout(timer)
  }, [])
  const again = async () => {
    setBusy(true)
    // A pending import cannot be requested again in the same document, so the document is reloaded.
    if (await isServerThere()) location.reload()
    else setBusy(false)
  }
  if (!isSlow) return <PageSkeleton />
  return (
    <ErrorState
      title="Cet écran se fait attendre"
      message="La connexion est lente. Il s’affichera dès qu’il sera là."
      isOffline
      busy={isBusy}
      onRetry={() => void again()}
    />
  )
}

async function isServerThere(): Promise<boolean> {
  if (!navigator.onLine) return false
  try {
    await exchange(healthAddress, {})
    return true
  } catch {
    return false
  }
}
