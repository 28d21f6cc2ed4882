import { gsmPlaces, gsmText, messagePlaces } from '#shared/gsm.ts'

/**
 * Returns the text of one SMS: as many sentences as fit, the number of the others, and both links without their scheme.
 */
export function smsText(sentences: readonly string[], links: { see: string; stop: string }): string {
  const bare = (url: string) => url.replace(/^https?:\/\//, '')
  const start = 'Ntalo: '
  const end = ` ${bare(links.see)} Stop ${bare(links.stop)}`
  const room = messagePlaces - gsmPlaces(start) - gsmPlaces(end)
  const texts = sentences.map(gsmText)
  for (let count = texts.length; count > 0; count--) {
    const others = texts.length - count
    const said = texts.slice(0, count).join(' ') + (others > 0 ? ` +${others}` : '')
    if (gsmPlaces(said) <= room) return start + said + end
  }
  return start + cut(texts[0] ?? '', texts.length - 1, room) + end
}

/** Shortens the subject of a sentence, before its colon, and keeps its figures. */
function cut(text: string, others: number, room: number): string {
  const at = text.indexOf(': ')
  const figures = text.slice(at) + (others > 0 ? ` +${others}` : '')
  const left = room - gsmPlaces(figures) - 1
  if (at < 0 || left < 0) return shortened(text, room)
  return `${shortened(text.slice(0, at), left)}.${figures}`
}

function shortened(text: string, places: number): string {
  let left = text
  while (gsmPlaces(left) > places) left = left.slice(0, -1)
  return left
}
