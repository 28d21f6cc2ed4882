import { expect, test } from 'vitest'
import { readWeight, unitPrices, weightShown } from '#features/products/products.rules.ts'

test.each([
  ['500g', 500, 'g'],
  ['1,5 kg', 1.5, 'kg'],
  ['1.5kg', 1.5, 'kg'],
  ['33cl', 33, 'cl'],
  ['1kg', 1, 'kg'],
  ['1 L', 1, 'L'],
  ['2 litres', 2, 'L'],
  ['750 ML', 750, 'ml'],
  ['25 Kilogrammes', 25, 'kg'],
  ['1 000 g', 1000, 'g'],
  ['1\u202f500,5 g', 1500.5, 'g'],
  ['  70 g ', 70, 'g'],
  ['6 x 33 cl', 198, 'cl'],
  ['24×33cl', 792, 'cl'],
  ['30 pièces', 30, 'pièce'],
  ['1 Unit', 1, 'pièce'],
  ['KG', 1, 'kg'],
  ['1 MT', 1, 't'],
])('« %s » is %d of %s', (text, quantity, name) => {
  const read = readWeight(text)
  expect(read?.quantity).toBeCloseTo(quantity, 9)
  expect(read?.unit.name).toBe(name)
})

test.each([
  '',
  '500',
  'sac',
  'Sac de 25 kg',
  '1 à 2 kg',
  '0 kg',
  '0,0 g',
  '-1 kg',
  '1,5,2 kg',
  '1e3 g',
  '500 g net',
  '10 km',
  'N/A',
])('« %s » contains no reliable number and unit', (text) => {
  expect(readWeight(text)).toBeNull()
  expect(unitPrices(1000, text)).toEqual([])
})

test('a price is given for one kilogram or litre, then for the unit the weight is written in', () => {
  expect(unitPrices(1000, '500g')).toEqual([
    { amount: 2000, unit: 'kg' },
    { amount: 2, unit: 'g' },
  ])
  const [litre, centilitre] = unitPrices(1650, '33cl')
  expect(litre).toMatchObject({ amount: expect.closeTo(5000, 9), unit: 'L' })
  expect(centilitre).toEqual({ amount: 50, unit: 'cl' })
})

test('a weight already in kilograms has one unit price', () => {
  expect(unitPrices(3000, '1,5 kg')).toEqual([{ amount: 2000, unit: 'kg' }])
})

test('a product without a price has no unit price', () => {
  expect(unitPrices(null, '1 kg')).toEqual([])
})

test.each([
  [{ weight: 'KG', format: 'Détail' }, 'KG'],
  [{ weight: 'KG', format: 'Gros' }, 'KG, gros'],
  [{ weight: '1 kg', format: 'PRODUCTEUR' }, '1 kg, producteur'],
  [{ weight: '25 kg', format: 'Sac' }, '25 kg'],
])('%j is shown as « %s »', (product, shown) => {
  expect(weightShown(product)).toBe(shown)
})
