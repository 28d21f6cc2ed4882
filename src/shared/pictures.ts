/** Returns the address of the 96 × 96 version of a picture, shown in lists, from the address of the full picture. */
export function smallPicture(url: string): string {
  return url.replace(/\.webp$/, '-small.webp')
}

/** Parses a picture's file name under /uploads/; null when it is not one of our pictures. */
export function readPictureName(name: string): { hash: string; isSmall: boolean } | null {
  const [, hash, suffix] = /^([0-9a-f]{64})(-small)?\.webp$/.exec(name) ?? []
  return hash ? { hash, isSmall: suffix !== undefined } : null
}
