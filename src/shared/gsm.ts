// The GSM 7-bit alphabet of SMS (3GPP TS 23.038): one character outside it reduces a message from 160 to 70 characters.

import { withoutAccents } from '#shared/accents.ts'

const basic = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
)
const extended = new Set('^{}\\[]~|€')

/** Length of one message in 7-bit units. */
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

/** Converts a text to the GSM alphabet: characters outside it are replaced with similar ones. */
export function gsmText(text: string): string {
  return [...text.normalize('NFC')]
    .map((letter) => {
      if (basic.has(letter) || extended.has(letter)) return letter
      const plain = likeness[letter] ?? withoutAccents(letter)
      return [...plain].every((each) => basic.has(each)) ? plain : '?'
    })
    .join('')
}

/** Returns the number of 7-bit units that a text of the GSM alphabet takes. */
export function gsmPlaces(text: string): number {
  return [...text].reduce((sum, letter) => sum + (extended.has(letter) ? 2 : 1), 0)
}
