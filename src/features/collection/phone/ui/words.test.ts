import { afterEach, expect, test, vi } from 'vitest'
import { leftText, shortDay, statusText } from '#features/collection/phone/ui/words.ts'

const nothing = { unsent: 0, photos: 0, toCheck: 0 }
const line = { ...nothing, hasNetwork: true, since: null, returned: 0 }

afterEach(() => {
  vi.unstubAllEnvs()
})

test('all is received only when no entry and no photo waits, and none is to be checked', () => {
  expect(statusText(line)).toBe('Tout est reçu')
  expect(statusText({ ...line, returned: 1 })).toBe('Tout est reçu · 1 à revoir')
  expect(statusText({ ...line, toCheck: 2 })).toBe('2 à vérifier')
  expect(statusText({ ...line, photos: 2 })).toBe('2 photos à envoyer')
  expect(statusText({ ...line, unsent: 3, photos: 1, toCheck: 1 })).toBe(
    '3 à envoyer · 1 photo à envoyer · 1 à vérifier',
  )
  expect(statusText({ ...line, hasNetwork: false })).toBe('Hors ligne · Rien à envoyer')
  expect(statusText({ ...line, unsent: 1, since: '2026-03-03T08:00:00Z' })).toBe(
    '1 à envoyer depuis le 3 mars',
  )
})

test('the end of a visit says what leaves by itself, and what its agent must check', () => {
  expect(leftText(nothing)).toBe('Tout est reçu.')
  const alone = 'L’envoi se fait seul dès que le réseau revient.'
  expect(leftText({ ...nothing, unsent: 1 })).toBe(`1 relevé à envoyer. ${alone}`)
  expect(leftText({ ...nothing, unsent: 2, photos: 1 })).toBe(`2 relevés et 1 photo à envoyer. ${alone}`)
  expect(leftText({ ...nothing, toCheck: 2 })).toBe('2 à vérifier dans «\u202fMes envois\u202f».')
})

test('a day is the same on a phone set to another time zone, and an instant has the day of the markets', () => {
  vi.stubEnv('TZ', 'America/Los_Angeles')
  expect(shortDay('2026-03-03')).toBe('3 mars')
  expect(shortDay('2026-03-02T23:30:00Z')).toBe('3 mars')
})
