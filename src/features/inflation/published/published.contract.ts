import { z } from 'zod'
import {
  dayFilter,
  dayInput,
  inOrder,
  instant,
  optionalQuery,
  optionalText,
  percentage,
  reversedPeriod,
  searchText,
  text,
} from '#shared/fields.ts'
import { defineResource } from '#shared/resource.ts'

export const publishers = ['INS', 'BCC'] as const
/** The comparisons of a week: with the week before, the last week of last year, that annualised, and a year before. */
export const measures = ['weekly', 'cumulative', 'annualised', 'yearly'] as const
export type Measure = (typeof measures)[number]
/** The French name of each measure. */
export const measureNames: Readonly<Record<Measure, string>> = {
  weekly: 'Sur une semaine',
  cumulative: 'Cumul de l’année',
  annualised: 'Annualisée',
  yearly: 'Glissement annuel',
}

const publisher = z.enum(publishers, 'L’organisme est INS ou BCC')
const measure = z.enum(measures, `La mesure est l’une de\u00a0: ${measures.join(', ')}`)

export const publishedFigure = z
  .object({
    id: z.int(),
    publisher,
    measure,
    /** The Monday of the week. */
    week: z.string(),
    /** A city; null for the whole country. */
    location: z.string().nullable(),
    /** In percent: 12.447 is +12.447 %. */
    value: z.number(),
    source: z.string(),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'PublishedFigure' })
export type PublishedFigure = z.infer<typeof publishedFigure>

const resource = defineResource({
  name: 'published-inflation',
  listed: 'data',
  noun: { one: 'Chiffre publié', many: 'chiffres publiés', gender: 'm' },
  permission: { read: 'statistics.read', write: 'statistics.write' },
  row: publishedFigure,
  versioned: 'updatedAt',
  input: z
    .object({
      publisher,
      measure,
      /** Any day of the week. */
      week: dayInput,
      location: optionalText(200),
      value: percentage,
      source: text(500),
    })
    .meta({ id: 'PublishedFigureBody' }),
  filters: {
    search: searchText,
    publisher: optionalQuery(publisher),
    measure: optionalQuery(measure),
    startDate: dayFilter,
    endDate: dayFilter,
  },
  sortable: ['week', 'publisher', 'measure', 'value'],
  columns: [
    { key: 'week', title: 'Semaine du', value: ({ week }) => week },
    { key: 'publisher', title: 'Organisme', value: ({ publisher }) => publisher },
    { key: 'measure', title: 'Mesure', value: ({ measure }) => measureNames[measure] },
    { key: 'value', title: 'Pourcentage', kind: 'number', value: ({ value }) => value },
    { key: 'location', title: 'Ville', value: ({ location }) => location },
    { key: 'source', title: 'Source', value: ({ source }) => source },
    { key: 'updatedAt', title: 'Modifié le', kind: 'instant', value: ({ updatedAt }) => updatedAt },
  ],
})

/** Figures of the statistical office and the central bank, to compare ours with. */
export const publishedFigures = {
  ...resource,
  list: { ...resource.list, query: resource.list.query.refine(inOrder, reversedPeriod) },
  exportAll: { ...resource.exportAll, query: resource.exportAll.query.refine(inOrder, reversedPeriod) },
}
