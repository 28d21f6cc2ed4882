/** The address of a picture as lists show it, 96 × 96, by that of the whole picture. */
export function smallPicture(url: string): string {
  return url.replace(/\.webp$/, '-small.webp')
}

/** Which picture a file name under /uploads/ asks for; null when it is none of ours. */
export function readPictureName(name: string): { hash: string; isSmall: boolean } | null {
  const [, hash, suffix] = /^([0-9a-f]{64})(-small)?\.webp$/.exec(name) ?? []
  return hash ? { hash, isSmall: suffix !== undefined } : null
}
