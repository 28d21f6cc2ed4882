import { describe, expect, test } from 'vitest'
import { ourFile, ourRow, readPriceFile as read } from '../../../../tests/support/price-files.ts'

describe('a row of our own export', () => {
  test.each(['human', 'machine'] as const)('of the %s variant is read as it was written', (variant) => {
    const written = variant === 'human' ? { ...ourRow, price: '1500,50', flag: 'relevé' } : ourRow
    const { batch, counts } = read(ourFile(variant, { ...written, source: "'=A1", brand: 'Simba' }))
    expect(counts.errors).toEqual([])
    expect(batch.prices).toMatchObject([
      { day: '2024-05-03', instant: '2024-05-03T07:30:00.000Z', cents: 150050 },
    ])
    expect(batch.products).toMatchObject([{ code: 'RIZ-1', new_code: 'RIZ-1', brand: 'Simba' }])
    expect(batch.origins).toEqual([{ key: 0, collector: 'Jean', source: '=A1' }])
  })

  test.each([
    [{ collected_at: '2024-05-02T23:59:00+02:00' }, /n’est pas du 2024-05-03/],
    [{ collected_at: 'hier' }, /illisible/],
    [{ time_zone: 'Europe/Paris' }, /fuseau horaire/],
    [{ flag: 'actua' }, /nature du prix/],
    [{ flag: '' }, /nature du prix est absente/],
    [{ collector: '' }, /collecteur manque/],
    [{ product_code: 'x'.repeat(101) }, /code du produit ne convient pas/],
  ])('with %j is refused', (change, message) => {
    const { counts } = read(ourFile('machine', { ...ourRow, ...change }))
    expect(counts.errors).toEqual([{ line: 2, message: expect.stringMatching(message) }])
  })

  test('without a code is named by its description, and without an instant has only its day', () => {
    const { batch } = read(ourFile('machine', { ...ourRow, product_code: '', collected_at: '' }))
    expect(batch.products).toMatchObject([{ code: null, new_code: 'RIZ-25KG-SAC', origin: 'Non précisée' }])
    expect(batch.prices).toMatchObject([{ instant: null, flag: 'actual' }])
  })

  test('of a file without flags is an actual price', () => {
    const text = ourFile('machine', ourRow).replaceAll(/,[a-z]+\n/g, '\n')
    expect(read(text)).toMatchObject({ counts: { rejected: 0 }, batch: { prices: [{ flag: 'actual' }] } })
  })
})
