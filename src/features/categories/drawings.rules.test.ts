import { expect, test } from 'vitest'
import { drawingOf } from '#features/categories/drawings.rules.ts'

test.each([
  ['Céréales et tubercules', 'cereals'],
  ['Légumineuses et oléagineux', 'pulses'],
  ['Huiles et condiments', 'oils'],
  ['Viandes et poissons', 'meat'],
  ['ŒUFS', 'meat'],
  ['Fruits et légumes', 'vegetables'],
  ['Produits laitiers', 'dairy'],
  ['Boissons', 'drinks'],
  ['Hygiène et entretien', 'hygiene'],
  ['Matériaux de construction', 'materials'],
  ['Épices', 'groceries'],
  ['cereals and tubers', 'cereals'],
  ['pulses and nuts', 'pulses'],
  ['oil and fats', 'oils'],
  ['meat, fish and eggs', 'meat'],
  ['milk and dairy', 'dairy'],
  ['vegetables and fruits', 'vegetables'],
  ['miscellaneous food', 'groceries'],
  ['non-food', 'basket'],
  ['Divers', 'basket'],
  ['', 'basket'],
])('« %s » is drawn as %s', (category, drawing) => {
  expect(drawingOf(category)).toBe(drawing)
})
