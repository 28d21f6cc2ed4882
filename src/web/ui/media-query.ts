import { useSyncExternalStore } from 'react'

// Cached, because each rendering asks several times and creating a query takes as long as rendering a button.
const found = new Map<string, MediaQueryList>()

/** Follows a media query, for the few places where a phone needs another structure, not only another style. */
export function useMediaQuery(query: string): boolean {
  return useSyncExternalStore(
    (listener) => {
      const media = find(query)
      media.addEventListener('change', listener)
      return () => media.removeEventListener('change', listener)
    },
    () => find(query).matches,
    () => false,
  )
}

function find(query: string): MediaQueryList {
  const media = found.get(query) ?? window.matchMedia(query)
  found.set(query, media)
  return media
}

/** Under 640 px: tables become cards, filters a sheet. */
export const narrowScreen = '(max-width: 639.98px)'

/** Under 768 px: the specification's phone. */
export const phoneScreen = '(max-width: 767.98px)'
