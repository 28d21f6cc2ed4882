import { useSyncExternalStore } from 'react'

/** Whether the page is visible; a hidden page does not need to be refreshed. */
export function usePageVisible(): boolean {
  return useSyncExternalStore(
    (listener) => {
      document.addEventListener('visibilitychange', listener)
      return () => document.removeEventListener('visibilitychange', listener)
    },
    () => document.visibilityState === 'visible',
    () => true,
  )
}

/** Whether the browser's data saver is on. */
export function savesData(): boolean {
  // Not supported by all browsers; without it, the data saver counts as off.
  return Object(navigator).connection?.saveData === true
}
