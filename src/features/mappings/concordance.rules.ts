// Translations of WFP's English words: add new ones here. Unlisted words stay unchanged.

import { withoutAccents } from '#shared/accents.ts'

type Kind = 'good' | 'service' | 'wage' | 'rate'

const categories: Readonly<Record<string, string>> = {
  'cereals and tubers': 'Céréales et tubercules',
  'pulses and nuts': 'Légumineuses et oléagineux',
  'meat, fish and eggs': 'Viandes et poissons',
  'milk and dairy': 'Produits laitiers',
  'oil and fats': 'Huiles et condiments',
  'vegetables and fruits': 'Fruits et légumes',
  'miscellaneous food': 'Épicerie',
  'non-food': 'Non alimentaire',
}

const types: Readonly<Record<string, string>> = {
  apples: 'Pommes',
  avocados: 'Avocats',
  bananas: 'Bananes',
  beans: 'Haricots',
  blankets: 'Couvertures',
  bread: 'Pain',
  bulgur: 'Boulgour',
  cabbage: 'Chou',
  carrots: 'Carottes',
  cassava: 'Manioc',
  'cassava flour': 'Farine de manioc',
  'cassava leaves': 'Feuilles de manioc',
  'cassava meal': 'Farine de manioc',
  charcoal: 'Charbon de bois',
  cheese: 'Fromage',
  chickpeas: 'Pois chiches',
  coffee: 'Café',
  cowpeas: 'Niébé',
  eggs: 'Volaille et œufs',
  'exchange rate': 'Taux de change',
  fish: 'Poisson',
  fuel: 'Carburant',
  garlic: 'Ail',
  groundnuts: 'Arachides',
  lentils: 'Lentilles',
  livestock: 'Bétail',
  maize: 'Maïs',
  'maize flour': 'Farine et semoule de maïs',
  'maize meal': 'Farine et semoule de maïs',
  meat: 'Viande fraîche',
  'meat (chicken)': 'Volaille et œufs',
  milk: 'Lait',
  'milling cost': 'Mouture',
  millet: 'Millet',
  oil: 'Huile',
  'oil (palm)': 'Huile de palme',
  'oil (vegetable)': 'Huile végétale',
  onions: 'Oignons',
  oranges: 'Oranges',
  pasta: 'Pâtes alimentaires',
  peas: 'Pois',
  peppers: 'Piments',
  pineapples: 'Ananas',
  plantains: 'Bananes plantains',
  potatoes: 'Pommes de terre et patates',
  rice: 'Riz',
  salt: 'Sel',
  sesame: 'Sésame',
  soap: 'Savon',
  sorghum: 'Sorgho',
  'sorghum flour': 'Farine de sorgho',
  soybeans: 'Soja',
  spinach: 'Épinards',
  sugar: 'Sucre',
  'sweet potatoes': 'Pommes de terre et patates',
  tea: 'Thé',
  tomatoes: 'Tomates',
  transport: 'Transport',
  wage: 'Salaire',
  wheat: 'Blé',
  'wheat flour': 'Farine de froment',
  yam: 'Igname',
}

const units: Readonly<Record<string, string>> = {
  kg: 'kg',
  g: 'g',
  mt: 'tonne',
  l: 'litre',
  ml: 'ml',
  unit: 'pièce',
  piece: 'pièce',
  pcs: 'pièce',
  head: 'tête',
  day: 'jour',
  month: 'mois',
  dozen: 'douzaine',
  bunch: 'botte',
  heap: 'tas',
  sack: 'sac',
  bag: 'sac',
  course: 'course',
  bar: 'barre',
  packet: 'paquet',
  pair: 'paire',
}

const kinds: readonly (readonly [RegExp, Kind])[] = [
  [/^(?:exchange rate|taux (?:de change|du dollar|parallele)|cours du dollar)/, 'rate'],
  [/^(?:wages?\b|labou?r\b|salaires?\b|main[ -]d.?(?:oe|œ)uvre)/, 'wage'],
  [
    /^(?:transport|milling cost|transfer|school fees|rent\b|water \(delivery|electricity|mouture|frais (?:de |scolaires)|loyers?\b|electricite|courant electrique)/,
    'service',
  ],
]

export const categoryOfWfp = (category: string): string => found(categories, category)

/** Returns the commodity without its variant: « Rice (mixed, low quality) » becomes « Rice ». */
function headWord(commodity: string): string {
  return commodity.replace(/\s*\(.*$/s, '') || commodity
}

/** Returns our name of the type of a commodity. */
export function typeOfWfp(commodity: string): string {
  const match = found(types, commodity)
  return match === commodity ? found(types, headWord(commodity)) : match
}

/** Translates a unit: « 25 KG » becomes « 25 kg »; an unlisted unit stays unchanged. */
export function unitOfWfp(unit: string): string {
  const [, count = '', word = ''] = /^([\d.,/ -]*)(.+)$/s.exec(unit.trim()) ?? []
  const match = found(units, word)
  return match === word ? unit : `${count}${match}`
}

/** Returns the kind of a priced item by its English or French name: good, service, wage, or the dollar rate. */
export function kindNamed(name: string): Kind {
  const folded = withoutAccents(name.trim()).toLowerCase()
  return kinds.find(([pattern]) => pattern.test(folded))?.[1] ?? 'good'
}

function found(words: Readonly<Record<string, string>>, word: string): string {
  const key = word.trim().toLowerCase()
  return Object.hasOwn(words, key) ? (words[key] ?? word) : word
}
