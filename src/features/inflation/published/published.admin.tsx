import {
  measureNames,
  measures,
  publishedFigures,
  publishers,
} from '#features/inflation/published/published.contract.ts'
import { adminScreens } from '#web/crud/admin-screens.tsx'
import { formatDate, formatDateTime, formatNumber, formatTyped } from '#web/format.ts'
import { selectFilter } from '#web/forms/choice-filter.tsx'
import { periodControls } from '#web/forms/day-filter.tsx'
import { DateField, TextField } from '#web/ui/inputs.tsx'
import { SelectField } from '#web/ui/select-field.tsx'

const publisherOptions = publishers.map((value) => ({ value, label: value }))
const measureOptions = measures.map((value) => ({ value, label: measureNames[value] }))

export const { ListPage: PublishedPage } = adminScreens(publishedFigures, {
  layout: 'table',
  path: '/statistiques/publications',
  createVerb: 'Ajouter',
  description:
    'L’inflation que publient l’Institut national de la statistique et la Banque centrale, avec la source de chaque chiffre\u00a0: la page Inflation met les nôtres à côté.',
  whenEmpty:
    'Ce que publient l’INS et la Banque centrale, une fois saisi ici, se lit à côté de nos chiffres sur la page Inflation.',
  nameOf: ({ publisher, measure, week }) =>
    `${publisher}, ${measureNames[measure].toLowerCase()}, semaine du ${formatDate(week)}`,
  ownOrder: { key: 'week', direction: 'desc' },
  columns: [
    { key: 'week', card: 'title', cell: ({ week }) => formatDate(week) },
    { key: 'publisher', cell: ({ publisher }) => publisher },
    { key: 'measure', cell: ({ measure }) => measureNames[measure] },
    { key: 'value', align: 'end', cell: ({ value }) => percent(value) },
    { key: 'location', cell: ({ location }) => location ?? 'Tout le pays' },
    { key: 'source', card: 'hidden', cell: ({ source }) => source },
    { key: 'updatedAt', card: 'hidden', cell: ({ updatedAt }) => formatDate(updatedAt) },
  ],
  filters: [
    { key: 'publisher', ...selectFilter(publisherOptions, 'Tous') },
    { key: 'measure', ...selectFilter(measureOptions, 'Toutes') },
    ...periodControls.map((filter) => ({ ...filter, isExtra: true })),
  ],
  blank: { publisher: 'INS', measure: 'cumulative', week: '', location: '', value: '', source: '' },
  valuesOf: ({ value }) => ({ value: formatTyped(value) }),
  form: ({ field }) => (
    <>
      <SelectField options={publisherOptions} {...field('publisher')} />
      <SelectField options={measureOptions} {...field('measure')} />
      <DateField required hint="Un jour de la semaine dont il s’agit" {...field('week')} />
      <TextField required inputMode="text" hint="En pour cent, négatif pour une baisse" {...field('value')} />
      <TextField maxLength={200} hint="Vide pour tout le pays" {...field('location')} />
      <TextField
        required
        maxLength={500}
        hint="Le communiqué ou l’article, et sa date"
        {...field('source')}
      />
    </>
  ),
  details: (row) => [
    { key: 'week', value: formatDate(row.week) },
    { key: 'publisher', value: row.publisher },
    { key: 'measure', value: measureNames[row.measure] },
    { key: 'value', value: percent(row.value) },
    { key: 'location', value: row.location ?? 'Tout le pays' },
    { key: 'source', value: row.source },
    { label: 'Saisi le', value: formatDateTime(row.createdAt) },
    { key: 'updatedAt', value: formatDateTime(row.updatedAt) },
  ],
})

/** Formats a published figure: `+12,447 %`, with all its decimals. */
function percent(value: number): string {
  return `${value > 0 ? '+' : ''}${formatNumber(value, 3)}\u00a0%`
}
