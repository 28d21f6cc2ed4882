import { CategoryDrawing } from '#features/categories/ui/category-drawing.tsx'
import { categoryChoices } from '#features/categories/ui/choices.ts'
import { kindNames, productKinds } from '#features/product-types/kinds.contract.ts'
import { productTypes } from '#features/product-types/product-types.contract.ts'
import { typeChoices } from '#features/product-types/ui/choices.ts'
import { adminScreens } from '#web/crud/admin-screens.tsx'
import { formatDateTime, formatNumber } from '#web/format.ts'
import { ChoiceField } from '#web/forms/choice-field.tsx'
import { choiceFilter } from '#web/forms/choice-filter.tsx'
import { namedOption } from '#web/forms/choices.ts'
import { TextField } from '#web/ui/inputs.tsx'
import { SelectField } from '#web/ui/select-field.tsx'

const kinds = productKinds.map((value) => ({ value, label: kindNames[value] }))

export const { ListPage: ProductTypesPage, CreateDialog: ProductTypeCreateDialog } = adminScreens(
  productTypes,
  {
    path: '/products',
    link: ({ id }) => ({ label: 'Produits', to: '/products', search: { typeId: id } }),
    description:
      'Ce que des produits ont en commun\u00a0: riz, huile de palme, savon… Chaque type est dans une catégorie.',
    whenEmpty: 'Un type créé ici se choisit ensuite dans la fiche d’un produit.',
    nameOf: ({ name }) => name,
    columns: [
      {
        key: 'category',
        card: 'title',
        cell: ({ category }) => <Category name={category.name} />,
      },
      { key: 'kind', cell: ({ kind }) => kindNames[kind] },
      { key: 'products', cell: ({ _count }) => formatNumber(_count.products) },
    ],
    filters: [{ key: 'categoryId', ...choiceFilter(categoryChoices, 'Toutes les catégories') }],
    usedBy: ({ id, _count: { products, weights } }) => {
      const search = { typeId: id }
      if (products > 0) return { count: products, one: 'produit', many: 'produits', to: '/products', search }
      return weights > 0
        ? {
            count: weights,
            one: 'pondération',
            many: 'pondérations',
            to: '/statistiques/ponderations',
            search,
          }
        : null
    },
    merge: { moves: 'ses produits', search: typeChoices.search },
    blank: { name: '', categoryId: '', kind: 'good' },
    form: ({ field, control, labels }, type) => (
      <>
        <TextField required maxLength={200} {...field('name')} />
        <ChoiceField
          control={control}
          name="categoryId"
          label={labels.categoryId}
          required
          placeholder="Choisir une catégorie…"
          search={categoryChoices.search}
          initial={type ? [namedOption(type.category)] : []}
          first={{
            choices: categoryChoices,
            text: 'Aucune catégorie n’existe encore.',
            creates: 'categories',
            label: 'Créer une catégorie',
            right: 'catalogue.write',
          }}
        />
        <SelectField
          options={kinds}
          hint="Les moyennes et les indices de plusieurs produits ne prennent que les biens."
          {...field('kind')}
        />
      </>
    ),
    details: (type) => [
      { key: 'name', value: type.name },
      { key: 'category', value: <Category name={type.category.name} /> },
      { key: 'kind', value: kindNames[type.kind] },
      { key: 'created_at', value: formatDateTime(type.created_at) },
      { key: 'updated_at', value: formatDateTime(type.updated_at) },
    ],
  },
)

function Category({ name }: { name: string }) {
  return (
    <span className="inline-flex items-center gap-2">
      <CategoryDrawing category={name} className="size-6 shrink-0" />
      {name}
    </span>
  )
}
