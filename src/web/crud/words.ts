import type { Noun } from '#shared/resource.ts'

/** Returns the French phrases made with a noun: « la marque », « cette marque », « Aucune marque trouvée ». */
export function wordsOf({ one, many, gender }: Noun) {
  const isFeminine = gender === 'f'
  const name = one.charAt(0).toLowerCase() + one.slice(1)
  const isElided = /^[aeiouyéèêàâîô]/.test(name)
  return {
    title: many.charAt(0).toUpperCase() + many.slice(1),
    a: `${isFeminine ? 'une' : 'un'} ${name}`,
    the: isElided ? `l’${name}` : `${isFeminine ? 'la' : 'le'} ${name}`,
    of: isFeminine || isElided ? `de ${isElided ? 'l’' : 'la '}${name}` : `du ${name}`,
    this: `${isFeminine ? 'cette' : isElided ? 'cet' : 'ce'} ${name}`,
    none: isFeminine ? `Aucune ${name} trouvée` : `Aucun ${name} trouvé`,
    notFound: `${one} introuvable`,
    count: [name, many] as const,
  }
}

/** Quotes a name: `« Simba »`, with no-break spaces. */
export function quoted(name: string): string {
  return `«\u202f${name}\u202f»`
}
