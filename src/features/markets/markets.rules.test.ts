import { describe, expect, test } from 'vitest'
import { provinces, timeZoneOfProvince } from '#features/markets/markets.rules.ts'

describe('the provinces', () => {
  test('are 26, in French order, ten of them on the time of Kinshasa', () => {
    const names = provinces.map(({ name }) => name)
    expect(new Set(names).size).toBe(26)
    expect(names).toEqual(names.toSorted(new Intl.Collator('fr').compare))
    expect(provinces.filter(({ timeZone }) => timeZone === 'Africa/Kinshasa')).toHaveLength(10)
  })
})

describe('the time zone of a market', () => {
  test.each([
    ['Kinshasa', 'Africa/Kinshasa'],
    ['Équateur', 'Africa/Kinshasa'],
    ['Tshuapa', 'Africa/Kinshasa'],
    ['Haut-Katanga', 'Africa/Lubumbashi'],
    ['Kasaï', 'Africa/Lubumbashi'],
    ['Tshopo', 'Africa/Lubumbashi'],
  ])('follows the province: %s, %s', (province, timeZone) => {
    expect(timeZoneOfProvince(province)).toBe(timeZone)
  })

  test.each(['Haut-Uélé', 'Haut-Uele', 'HAUT UELE', ' haut  uélé ', 'Haut-Uele\u0301'])(
    'does not depend on how the province is written: %j',
    (province) => {
      expect(timeZoneOfProvince(province, 15)).toBe('Africa/Lubumbashi')
    },
  )

  test.each([
    ['Bas-Congo', 'Africa/Kinshasa'],
    ['Bandundu', 'Africa/Kinshasa'],
    ['Katanga', 'Africa/Lubumbashi'],
    ['Province Orientale', 'Africa/Lubumbashi'],
    ['South Kivu', 'Africa/Lubumbashi'],
  ])('knows older and English names: %s, %s', (province, timeZone) => {
    expect(timeZoneOfProvince(province)).toBe(timeZone)
  })

  test('follows the longitude where the province is unknown, and is Kinshasa’s without either', () => {
    expect(timeZoneOfProvince('Likouala', 18.06)).toBe('Africa/Kinshasa')
    expect(timeZoneOfProvince('Administrative unit not available', 29.2)).toBe('Africa/Lubumbashi')
    expect(timeZoneOfProvince(null, 22.5)).toBe('Africa/Lubumbashi')
    expect(timeZoneOfProvince(null, null)).toBe('Africa/Kinshasa')
    expect(timeZoneOfProvince('')).toBe('Africa/Kinshasa')
  })
})
