import { expect, test } from 'vitest'
import { smsText } from '#features/channels/sms/sms.rules.ts'
import { gsmPlaces, gsmText } from '#shared/gsm.ts'

const links = { see: 'https://ntalo.cd/series/12/3', stop: 'https://ntalo.cd/s/abcdefghijk' }
const short =
  'Riz local 1 kg, Virunga Goma: 2\u202f450\u00a0FC le 24/11, au-dessus de 2\u202f400\u00a0FC (2 relevés).'

test('a text is converted to the alphabet of short messages without changing a letter that is in it', () => {
  expect(gsmText('«\u202fÉté à Bè\u202f», l’œuf coûte 2\u202f450\u00a0FC… – ça')).toBe(
    '" Été à Bè ", l\'oeuf coute 2 450 FC... - ca',
  )
  expect(gsmText('水 🙂')).toBe('? ?')
  expect(gsmPlaces('a€b[')).toBe(6)
})

test('a message has one segment, however long and many its sentences are', () => {
  for (let count = 1; count <= 60; count++) {
    for (const name of ['', 'Farine de manioc améliorée '.repeat(8), '€'.repeat(300)]) {
      const text = smsText(
        Array.from({ length: count }, () => name + short),
        links,
      )
      expect(gsmPlaces(text)).toBeLessThanOrEqual(160)
      expect(gsmText(text)).toBe(text)
      expect(text).toMatch(/ ntalo\.cd\/series\/12\/3 Stop ntalo\.cd\/s\/abcdefghijk$/)
    }
  }
})

test('a name that is too long is cut, but not the figures; of several sentences, the remaining are counted', () => {
  expect(smsText([`Farine de manioc améliorée du Kongo Central ${short}`], links)).toContain(
    ': 2 450 FC le 24/11, au-dessus de 2 400 FC (2 relevés).',
  )
  expect(smsText([short, short, short], links)).toContain('(2 relevés). +2 ntalo.cd')
})
