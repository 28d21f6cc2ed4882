/** Price types that are not retail, lower case: where such a price is read, its product says so. */
export const priceTypes = ['gros', 'producteur'] as const

/** Returns a product's price type if it is not retail. */
export function priceTypeOf({ format }: { format: string }): (typeof priceTypes)[number] | null {
  return priceTypes.find((type) => type === format.toLowerCase()) ?? null
}

/** Returns the weight as shown after a product's name: « KG », and « KG, gros » for a wholesale price. */
export function weightShown(product: { weight: string; format: string }): string {
  const type = priceTypeOf(product)
  return type ? `${product.weight}, ${type}` : product.weight
}

/** A parsed weight: `1,5 kg` is 1.5 of « kg ». */
export type Weight = { quantity: number; unit: Unit }

/** `amount` of the product's currency for one `unit`. */
export type UnitPrice = { amount: number; unit: string }

type Unit = { name: string; base: string; inBase: number }

const units: readonly (readonly [words: RegExp, name: string, base: string, inBase: number])[] = [
  [/^(mg|milligrammes?)$/, 'mg', 'kg', 1e-6],
  [/^(g|gr|grs|grammes?|grams?)$/, 'g', 'kg', 1e-3],
  [/^(kg|kgs|kilos?|kilogrammes?|kilograms?)$/, 'kg', 'kg', 1],
  [/^(t|tonnes?|mt)$/, 't', 'kg', 1000],
  [/^(ml|millilitres?)$/, 'ml', 'L', 1e-3],
  [/^(cl|centilitres?)$/, 'cl', 'L', 1e-2],
  [/^(dl|décilitres?|decilitres?)$/, 'dl', 'L', 1e-1],
  [/^(l|lt|litres?|liters?)$/, 'L', 'L', 1],
  [/^(pièces?|pieces?|pcs?|unités?|unites?|units?)$/, 'pièce', 'pièce', 1],
]

// « 6 x 33 cl », « 1 000 g », « 1,5 kg »; « KG » alone is how price files write one kilogram.
const number = String.raw`\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?:[.,]\d+)?|\d+(?:[.,]\d+)?`
const pattern = new RegExp(String.raw`^(?:(?:(\d+)\s*[x×*]\s*)?(${number}))?\s*(\p{L}+)\.?$`, 'iu')

/** Parses the number and the unit of a typed weight; null when one of them is missing. */
export function readWeight(text: string): Weight | null {
  const [, packs = '1', digits = '1', word = ''] = pattern.exec(text.normalize().trim()) ?? []
  const unit = unitOf(word)
  const quantity = Number(packs) * Number(digits.replaceAll(/\s/g, '').replace(',', '.'))
  return unit && quantity > 0 ? { quantity, unit } : null
}

/**
 * Returns the price divided by the weight: for one kilogram, litre or piece, in which products are compared, then for
 * the weight's own unit when it differs. Empty when the price is unknown or the weight cannot be parsed.
 * @param price in the product's currency
 */
export function unitPrices(price: number | null, weight: string): UnitPrice[] {
  const read = price === null ? null : readWeight(weight)
  if (price === null || !read) return []
  const { quantity, unit } = read
  const asWritten = { amount: price / quantity, unit: unit.name }
  if (unit.name === unit.base) return [asWritten]
  return [{ amount: price / (quantity * unit.inBase), unit: unit.base }, asWritten]
}

function unitOf(word: string): Unit | undefined {
  const [, name, base, inBase] = units.find(([words]) => words.test(word.toLowerCase())) ?? []
  return name && base && inBase ? { name, base, inBase } : undefined
}
