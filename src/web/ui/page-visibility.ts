import { useSyncExternalStore } from 'react'

/** Whether somebody can see the page: another tab, or a phone in a pocket, needs nothing fresh. */
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

/** Whether the visitor asked his browser to spare his data. */
export function savesData(): boolean {
  // Only some browsers have it; where they do not, nobody asked.
  return Object(navigator).connection?.saveData === true
}
