import { useSyncExternalStore } from 'react'

export type ThemeChoice = 'light' | 'dark' | 'system'

const listeners = new Set<() => void>()

/** The theme the visitor chose, `system` until he does. */
function getTheme(): ThemeChoice {
  const found = /(?:^|;\s*)theme=(light|dark)/.exec(document.cookie)?.[1]
  return found === 'light' || found === 'dark' ? found : 'system'
}

/** Applies a choice at once and keeps it for a year. A cookie, so that the server can write the attribute into
    public pages before they paint, and because signing out empties localStorage. */
export function setTheme(choice: ThemeChoice): void {
  const age = choice === 'system' ? 0 : 31_536_000
  // biome-ignore lint/suspicious/noDocumentCookie: cookieStore is missing from the oldest browsers we serve.
  document.cookie = `theme=${choice}; Path=/; Max-Age=${age}; SameSite=Lax`
  applyTheme()
  for (const listener of listeners) listener()
}

/** Writes the stored choice on `<html>`; called once when the program starts. */
export function applyTheme(): void {
  const choice = getTheme()
  if (choice === 'system') document.documentElement.removeAttribute('data-theme')
  else document.documentElement.setAttribute('data-theme', choice)
}

/** The current choice, followed. */
export function useTheme(): ThemeChoice {
  return useSyncExternalStore(subscribe, getTheme, () => 'system')
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
