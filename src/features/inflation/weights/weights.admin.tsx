import { categoryChoices } from '#features/categories/ui/choices.ts'
import { typeWeights } from '#features/inflation/weights/weights.contract.ts'
import { typeChoices } from '#features/product-types/ui/choices.ts'
import { adminScreens } from '#web/crud/admin-screens.tsx'
import { formatDate, formatDateTime, formatNumber, formatTyped } from '#web/format.ts'
import { ChoiceField } from '#web/forms/choice-field.tsx'
import { choiceFilter } from '#web/forms/choice-filter.tsx'
import { namedOption } from '#web/forms/choices.ts'
import { AmountField, DateField, TextField } from '#web/ui/inputs.tsx'

export const { ListPage: WeightsPage } = adminScreens(typeWeights, {
  layout: 'table',
  path: '/statistiques/ponderations',
  createVerb: 'Ajouter',
  description:
    'Ce que chaque type de produit pèse dans les dépenses des ménages, d’après une enquête. Seuls comptent les rapports entre les poids\u202f; un type sans poids n’entre pas dans l’indice pondéré. Rien n’est pondéré tant qu’un seul type a un poids, ou que ceux qui en ont font moins de la moitié des séries.',
  whenEmpty:
    'Dès que la part de chaque type dans les dépenses des ménages est saisie ici, l’inflation pondérée se calcule.',
  nameOf: ({ type, day }) => `${type.name}, à partir du ${formatDate(day)}`,
  ownOrder: { key: 'weight', direction: 'desc' },
  columns: [
    { key: 'type', card: 'title', cell: ({ type }) => type.name },
    { key: 'category', card: 'hidden', cell: ({ type }) => type.category.name },
    { key: 'weight', align: 'end', cell: ({ weight }) => formatNumber(weight) },
    { key: 'day', cell: ({ day }) => formatDate(day) },
    { key: 'source', cell: ({ source }) => source },
    { key: 'updatedAt', card: 'hidden', cell: ({ updatedAt }) => formatDate(updatedAt) },
  ],
  filters: [
    { key: 'categoryId', label: 'Catégorie', ...choiceFilter(categoryChoices, 'Toutes les catégories') },
    { key: 'typeId', ...choiceFilter(typeChoices, 'Tous les types') },
  ],
  blank: { typeId: '', day: '', weight: '', source: '' },
  valuesOf: ({ weight }) => ({ weight: formatTyped(weight) }),
  form: ({ field, control, labels }, row) => (
    <>
      <ChoiceField
        control={control}
        name="typeId"
        label={labels.typeId}
        required
        placeholder="Choisir un type de produit…"
        search={typeChoices.search}
        initial={row ? [namedOption(row.type)] : []}
      />
      <AmountField
        required
        hint="Pour mille, pour cent ou montant&nbsp;: la même unité pour tous. 0 laisse le type de côté."
        {...field('weight')}
      />
      <DateField required {...field('day')} />
      <TextField required maxLength={500} hint="L’enquête et sa date" {...field('source')} />
    </>
  ),
  details: (row) => [
    { key: 'type', value: row.type.name },
    { key: 'category', value: row.type.category.name },
    { key: 'weight', value: formatNumber(row.weight) },
    { key: 'day', value: formatDate(row.day) },
    { key: 'source', value: row.source },
    { label: 'Saisie le', value: formatDateTime(row.createdAt) },
    { key: 'updatedAt', value: formatDateTime(row.updatedAt) },
  ],
})
