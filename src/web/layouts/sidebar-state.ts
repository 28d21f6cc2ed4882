import { useEffect, useEffectEvent, useState } from 'react'

const COOKIE = 'sidebar_state'
const MAX_AGE_S = 604_800

/** Whether the sidebar is unfolded, kept for a week; Ctrl or Cmd + B turns it, or calls `instead`. */
export function useSidebarState(instead: (() => void) | null): [boolean, () => void] {
  const [expanded, setExpanded] = useState(() => !document.cookie.includes(`${COOKIE}=false`))
  const toggle = () => {
    const next = !expanded
    setExpanded(next)
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
