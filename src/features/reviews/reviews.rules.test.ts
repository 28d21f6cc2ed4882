import { expect, test } from 'vitest'
import { reasonSentence } from './reviews.rules.ts'

const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ')
const said = {
  priceValue: 28_000,
  currency: 'CDF',
  cdf: 28_000,
  usual: 2800,
  quotes: 42,
  twinName: null,
  absentName: null,
}

test('each reason has its own sentence', () => {
  expect(plain(reasonSentence('outlier', said))).toBe(
    '28 000 FC, 10 fois le prix habituel (2 800 FC, médiane de 42 relevés en 90 jours).',
  )
  expect(plain(reasonSentence('outlier', { ...said, priceValue: 1400, cdf: 1400 }))).toContain(
    '50 % de moins que d’habitude',
  )
  expect(plain(reasonSentence('outlier', { ...said, priceValue: 3, cdf: 3 }))).toContain(
    '3 FC, 933,3 fois moins que d’habitude',
  )
  const last = { value: 300, currency: 'USD' as const, day: '2026-11-01' }
  expect(plain(reasonSentence('outlier', { ...said, usual: null, last }))).toContain(
    'le dernier relevé disait 300,00 $US',
  )
  expect(plain(reasonSentence('far', { ...said, metres: 4210 }))).toBe('Relevé à 4,2 km du marché.')
  expect(plain(reasonSentence('fast', { ...said, goods: 12, seconds: 9 }))).toBe(
    '12 produits saisis en 9 secondes.',
  )
  expect(reasonSentence('duplicate', { ...said, twinName: 'Amina' })).toBe(
    'Amina a relevé le même prix le même jour.',
  )
  expect(reasonSentence('absent', said)).toBe('Un autre agent l’a dit absent de ce marché le même jour.')
})
