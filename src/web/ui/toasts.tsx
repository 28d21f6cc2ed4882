import { CircleAlert, CircleCheck, Info, X } from 'lucide-react'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { IconButton } from '#web/ui/button.tsx'
import { dismissToast, getToasts, subscribeToToasts, type Toast } from '#web/ui/toast.ts'

/**
 * The area of notifications, also above dialogs: top right; on phones at the bottom, or at the top while a dialog is
 * open, whose keyboard would cover them. Mounted once, at the root.
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
    // The content to avoid may appear after the notification: after a sign-in, the page is still empty.
    const observer = new MutationObserver(place)
    observer.observe(document.body, { childList: true, subtree: true })
    // Showing the popover again moves it above a dialog opened since.
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
      {/* Both regions are rendered before their first message: screen readers announce only changes of an existing region. */}
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
 * Measures what notifications must not cover, in px: `under` is the bottom of the page header and first content, from
 * the top of the window; `over` is the height of the bars at the bottom. 0 when there are none.
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
      // Not `onPointerEnter`, which would also pause a notification that appears under a still pointer.
      onPointerMove={() => setPaused(true)}
      onPointerLeave={() => setPaused(false)}
      onFocus={() => setPaused(true)}
      onBlur={() => setPaused(false)}
      className="pointer-events-auto flex animate-enter items-start gap-3 rounded-md border border-line bg-surface py-1 pr-1 pl-4 text-ink shadow-float"
    >
      <Icon className={`mt-2.5 size-5 shrink-0 ${colour}`} aria-hidden />
      <div className="min-w-0 flex-1 py-2">
        {/* On a phone, above a form, there is no space for the title, whose meaning the icon also gives. */}
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
