import { z } from 'zod'
import { brands } from '#features/brands/brands.contract.ts'
import { categories } from '#features/categories/categories.contract.ts'
import { lowerFirst } from '#features/imports/created.rules.ts'
import { productTypes } from '#features/product-types/product-types.contract.ts'
import { productColumns, products } from '#features/products/products.contract.ts'
import type { TableKind } from '#shared/csv/layout.ts'

/** A column of a file of products. */
export type ProductColumn = (typeof productColumns)[number]['key']

// Columns that a file of products must have.
const required: readonly ProductColumn[] = ['code', 'name', 'category', 'type', 'weight', 'format', 'origin']

/** The format of a file of products: our own export, or the template. */
export const productTable: TableKind = {
  name: 'un fichier de produits',
  titled: productColumns.map(({ title }) => title).join(', '),
  formats: [
    {
      name: 'ours',
      isFrench: true,
      isGuarded: true,
      columns: productColumns.map(({ key, title }) => ({
        key,
        titles: [title, key],
        isRequired: required.includes(key),
      })),
    },
  ],
}

const { code, name, weight, format, origin, price, currency } = products.input.shape
const blankIsNull = (value: unknown) => (String(value).trim() === '' ? null : value)

/** A line of the file, with the validation of the forms; a form refers by id, a file by name. */
const line = z
  .object({
    code,
    name,
    weight,
    format,
    origin,
    category: categories.input.shape.name,
    type: productTypes.input.shape.name,
    brand: z.preprocess(blankIsNull, brands.input.shape.name.nullable()),
    country: z.preprocess(blankIsNull, brands.input.shape.country.nullable()),
    price: z.preprocess(blankIsNull, price),
    currency: z.preprocess(blankIsNull, currency.nullable()),
  })
  // A truncated file may lack the currency, which must not be guessed.
  .refine(({ price, currency }) => price == null || currency !== null, {
    path: ['currency'],
    message: 'Ce champ est obligatoire avec un prix',
  })
export type ProductLine = z.output<typeof line>

/** Returns the product of a line, or the French sentence that rejects it. */
export function readProductLine(
  cells: Readonly<Record<ProductColumn, string>>,
): { value: ProductLine } | { reason: string } {
  const { data, error } = line.safeParse(cells)
  if (data) return { value: data }
  const reasons = new Map(error.issues.toReversed().map(({ path, message }) => [path[0], message]))
  const faulty = productColumns.filter(({ key }) => reasons.has(key))
  return {
    reason: `${faulty.map(({ key, title }) => `${title}\u00a0: ${lowerFirst(reasons.get(key) ?? '')}`).join('\u202f; ')}.`,
  }
}

/** A line whose code belongs to a product with other values. */
export type TakenCode = {
  line: number
  /** The text of the line. */
  text: string
  code: string
  /** The columns that differ. */
  differences: string[]
  /** The line of the file that has that product, if any. */
  first: number | null
}

/** Returns why a line is rejected whose code belongs to a product with other values. */
export function takenCode({ code, differences, first }: TakenCode): string {
  const titles = productColumns
    .filter(({ key }) => differences.includes(key))
    .map(({ title }) => `«\u202f${title}\u202f»`)
  const where = first === null ? 'd’un produit enregistré' : `du produit de la ligne ${first}`
  const plural = titles.length > 1 ? 'd’autres valeurs dans' : 'une autre valeur dans'
  return `Le code «\u202f${code}\u202f» est déjà celui ${where}, qui a ${plural} ${titles.join(', ')}.`
}

const exampleCodes = ['EXEMPLE-1', 'EXEMPLE-2'] as const

/** Whether a line is an example of the template, which an import ignores. */
export function isExample({ code }: { code: string }): boolean {
  return exampleCodes.some((each) => each === code.trim().toUpperCase())
}

/** The lines of the template, by the columns of a file of products. */
export const exampleLines: readonly Record<ProductColumn, string>[] = [
  {
    code: exampleCodes[0],
    name: 'Riz parfumé (exemple, ligne ignorée)',
    category: 'Céréales et tubercules',
    type: 'Riz',
    brand: 'Lion',
    country: 'Thaïlande',
    weight: '25 kg',
    format: 'Sac',
    origin: 'Thaïlande',
    price: '62000',
    currency: 'CDF',
  },
  {
    code: exampleCodes[1],
    name: 'Huile de palme (exemple, ligne ignorée)',
    category: 'Huiles et graisses',
    type: 'Huile de palme',
    brand: '',
    country: '',
    weight: '1 L',
    format: 'Bouteille',
    origin: 'RD Congo',
    price: '',
    currency: '',
  },
]
