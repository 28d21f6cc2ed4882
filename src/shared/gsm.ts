// The alphabet of short messages (3GPP TS 23.038): one character outside it, and a message has room for 70 instead of 160.

const basic = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
)
const extended = new Set('^{}\\[]~|€')

/** How many places one message has. */
export const messagePlaces = 160

const likeness: Record<string, string> = {
  '\u00a0': ' ',
  '\u202f': ' ',
  '’': "'",
  '‘': "'",
  '«': '"',
  '»': '"',
  '“': '"',
  '”': '"',
  '–': '-',
  '—': '-',
  '\u2011': '-',
  '−': '-',
  '…': '...',
  œ: 'oe',
  Œ: 'OE',
  '×': 'x',
  '°': 'o',
}

/** A text in that alphabet: only what is outside it is replaced, by what resembles it. */
export function gsmText(text: string): string {
  return [...text.normalize('NFC')]
    .map((letter) => {
      if (basic.has(letter) || extended.has(letter)) return letter
      const plain = likeness[letter] ?? letter.normalize('NFD').replaceAll(/\p{M}/gu, '')
      return [...plain].every((each) => basic.has(each)) ? plain : '?'
    })
    .join('')
}

/** How many places a text of that alphabet takes. */
export function gsmPlaces(text: string): number {
  return [...text].reduce((sum, letter) => sum + (extended.has(letter) ? 2 : 1), 0)
}
