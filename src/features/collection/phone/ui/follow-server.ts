import { fetchReturned } from '#features/collection/phone/ui/returned.ts'
import { refreshMarkets } from '#features/collection/phone/ui/rounds.ts'
import { sendAll } from '#features/collection/phone/ui/sender.ts'

const everyMs = 5 * 60_000

/** Exchanges with the server at once, when the network comes back, when the page is shown, and every five minutes. */
export function followServer(): void {
  window.addEventListener('online', exchangeAll)
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) exchangeAll()
  })
  setInterval(exchangeAll, everyMs)
  exchangeAll()
}

function exchangeAll(): void {
  void sendAll()
  void fetchReturned()
  void refreshMarkets()
}
