/** Returns the address, or null if it is not one. The static method `parse` of `URL` does the same, but Chrome 119 lacks it. */
export function parseUrl(text: string, base?: string): URL | null {
  try {
    return new URL(text, base)
  } catch {
    return null
  }
}
