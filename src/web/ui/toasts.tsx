import { CircleAlert, CircleCheck, Info, X } from 'lucide-react'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { IconButton } from '#web/ui/button.tsx'
import { dismissToast, getToasts, subscribeToToasts, type Toast } from '#web/ui/toast.ts'

/**
 * Where notifications appear, above dialogs too: top right, and on a phone at the bottom, unless a form stands there, whose
 * keyboard would cover them. Mounted once, at the root.
 */
export function Toaster() {
  const toasts = useSyncExternalStore(subscribeToToasts, getToasts, getToasts)
  const region = useRef<HTMLElement>(null)
  const newest = toasts.at(-1)?.id
  useEffect(() => {
    const { current } = region
    if (newest === undefined || !current) return
    const place = () => {
      const { under, over } = freeOf(current)
      current.style.setProperty('--under', `${under}px`)
      current.style.setProperty('--over', `${over}px`)
    }
    place()
    // What the page is for may come after a toast: a user who has just signed in sees it on an empty page.
    const observer = new MutationObserver(place)
    observer.observe(document.body, { childList: true, subtree: true })
    // Showing the popover again lifts it over a dialog opened since.
    current.hidePopover()
    current.showPopover()
    return () => observer.disconnect()
  }, [newest])
  const [alerts, notes] = [
    toasts.filter((toast) => toast.kind === 'error'),
    toasts.filter((t) => t.kind !== 'error'),
  ]
  return (
    <section
      ref={region}
      popover="manual"
      aria-label="Notifications"
      className="no-print pointer-events-none fixed inset-auto top-0 right-0 sm:in-[:root:has([data-app-header]):not(:has(dialog[open]))]:top-[max(4.75rem,var(--under,0px))] max-sm:in-[:root:not(:has(dialog[open]))]:top-auto max-sm:in-[:root:not(:has(dialog[open]))]:bottom-(--over) m-0 block w-full max-w-sm overflow-visible bg-transparent p-1 sm:p-2"
    >
      {/* Both regions exist before their first message: screen readers announce only what changes. */}
      <div role="alert" className="space-y-2">
        {alerts.map((toast) => (
          <ToastCard key={toast.id} toast={toast} />
        ))}
      </div>
      <div role="status" className="mt-2 space-y-2">
        {notes.map((toast) => (
          <ToastCard key={toast.id} toast={toast} />
        ))}
      </div>
    </section>
  )
}

/**
 * What must stay in sight, in px: where the head of the page and what it has first for the user end, from the top of
 * the window, and where what stands at its bottom begins, from there. 0 where nothing does.
 */
function freeOf({ offsetWidth }: HTMLElement): { under: number; over: number } {
  const boxes = (selector: string) =>
    [...document.querySelectorAll(selector)].map((element) => element.getBoundingClientRect())
  const tops = boxes('main header:has(h1), [data-comes-first]').filter(
    ({ top, right }) => top < innerHeight / 2 && right > innerWidth - offsetWidth,
  )
  const bars = boxes('[data-primary-action], [data-bottom-bar]').filter(
    ({ top, height }) => height > 0 && top > innerHeight / 2,
  )
  return {
    under: Math.max(0, ...tops.map(({ bottom }) => bottom)),
    over: Math.max(0, ...bars.map(({ top }) => innerHeight - top)),
  }
}

const looks = {
  success: { icon: CircleCheck, colour: 'text-green' },
  error: { icon: CircleAlert, colour: 'text-red' },
  info: { icon: Info, colour: 'text-river' },
}

function ToastCard({ toast }: { toast: Toast }) {
  const [paused, setPaused] = useState(false)
  useEffect(() => {
    if (paused) return
    const timer = setTimeout(() => dismissToast(toast.id), toast.durationMs)
    return () => clearTimeout(timer)
  }, [paused, toast])
  const { icon: Icon, colour } = looks[toast.kind]
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: hovering only holds the clock, it does nothing by itself.
    <div
      // Not « enter »: one that comes under a pointer at rest goes all the same.
      onPointerMove={() => setPaused(true)}
      onPointerLeave={() => setPaused(false)}
      onFocus={() => setPaused(true)}
      onBlur={() => setPaused(false)}
      className="pointer-events-auto flex animate-enter items-start gap-3 rounded-md border border-line bg-surface py-1 pr-1 pl-4 text-ink shadow-float"
    >
      <Icon className={`mt-2.5 size-5 shrink-0 ${colour}`} aria-hidden />
      <div className="min-w-0 flex-1 py-2">
        {/* Over the form of a phone there is room for its heading only, which the icon says too. */}
        <p className="font-semibold max-sm:in-[:root:has(dialog[open])]:sr-only">{toast.title}</p>
        <p className="wrap-anywhere text-ink-soft max-sm:in-[:root:has(dialog[open])]:line-clamp-2">
          {toast.message}
        </p>
        {toast.action && (
          <button
            type="button"
            className="-ml-2 mt-1 h-9 rounded-md px-2 font-medium text-river hover:bg-sunken"
            onClick={() => {
              toast.action?.onSelect()
              dismissToast(toast.id)
            }}
          >
            {toast.action.label}
          </button>
        )}
      </div>
      <IconButton label="Fermer la notification" icon={X} onClick={() => dismissToast(toast.id)} />
    </div>
  )
}
