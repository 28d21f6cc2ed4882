import { z } from 'zod'
import { idFilter, instant, reference, searchText, text } from '#shared/fields.ts'
import { defineResource } from '#shared/resource.ts'

export const productType = z
  .object({
    id: z.int(),
    name: z.string(),
    categoryId: z.int(),
    category: z.object({ id: z.int(), name: z.string() }),
    created_at: instant,
    updated_at: instant,
  })
  .meta({ id: 'ProductType' })

export const productTypes = defineResource({
  name: 'product-types',
  listed: 'productTypes',
  noun: { one: 'Type de produit', many: 'types de produits', gender: 'm' },
  permission: { read: 'catalogue.read', write: 'catalogue.write' },
  row: productType,
  input: z
    .object({ name: text(200), categoryId: reference('Choisissez une catégorie') })
    .meta({ id: 'ProductTypeBody' }),
  filters: { search: searchText, categoryId: idFilter },
  columns: [
    { key: 'name', title: 'Nom', value: ({ name }) => name },
    { key: 'category', title: 'Catégorie', value: ({ category }) => category.name },
    { key: 'created_at', title: 'Créé le', kind: 'instant', value: ({ created_at }) => created_at },
  ],
  sortable: ['name', 'category', 'created_at'],
})
