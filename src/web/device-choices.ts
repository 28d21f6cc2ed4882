const prefix = 'ntalo.choice.'

/**
 * Returns the value stored on this device under a name; null when there is none. Stored values are deleted at sign-out.
 */
export function readChoice(name: string): string | null {
  try {
    return localStorage.getItem(prefix + name)
  } catch {
    // The browser may forbid storage: treated as no choice.
    return null
  }
}

/**
 * Stores a choice on this device.
 *
 * @param value null deletes it
 */
export function storeChoice(name: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(prefix + name)
    else localStorage.setItem(prefix + name, value)
  } catch {
    // Without storage, the choice only lasts as long as the page.
  }
}
