import { categories } from '#features/categories/categories.contract.ts'
import { CategoryDrawing } from '#features/categories/ui/category-drawing.tsx'
import { productTypes } from '#features/product-types/product-types.contract.ts'
import { adminScreens } from '#web/crud/admin-screens.tsx'
import { formatDate, formatDateTime } from '#web/format.ts'
import { ChoiceField } from '#web/forms/choice-field.tsx'
import { choiceFilter } from '#web/forms/choice-filter.tsx'
import { choicesOf, namedOption } from '#web/forms/choices.ts'
import { FirstStep } from '#web/forms/first-step.tsx'
import { TextField } from '#web/ui/inputs.tsx'

const categoryChoices = choicesOf(categories, namedOption, 'Catégorie inconnue')

export const { ListPage: ProductTypesPage } = adminScreens(productTypes, {
  path: '/products',
  link: ({ id }) => ({ label: 'Voir les produits', to: '/products', search: { typeId: id } }),
  description:
    'Ce que des produits ont en commun\u00a0: riz, huile de palme, savon… Chaque type est dans une catégorie.',
  nameOf: ({ name }) => name,
  columns: [
    {
      key: 'category',
      header: 'Catégorie',
      card: 'title',
      cell: ({ category }) => <Category name={category.name} />,
    },
    { key: 'created_at', header: 'Créé le', cell: ({ created_at }) => formatDate(created_at) },
  ],
  filters: [
    { key: 'categoryId', label: 'Catégorie', ...choiceFilter(categoryChoices, 'Toutes les catégories') },
  ],
  blank: { name: '', categoryId: '' },
  form: ({ register, control, formState: { errors } }, type) => (
    <>
      <TextField label="Nom" required maxLength={200} error={errors.name?.message} {...register('name')} />
      <div>
        <ChoiceField
          control={control}
          name="categoryId"
          label="Catégorie"
          required
          placeholder="Choisir une catégorie…"
          search={categoryChoices.search}
          known={type ? [namedOption(type.category)] : []}
        />
        <FirstStep
          choices={categoryChoices}
          text="Aucune catégorie n’existe encore."
          to="/categories"
          label="Créer une catégorie"
          right="catalogue.write"
        />
      </div>
    </>
  ),
  details: (type) => [
    { label: 'Nom', value: type.name },
    { label: 'Catégorie', value: <Category name={type.category.name} /> },
    { label: 'Créé le', value: formatDateTime(type.created_at) },
    { label: 'Modifié le', value: formatDateTime(type.updated_at) },
  ],
})

function Category({ name }: { name: string }) {
  return (
    <span className="inline-flex items-center gap-2">
      <CategoryDrawing category={name} className="size-6 shrink-0" />
      {name}
    </span>
  )
}
