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

/** What stands in the place of code that could not be fetched: a page, a part of one, a dialog, or nothing. */
type Place = 'page' | 'part' | 'dialog' | 'nothing'

type PropsOf<T> = T extends (props: infer Props) => unknown ? Props : never
type LazyComponent<Props> = ((props: Props) => ReactNode) & { preload: () => Promise<void> }

const parts = new Set<() => Promise<void>>()
const restMs = 1_000

/** Fetches the parts of the pages that are there, one after the other. */
export async function preloadParts(isWanted: () => Promise<boolean>): Promise<void> {
  for (const preload of parts) if (await isWanted()) await preload()
}

/**
 * A component whose code comes when it is needed. Without it, its place says so, with a way to try again: the document is
 * never reloaded while the server cannot be reached.
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
    // A browser remembers that it could not fetch a module, and never asks again in the same document.
    const asked = navigator.onLine ? load() : Promise.reject(new Error('no network'))
    loading = asked.then(
      (module) => {
        // By its own type: what the caller names is a component of that module.
        found = module[name] as ComponentType<Props & object>
      },
      () => {
        failedAt = Date.now()
      },
    )
    return loading
  }
  // Pages are fetched ahead by their addresses, and other code by the module that needs it.
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
      <Missing place={place} isOld={Date.now() - (failedAt ?? 0) > restMs} retry={retry} {...Object(props)} />
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
    // The server answers, and has no such file any more: another version of the program has taken its place.
    if (isReached && isAsked) return location.reload()
    setAnswered(isReached)
    setBusy(false)
  }
  const onArrival = useEffectEvent(async () => {
    // It failed some time ago, while nobody looked.
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
  return (
    <Dialog open size="sm" title={title} footer={false} onClose={() => onClose?.()}>
      {failure}
    </Dialog>
  )
}

const patienceMs = 6_000

/** In the place of a page whose code is on its way; where that takes long it says so, with a way to ask anew. */
export function PendingPage() {
  const [isSlow, setSlow] = useState(false)
  const [isBusy, setBusy] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), patienceMs)
    return () => clearTimeout(timer)
  }, [])
  const again = async () => {
    setBusy(true)
    // What is on its way cannot be asked for a second time in the same document.
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
