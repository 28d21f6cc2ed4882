import { useEffect, useEffectEvent, useState } from 'react'
import { useMediaQuery } from '#web/ui/media-query.ts'

const COOKIE = 'sidebar_state'
const MAX_AGE_S = 604_800

/** Under 1 150 px: the sidebar starts as a rail of icons on every page. */
const RAIL = '(max-width: 1149.98px)'

/** Whether the sidebar is unfolded, stored for a week where there is room; Ctrl or Cmd + B turns it, or calls `instead`. */
export function useSidebarState(instead: (() => void) | null): [boolean, () => void] {
  const isRail = useMediaQuery(RAIL)
  const [isKept, setKept] = useState(() => !document.cookie.includes(`${COOKIE}=false`))
  const [isPulledOut, setPulledOut] = useState(false)
  const expanded = isRail ? isPulledOut : isKept
  const toggle = () => {
    const next = !expanded
    if (isRail) return setPulledOut(next)
    setKept(next)
    // biome-ignore lint/suspicious/noDocumentCookie: cookieStore is missing from the oldest browsers we serve.
    document.cookie = `${COOKIE}=${next}; Path=/; Max-Age=${MAX_AGE_S}; SameSite=Lax`
  }
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (
      !(event.ctrlKey || event.metaKey) ||
      event.altKey ||
      event.shiftKey ||
      event.key.toLowerCase() !== 'b'
    )
      return
    event.preventDefault()
    if (instead) instead()
    else toggle()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event)
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [])
  return [expanded, toggle]
}
