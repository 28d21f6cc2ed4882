import { useSyncExternalStore } from 'react'

/** Follows a media query, for the few places where a phone needs another structure and not another style. */
export function useMediaQuery(query: string): boolean {
  return useSyncExternalStore(
    (listener) => {
      const media = window.matchMedia(query)
      media.addEventListener('change', listener)
      return () => media.removeEventListener('change', listener)
    },
    () => window.matchMedia(query).matches,
    () => false,
  )
}

/** Under 640 px: tables become cards, filters a sheet. */
export const NARROW = '(max-width: 639.98px)'

/** Under 768 px: the specification's phone. */
export const PHONE = '(max-width: 767.98px)'
