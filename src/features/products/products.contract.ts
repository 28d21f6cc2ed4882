import { z } from 'zod'
import { productAddresses } from '#features/products/products.addresses.ts'
import { followable } from '#shared/changes.ts'
import { defineEndpoint } from '#shared/contract.ts'
import type { ExportColumn } from '#shared/export.ts'
import {
  amount,
  amountFilter,
  blankIs,
  currency,
  flagFilter,
  idFilter,
  idParams,
  instant,
  optionalQuery,
  reference,
  searchText,
  text,
} from '#shared/fields.ts'
import { defineResource, defineTexts } from '#shared/resource.ts'

const named = z.object({ id: z.int(), name: z.string() })

export const product = z
  .object({
    id: z.int(),
    code: z.string(),
    name: z.string(),
    typeId: z.int(),
    type: named.extend({ category: named }),
    /** Null for a commodity imported from a price file. */
    brandId: z.int().nullable(),
    brand: named.extend({ country: z.string() }).nullable(),
    weight: z.string(),
    price: z.number().nullable(),
    currency,
    origin: z.string(),
    format: z.string(),
    /** A path on this site, such as `/uploads/….webp`. */
    image_url: z.string().nullable(),
    created_at: instant,
    updated_at: instant,
    _count: z.object({ prices: z.int() }),
  })
  .meta({ id: 'Product' })
export type Product = z.infer<typeof product>
/** Fields of a product that a file contains; a file may have a million products. */
type ProductFacts = Omit<Product, '_count'>

/** The columns of a file of products, written by the export and read by the import. */
export const productColumns = [
  { key: 'code', title: 'Code', value: ({ code }) => code },
  { key: 'name', title: 'Nom', value: ({ name }) => name },
  { key: 'category', title: 'Catégorie', value: ({ type }) => type.category.name },
  { key: 'type', title: 'Type', value: ({ type }) => type.name },
  { key: 'brand', title: 'Marque', value: ({ brand }) => brand?.name ?? null },
  { key: 'country', title: 'Pays de la marque', value: ({ brand }) => brand?.country ?? null },
  { key: 'weight', title: 'Poids', value: ({ weight }) => weight },
  { key: 'format', title: 'Format', value: ({ format }) => format },
  { key: 'origin', title: 'Origine', value: ({ origin }) => origin },
  { key: 'price', title: 'Prix', kind: 'amount', value: ({ price }) => price },
  { key: 'currency', title: 'Devise', value: ({ currency }) => currency },
] as const satisfies readonly (ExportColumn<ProductFacts> & { key: string })[]

const image = z.file('Un fichier image est attendu')

const productInput = z
  .object({
    code: text(100),
    name: text(200),
    typeId: reference('Choisissez un type'),
    brandId: reference('Choisissez une marque'),
    weight: text(100),
    price: z.preprocess(blankIs(null), amount.nullish()).optional(),
    currency: currency.optional(),
    origin: text(200),
    format: text(200),
    /** JPEG, PNG, WebP or GIF of at most 5 MB; null removes the picture. */
    image: z.preprocess(blankIs(undefined), image.nullish()).optional(),
  })
  .meta({ id: 'ProductBody' })

const base = defineResource({
  name: productAddresses.name,
  listed: productAddresses.listed,
  noun: { one: 'Produit', many: 'produits', gender: 'm' },
  permission: { read: 'catalogue.read', write: 'catalogue.write' },
  row: product,
  input: productInput,
  // An imported product may have no brand, and can be edited without one.
  change: productInput.partial().extend({
    brandId: z.preprocess(blankIs(null), reference('Choisissez une marque').nullable()).optional(),
  }),
  filters: {
    search: searchText,
    typeId: idFilter,
    brandId: idFilter,
    /** Only products with a brand, or only those without. */
    branded: flagFilter,
    categoryId: idFilter,
    minPrice: amountFilter,
    maxPrice: amountFilter,
    currency: optionalQuery(currency),
    origin: searchText,
    format: searchText,
  },
  columns: productColumns,
  figures: { products: 'Produits', types: 'Types de produits', brands: 'Marques', categories: 'Catégories' },
  sortable: ['code', 'name', 'type', 'category', 'brand', 'price', 'origin', 'format', 'created_at'],
})

/** Requests with a picture are multipart; without one, JSON is accepted as well. */
export const products = {
  ...base,
  list: followable(base.list, product),
  create: defineEndpoint({ ...base.create, file: 'image' }),
  update: defineEndpoint({ ...base.update, file: 'image' }),
  setImage: defineEndpoint({
    method: 'POST',
    path: '/api/products/{id}/image',
    right: 'catalogue.write',
    summary: 'Image d’un produit (champ «\u202fimage\u202f» ou «\u202ffile\u202f»)',
    description: 'JPEG, PNG, WebP ou GIF de 5 Mo au plus. L’image précédente est remplacée.',
    params: idParams,
    body: z.object({ image }),
    file: 'image',
    response: base.update.response,
  }),
}

export const productOrigins = defineTexts('/api/products/origins', 'catalogue.read', 'Origines des produits')
export const productFormats = defineTexts('/api/products/formats', 'catalogue.read', 'Formats des produits')
