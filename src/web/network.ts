// Without React, because public pages with a form load it too.

import { createListeners } from '#web/listeners.ts'

/** Whether the server answered the last request; `navigator.onLine` is also checked for a missing network. */
let isAnswering = true
const listeners = createListeners()

/** Called after each request, with whether the server answered. */
export function recordServerAnswer(hasAnswered: boolean): void {
  if (isAnswering === hasAnswered) return
  isAnswering = hasAnswered
  listeners.notify()
}

/** Whether the server is reachable, according to the browser and the last request. */
export function isOnline(): boolean {
  return navigator.onLine && isAnswering
}

/** Calls `listener` when that may have changed, until the returned function is called. */
export function followNetwork(listener: () => void): () => void {
  const onBack = () => {
    isAnswering = true
    listener()
  }
  const unsubscribe = listeners.subscribe(listener)
  window.addEventListener('online', onBack)
  window.addEventListener('offline', listener)
  return () => {
    unsubscribe()
    window.removeEventListener('online', onBack)
    window.removeEventListener('offline', listener)
  }
}
