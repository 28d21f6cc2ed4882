import { expect, test } from 'vitest'
import { labelsOf, sharedBy } from '#features/comparison/labels.rules.ts'

const sack = { id: 1, code: 'RIZ-25', name: 'Riz parfumé', weight: '25 kg', format: 'Sac' }
const kilo = { id: 2, code: 'RIZ-1', name: 'Riz parfumé', weight: '1 kg', format: 'Détail' }
const oil = { id: 3, code: 'HUILE', name: 'Huile de palme', weight: '1 L', format: 'Bouteille' }
const goma = { id: 4, name: 'Virunga', location: 'Goma' }
const bukavu = { id: 5, name: 'Kadutu', location: 'Bukavu' }

test('a series is labelled by what distinguishes it: its market, its product, or both', () => {
  const inTwoMarkets = [goma, bukavu].map((market) => ({ product: sack, market }))
  expect(labelsOf(inTwoMarkets)).toEqual(['Goma, Virunga', 'Bukavu, Kadutu'])
  expect(sharedBy(inTwoMarkets)).toBe('Riz parfumé, 25 kg')
  const inOne = [sack, oil].map((product) => ({ product, market: goma }))
  expect(labelsOf(inOne)).toEqual(['Riz parfumé, 25 kg', 'Huile de palme, 1 L'])
  const ofBoth = [...inTwoMarkets, { product: oil, market: goma }]
  expect(labelsOf(ofBoth)[2]).toBe('Huile de palme, 1 L, Goma, Virunga')
})

test('products of one name and weight are distinguished by their format', () => {
  const whole = { ...kilo, id: 6, format: 'Gros' }
  const inOne = [sack, kilo, whole].map((product) => ({ product, market: goma }))
  expect(labelsOf(inOne)).toEqual([
    'Riz parfumé, 25 kg',
    'Riz parfumé, 1 kg, Détail',
    'Riz parfumé, 1 kg, Gros',
  ])
  const elsewhere = [
    { product: sack, market: goma },
    { product: sack, market: bukavu },
    { product: kilo, market: goma },
  ]
  expect(new Set(labelsOf(elsewhere)).size).toBe(3)
})

test('products of one name, weight and format are distinguished by their code', () => {
  const other = { ...sack, id: 7, code: 'RIZ-25-B' }
  const inOne = [sack, other, oil].map((product) => ({ product, market: goma }))
  expect(labelsOf(inOne)).toEqual([
    'Riz parfumé, 25 kg, Sac, RIZ-25',
    'Riz parfumé, 25 kg, Sac, RIZ-25-B',
    'Huile de palme, 1 L',
  ])
})
