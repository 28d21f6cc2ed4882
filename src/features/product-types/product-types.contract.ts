import { z } from 'zod'
import { kindNames, productKinds } from '#features/product-types/kinds.contract.ts'
import { idFilter, instant, reference, searchText, text } from '#shared/fields.ts'
import { defineResource } from '#shared/resource.ts'

const productType = z
  .object({
    id: z.int(),
    name: z.string(),
    /** Only goods enter averages and indices of several products. */
    kind: z.enum(productKinds),
    categoryId: z.int(),
    category: z.object({ id: z.int(), name: z.string() }),
    created_at: instant,
    updated_at: instant,
    _count: z.object({ products: z.int(), weights: z.int() }),
  })
  .meta({ id: 'ProductType' })

export const productTypes = defineResource({
  name: 'product-types',
  listed: 'productTypes',
  noun: { one: 'Type de produit', many: 'types de produits', gender: 'm' },
  permission: { read: 'catalogue.read', write: 'catalogue.write' },
  row: productType,
  input: z
    .object({
      name: text(200),
      categoryId: reference('Choisissez une catégorie'),
      /** A good when absent. */
      kind: z.enum(productKinds).optional(),
    })
    .meta({ id: 'ProductTypeBody' }),
  filters: { search: searchText, categoryId: idFilter },
  columns: [
    { key: 'name', title: 'Nom', value: ({ name }) => name },
    { key: 'category', title: 'Catégorie', value: ({ category }) => category.name },
    { key: 'kind', title: 'Nature', value: ({ kind }) => kindNames[kind] },
    { key: 'products', title: 'Produits', kind: 'number', value: ({ _count }) => _count.products },
    { key: 'created_at', title: 'Créé le', kind: 'instant', value: ({ created_at }) => created_at },
  ],
  sortable: ['name', 'category', 'created_at'],
})
