import { z } from 'zod'
import { instant, optionalProse, searchText, text } from '#shared/fields.ts'
import { defineResource } from '#shared/resource.ts'

export const category = z
  .object({
    id: z.int(),
    name: z.string(),
    description: z.string().nullable(),
    totalProducts: z.int(),
    _count: z.object({ types: z.int() }),
    created_at: instant,
    updated_at: instant,
  })
  .meta({ id: 'Category' })

export const categories = defineResource({
  name: 'categories',
  listed: 'categories',
  noun: { one: 'Catégorie', many: 'catégories', gender: 'f' },
  permission: { read: 'catalogue.read', write: 'catalogue.write' },
  row: category,
  input: z.object({ name: text(200), description: optionalProse(1000) }).meta({ id: 'CategoryBody' }),
  filters: { search: searchText },
  sortable: ['name', 'created_at', 'totalProducts'],
  columns: [
    { key: 'name', title: 'Nom', value: ({ name }) => name },
    { key: 'description', title: 'Description', value: ({ description }) => description },
    { key: 'totalProducts', title: 'Produits', kind: 'number', value: ({ totalProducts }) => totalProducts },
    { key: 'created_at', title: 'Créée le', kind: 'instant', value: ({ created_at }) => created_at },
  ],
  figures: { categories: 'Catégories', types: 'Types', products: 'Produits' },
})
