import { describe, expect, test } from 'vitest'
import { latestIn, parseCollected, parseDay } from '#features/mappings/moments.rules.ts'
import { dayIn } from '#shared/days.ts'

describe('a day', () => {
  test('is yyyy-mm-dd, and dd/mm/yyyy where a spreadsheet in French wrote it', () => {
    expect(parseDay('2024-02-29', false)).toEqual({ value: '2024-02-29' })
    expect(parseDay(' 29/02/2024 ', true)).toEqual({ value: '2024-02-29' })
    expect(parseDay('03/15/2023', false).reason).toMatch(/illisible/)
    expect(parseDay('31/02/2026', true)).toEqual({ reason: 'La date «\u202f31/02/2026\u202f» n’existe pas.' })
  })

  test.each(['2023-02-29', '2024-13-01', '2024-00-10', '1899-12-31', '0000-01-01'])(
    'of %s does not exist',
    (text) => {
      expect(parseDay(text, false).reason).toMatch(/n’existe pas/)
    },
  )

  test.each(['2024-2-9', '15 janvier 2024', '20240115', '45000', '#date'])('of %s cannot be read', (text) => {
    expect(parseDay(text, true).reason).toMatch(/illisible/)
  })

  test.each(['29/02/2024 10:05', '29/02/2024 9:05:07', '2024-02-29 10:05:00', '2024-02-29T00:00'])(
    'may have a time behind it, as in %s, where a spreadsheet in French wrote it',
    (text) => {
      expect(parseDay(text, true)).toEqual({ value: '2024-02-29' })
      expect(parseDay(text, false).reason).toMatch(/illisible/)
    },
  )

  test('may be absent', () => {
    expect(parseDay('', false)).toEqual({ reason: 'La date est absente.' })
  })

  test('changes an hour earlier in Lubumbashi than in Kinshasa', () => {
    const now = new Date('2026-03-01T22:30:00Z')
    expect(dayIn('Africa/Kinshasa', now)).toBe('2026-03-01')
    expect(dayIn('Africa/Lubumbashi', now)).toBe('2026-03-02')
  })
})

describe('an instant', () => {
  const latest = latestIn('Africa/Lubumbashi', new Date('2026-03-01T12:00:00Z'))
  const read = (text: string, isFrench = true) => parseCollected(text, { isFrench, latest })

  test('has an offset, which tells its local day', () => {
    expect(read('2024-03-05T00:30:00.123+02:00', false)).toEqual({
      value: { instant: '2024-03-04T22:30:00.123Z', local: null, localDay: '2024-03-05' },
    })
    expect(read('')).toEqual({ value: null })
  })

  test('in UTC is of the day that it was at the market', () => {
    const days = ['2024-03-04T22:30:00Z', '2024-03-04T21:59:59.999Z', '2024-03-04T22:00:00+00:00'].map(
      (text) => read(text, false).value?.localDay,
    )
    expect(days).toEqual(['2024-03-05', '2024-03-04', '2024-03-05'])
  })

  test.each([
    ['05/03/2024 10:05', '2024-03-05T10:05'],
    ['05/03/2024 10:05:09', '2024-03-05T10:05:09'],
    ['05/03/2024 9:05', '2024-03-05T09:05'],
    ['2024-03-05 10:05:00', '2024-03-05T10:05:00'],
    ['2024-03-05T10:05:00.123', '2024-03-05T10:05:00.123'],
    ['05/03/2024', null],
    ['2024-03-05', null],
  ])('without an offset, as in %s, is the local time at the market', (text, local) => {
    expect(read(text)).toEqual({ value: { instant: null, local, localDay: '2024-03-05' } })
  })

  test.each(['2024-03-05T12', 'hier', '05/03/24 12:00', '05/03/2024 25:00', '45356.5'])(
    'of %s cannot be read',
    (text) => {
      expect(read(text).reason).toMatch(/illisible/)
    },
  )

  test('reads days before months where a spreadsheet in French wrote it, and nowhere else', () => {
    expect(read('05/03/2024 10:05', false).reason).toMatch(/illisible/)
  })

  test.each(['31/02/2026 10:05', '2024-13-05T12:00:00Z', '01/01/1899', '00/01/2024'])(
    'of %s does not exist',
    (text) => {
      expect(read(text).reason).toMatch(/n’existe pas/)
    },
  )

  test('may be at most five minutes in the future', () => {
    for (const text of ['2026-03-01T12:04:59Z', '01/03/2026 14:04', '2026-03-01 14:05:00', '01/03/2026'])
      expect(read(text).value).toBeTruthy()
    for (const text of ['2026-03-01T12:05:01Z', '01/03/2026 14:06', '2026-03-01 14:05:01', '02/03/2026'])
      expect(read(text).reason).toMatch(/futur/)
  })
})
