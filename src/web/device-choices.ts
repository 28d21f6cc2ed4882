const prefix = 'ntalo.choice.'

/** What was chosen on this device under a name; null when nothing was. It goes when its user signs out. */
export function readChoice(name: string): string | null {
  try {
    return localStorage.getItem(prefix + name)
  } catch {
    // A browser may keep nothing at all; then nothing was chosen.
    return null
  }
}

/** @param value null forgets */
export function keepChoice(name: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(prefix + name)
    else localStorage.setItem(prefix + name, value)
  } catch {
    // The choice holds for this page, and is not kept.
  }
}
