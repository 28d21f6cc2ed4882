import { withoutAccents } from '#shared/accents.ts'

/** Removes accents and case for comparisons: « Kasaï » → « kasai ». */
export function foldText(text: string): string {
  return withoutAccents(text).replace(/’/g, "'").toLowerCase()
}

/** Whether every word of the query is in the text, ignoring accents and case. */
export function matchesText(text: string, query: string): boolean {
  const folded = foldText(text)
  return foldText(query)
    .split(/\s+/)
    .every((word) => folded.includes(word))
}
