/** Returns a text without its accents: `Marché` → `Marche`. */
export function withoutAccents(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '')
}

/** Returns a name in a-z, 0-9 and single hyphens between them, for addresses and file names: `goma-centre` for « Goma (centre) ». */
export function slugOf(name: string): string {
  return withoutAccents(name)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
}
