import { useState } from 'react'
import { useKeys } from '#web/shortcuts.ts'
import { useMediaQuery } from '#web/ui/media-query.ts'

const wideCookie = 'sidebar_state'
const railCookie = 'sidebar_rail'
const maxAgeS = 604_800

/** Under 1 150 px, the sidebar is initially collapsed to icons. */
const railScreen = '(max-width: 1149.98px)'

/**
 * State of the sidebar, stored for a week, apart for wide and for narrow screens. Ctrl or Cmd + B toggles it, or calls
 * `instead` when given.
 */
export function useSidebarState(instead: (() => void) | null): [boolean, () => void] {
  const isRail = useMediaQuery(railScreen)
  const [isKept, setKept] = useState(() => !document.cookie.includes(`${wideCookie}=false`))
  const [isPulledOut, setPulledOut] = useState(() => document.cookie.includes(`${railCookie}=true`))
  const expanded = isRail ? isPulledOut : isKept
  const toggle = () => {
    const next = !expanded
    if (isRail) setPulledOut(next)
    else setKept(next)
    // biome-ignore lint/suspicious/noDocumentCookie: cookieStore is missing from the oldest browsers we serve.
    document.cookie = `${isRail ? railCookie : wideCookie}=${next}; Path=/; Max-Age=${maxAgeS}; SameSite=Lax`
  }
  useKeys((event) => {
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
  return [expanded, toggle]
}
