import type { LivePrices } from '#features/prices/ui/live-prices.ts'
import { formatTime } from '#web/format.ts'

/**
 * Shows whether the list follows other users' writes, and which prices are new.
 * @param shownAt when the shown data was received, in ms
 */
export function LiveStatus({ live, shownAt }: { live: LivePrices; shownAt: number }) {
  const { status, news } = live
  if (status === 'refused') return null
  const isLive = status === 'live'
  // The network may be up while the server or its database is down.
  const lost = navigator.onLine ? 'Direct interrompu' : 'Hors ligne'
  return (
    <p className="flex min-w-0 flex-1 flex-wrap items-center gap-x-2 text-xs text-ink-soft">
      <span
        aria-hidden
        className={`size-2 rounded-full ${isLive ? 'bg-green' : status === 'lost' ? 'bg-amber' : 'bg-line-strong'}`}
      />
      {isLive && <span>En direct</span>}
      {status === 'starting' && <span>Connexion…</span>}
      {status === 'sparing' && <span>Économie de données&nbsp;: pas de mise à jour en direct</span>}
      {/* Rendered before its first message: screen readers announce only changes of an existing element. */}
      <span role="status" className={isLive ? 'font-medium text-ink' : undefined}>
        {isLive && news}
        {status === 'lost' && (shownAt > 0 ? `${lost}, dernière mise à jour à ${formatTime(shownAt)}` : lost)}
      </span>
    </p>
  )
}
