import { useSyncExternalStore } from 'react'
import { createListeners } from '#web/listeners.ts'

export type ThemeChoice = 'light' | 'dark' | 'system'

const listeners = createListeners()

/** Returns the theme chosen by the visitor; `system` by default. */
function getTheme(): ThemeChoice {
  const found = /(?:^|;\s*)theme=(light|dark)/.exec(document.cookie)?.[1]
  return found === 'light' || found === 'dark' ? found : 'system'
}

/**
 * Applies a theme and stores it for a year. In a cookie, so that the server can set the attribute of public pages
 * before they are painted, and because signing out empties localStorage.
 */
export function setTheme(choice: ThemeChoice): void {
  const age = choice === 'system' ? 0 : 31_536_000
  // biome-ignore lint/suspicious/noDocumentCookie: cookieStore is missing from the oldest browsers we serve.
  document.cookie = `theme=${choice}; Path=/; Max-Age=${age}; SameSite=Lax`
  applyTheme()
  listeners.notify()
}

/** Sets the stored theme on `<html>`; called once when the program starts. */
export function applyTheme(): void {
  const choice = getTheme()
  if (choice === 'system') document.documentElement.removeAttribute('data-theme')
  else document.documentElement.setAttribute('data-theme', choice)
}

/** Returns the current theme and follows its changes. */
export function useTheme(): ThemeChoice {
  return useSyncExternalStore(listeners.subscribe, getTheme, () => 'system')
}
