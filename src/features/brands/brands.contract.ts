import { z } from 'zod'
import { instant, searchText, text } from '#shared/fields.ts'
import { defineResource, defineTexts } from '#shared/resource.ts'

export const brand = z
  .object({
    id: z.int(),
    name: z.string(),
    country: z.string(),
    created_at: instant,
    updated_at: instant,
    _count: z.object({ products: z.int() }),
  })
  .meta({ id: 'Brand' })

export const brands = defineResource({
  name: 'brands',
  listed: 'brands',
  noun: { one: 'Marque', many: 'marques', gender: 'f' },
  permission: { read: 'catalogue.read', write: 'catalogue.write' },
  row: brand,
  input: z.object({ name: text(200), country: text(200) }).meta({ id: 'BrandBody' }),
  filters: { search: searchText, country: searchText },
  sortable: ['name', 'country', 'created_at', 'products'],
  columns: [
    { key: 'name', title: 'Nom', value: ({ name }) => name },
    { key: 'country', title: 'Pays', value: ({ country }) => country },
    { key: 'products', title: 'Produits', kind: 'number', value: ({ _count }) => _count.products },
    { key: 'created_at', title: 'Créée le', kind: 'instant', value: ({ created_at }) => created_at },
  ],
  defaultLimit: 12,
})

export const brandCountries = defineTexts('/api/brands/countries', 'catalogue.read', 'Pays des marques')
