import { z } from 'zod'
import { dayInput, idFilter, instant, quantity, reference, searchText, text } from '#shared/fields.ts'
import { defineResource } from '#shared/resource.ts'

const typeWeight = z
  .object({
    id: z.int(),
    typeId: z.int(),
    /** The day from which it holds, until the next one of the type. */
    day: z.string(),
    /** In any unit: only the ratios between types matter. 0 leaves the type out. */
    weight: z.number(),
    source: z.string(),
    type: z.object({ id: z.int(), name: z.string(), category: z.object({ id: z.int(), name: z.string() }) }),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'TypeWeight' })

/** The weights of types of products in household expenditure. */
export const typeWeights = defineResource({
  name: 'type-weights',
  listed: 'data',
  noun: { one: 'Pondération', many: 'pondérations', gender: 'f' },
  permission: { read: 'statistics.read', write: 'statistics.write' },
  row: typeWeight,
  versioned: 'updatedAt',
  input: z
    .object({
      typeId: reference('Choisissez un type de produit'),
      day: dayInput,
      weight: quantity,
      source: text(500),
    })
    .meta({ id: 'TypeWeightBody' }),
  filters: { search: searchText, typeId: idFilter, categoryId: idFilter },
  sortable: ['type', 'day', 'weight'],
  columns: [
    { key: 'type', title: 'Type de produit', value: ({ type }) => type.name },
    { key: 'category', title: 'Catégorie', value: ({ type }) => type.category.name },
    { key: 'weight', title: 'Poids', kind: 'number', value: ({ weight }) => weight },
    { key: 'day', title: 'À partir du', value: ({ day }) => day },
    { key: 'source', title: 'Source', value: ({ source }) => source },
    { key: 'updatedAt', title: 'Modifiée le', kind: 'instant', value: ({ updatedAt }) => updatedAt },
  ],
})
