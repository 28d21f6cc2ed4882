import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Bell } from 'lucide-react'
import { useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { type AlertEvent, alerts } from '#features/alerts/alerts.contract.ts'
import { useMarkAllRead, useMarkRead } from '#features/alerts/ui/mark-read.ts'
import { type Renewal, useRenewal } from '#features/alerts/ui/renewal.ts'
import { call } from '#web/api.ts'
import { formatCount, formatRelativeTime } from '#web/format.ts'
import { LoadFailure } from '#web/load-failure.tsx'
import { useAnswer } from '#web/query.ts'
import { Button, iconButtonClass } from '#web/ui/button.tsx'
import { placeNear } from '#web/ui/place-near.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'

/** Interval between requests for the number of unread alerts while the page is visible. */
const pauseMs = 60_000
const mostShown = 10

/** The bell of the header: number of unread alerts, and a list of the latest. */
export function AlertBell() {
  const alarms = useUnread()
  const renewal = useRenewal()
  const unread = alarms + (renewal?.isSeen === false ? 1 : 0)
  const id = useId()
  const opener = useRef<HTMLButtonElement>(null)
  const popup = useRef<HTMLDivElement>(null)
  const [isOpen, setOpen] = useState(false)
  const label = unread > 0 ? `Notifications, ${formatCount(unread, 'non lue', 'non lues')}` : 'Notifications'
  return (
    <>
      <button
        ref={opener}
        type="button"
        popoverTarget={id}
        aria-label={label}
        title={label}
        aria-haspopup="dialog"
        className={iconButtonClass('default', 'relative')}
      >
        <Bell className="size-4.5" aria-hidden />
        {unread > 0 && (
          <span
            aria-hidden
            className="absolute top-1 right-0.5 min-w-4 rounded-full bg-red-fill px-1 text-center text-[0.6875rem] leading-4 font-semibold text-on-red"
          >
            {unread > 99 ? '99+' : unread}
          </span>
        )}
      </button>
      <div
        ref={popup}
        id={id}
        popover="auto"
        role="dialog"
        aria-label="Notifications"
        onToggle={(event) => {
          setOpen(event.newState === 'open')
          if (event.newState === 'open' && opener.current)
            placeNear(opener.current, event.currentTarget, 'end')
        }}
        className="fixed inset-auto m-0 max-h-[80dvh] w-96 max-w-[calc(100vw-1rem)] overflow-y-auto rounded-md border border-line bg-surface text-ink shadow-float"
      >
        {isOpen && <Latest unread={alarms} renewal={renewal} onDone={() => popup.current?.hidePopover()} />}
      </div>
    </>
  )
}

/** Requested at its own interval, and not after each write: a phone on 2G writes many prices. */
function useUnread(): number {
  const { data, refetch } = useQuery({
    queryKey: [alerts.unread.path],
    queryFn: ({ signal }) => call(alerts.unread, { signal }),
    enabled: false,
  })
  const ask = useEffectEvent(() => {
    if (document.visibilityState === 'visible') void refetch()
  })
  useEffect(() => {
    ask()
    const timer = setInterval(() => ask(), pauseMs)
    const onReturn = () => ask()
    // They may have been read in another tab.
    document.addEventListener('visibilitychange', onReturn)
    window.addEventListener('focus', onReturn)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', onReturn)
      window.removeEventListener('focus', onReturn)
    }
  }, [])
  return data?.unread ?? 0
}

type LatestProps = { unread: number; renewal: Renewal | null; onDone: () => void }

function Latest({ unread, renewal, onDone }: LatestProps) {
  const answer = useAnswer(alerts.events, { query: { limit: mostShown } }, { staleTimeMs: 0 })
  const { mutate: markAllRead, isPending } = useMarkAllRead()
  const { mutate: markRead } = useMarkRead()
  const rows = answer.data?.data ?? []
  return (
    <>
      <div className="flex min-h-14 items-center justify-between gap-2 border-b border-line px-4 py-1.5">
        <h2 className="font-semibold">Notifications</h2>
        {unread > 0 && (
          <Button variant="ghost" busy={isPending} onClick={() => markAllRead({ body: {} })}>
            Tout marquer comme lu
          </Button>
        )}
      </div>
      {answer.error && !answer.data && (
        <LoadFailure compact title="Erreur lors du chargement des notifications" answer={answer} />
      )}
      {answer.isPending && <Skeleton className="m-4 h-24" />}
      {answer.data && rows.length === 0 && !renewal && (
        <p className="p-4 text-ink-soft">
          Aucune notification. Ce qui fait sonner vos alertes de prix viendra ici.
        </p>
      )}
      <ul className="divide-y divide-line">
        {renewal && (
          <li className={renewal.isSeen ? '' : 'bg-river-soft'}>
            <Link
              to={renewal.planId === null ? '/subscriptions' : '/payments'}
              search={(renewal.planId === null ? {} : { planId: renewal.planId, renouveler: 1 }) as never}
              onClick={() => {
                renewal.see()
                onDone()
              }}
              className="block px-4 py-3 -outline-offset-2 hover:bg-sunken"
            >
              {renewal.sentence}
              <span className="mt-1 block font-medium text-river">
                {renewal.planId === null ? 'Choisir un plan' : 'Renouveler'}
              </span>
            </Link>
          </li>
        )}
        {rows.map((event) => (
          <Notice
            key={event.id}
            event={event}
            onOpen={() => {
              if (!event.isRead) markRead(event.id)
              onDone()
            }}
          />
        ))}
      </ul>
      <Link
        to="/alertes"
        onClick={onDone}
        className="block border-t border-line px-4 py-3 text-center font-medium text-river hover:bg-sunken"
      >
        Voir toutes mes alertes
      </Link>
    </>
  )
}

function Notice({ event, onOpen }: { event: AlertEvent; onOpen: () => void }) {
  const { product, market, sentence, createdAt, isRead } = event
  return (
    <li className={isRead ? '' : 'bg-river-soft'}>
      <Link
        to="/series/$productId/$marketId"
        params={{ productId: String(product.id), marketId: String(market.id) }}
        onClick={onOpen}
        className="block px-4 py-3 -outline-offset-2 wrap-anywhere hover:bg-sunken"
      >
        {sentence}
        <span className="mt-1 block text-xs text-ink-soft">
          <time dateTime={createdAt}>{formatRelativeTime(createdAt)}</time>
          {!isRead && ', non lue'}
        </span>
      </Link>
    </li>
  )
}
