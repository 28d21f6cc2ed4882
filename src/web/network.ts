// Without React: the pages of visitors that send a form load it too.

/** Whether the server answered last time; the browser's own word counts where it says that there is no network at all. */
let isAnswering = true
const listeners = new Set<() => void>()

/** Called after each request, with whether anything came back. */
export function heardFromServer(hasAnswered: boolean): void {
  if (isAnswering === hasAnswered) return
  isAnswering = hasAnswered
  for (const listener of listeners) listener()
}

/** Whether the server can be reached, as far as anybody knows. */
export function isOnline(): boolean {
  return navigator.onLine && isAnswering
}

/** Calls back whenever that may have changed, until what it returns is called. */
export function followNetwork(listener: () => void): () => void {
  const onBack = () => {
    isAnswering = true
    listener()
  }
  listeners.add(listener)
  window.addEventListener('online', onBack)
  window.addEventListener('offline', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('online', onBack)
    window.removeEventListener('offline', listener)
  }
}
