import { withoutAccents } from '#shared/accents.ts'

export type Drawing =
  | 'cereals'
  | 'pulses'
  | 'oils'
  | 'meat'
  | 'dairy'
  | 'vegetables'
  | 'drinks'
  | 'hygiene'
  | 'energy'
  | 'clothes'
  | 'materials'
  | 'groceries'
  | 'basket'

// The order matters: « légumineuses » must match before « légumes ». English words are those of WFP's price files.
const words: readonly (readonly [Drawing, RegExp])[] = [
  ['pulses', /legumineu|oleagin|haricot|arachid|\bnoix|\bpois\b|pulse|\bnuts?\b|\bbeans?\b/],
  ['cereals', /cereal|tuber|racine|\briz\b|\bmais\b|farine|manioc|froment|\bpains?\b|boulang|\bpates\b/],
  ['dairy', /\blait|fromage|beurre|margarine|milk|dairy/],
  ['meat', /viande|poisson|volaille|\boeufs?\b|boucher|chenille|meat|fish|\beggs?\b/],
  ['vegetables', /\blegumes?\b|fruit|maraich|banane|vegetable/],
  ['oils', /huile|graisse|\boils?\b|\bfats?\b/],
  ['drinks', /boisson|biere|\beaux?\b|\bjus\b|\bcafe|\bthes?\b|\bvins?\b|drink|beverage/],
  ['hygiene', /hygien|entretien|savon|lessive|cosmet|beaute|menager|soap/],
  ['energy', /carburant|energi|charbon|combustible|petrol|essence|gazole|\bgaz\b|\bbois\b|fuel/],
  ['clothes', /textile|vetement|habill|pagne|tissu|chaussure|cloth/],
  ['materials', /materia|construction|ciment|quincaill|outil|building/],
  ['groceries', /condiment|epice|sucre|\bsels?\b|conserve|\bfood\b/],
]

/** Returns the drawing for products without a picture, by the name of their category; a basket when no word matches. */
export function drawingOf(category: string): Drawing {
  const folded = withoutAccents(category).toLowerCase().replaceAll('œ', 'oe')
  // « non-food » must not match food.
  const telling = folded.replace(/non[- ]food/, '')
  return words.find(([, pattern]) => pattern.test(telling))?.[0] ?? 'basket'
}
