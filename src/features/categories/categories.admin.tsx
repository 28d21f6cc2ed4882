import { categories } from '#features/categories/categories.contract.ts'
import { CategoryDrawing } from '#features/categories/ui/category-drawing.tsx'
import { categoryChoices } from '#features/categories/ui/choices.ts'
import { adminScreens } from '#web/crud/admin-screens.tsx'
import { formatDateTime, formatNumber, notAvailable } from '#web/format.ts'
import { TextareaField, TextField } from '#web/ui/inputs.tsx'

export const { ListPage: CategoriesPage, CreateDialog: CategoryCreateDialog } = adminScreens(categories, {
  path: '/categories',
  link: ({ id }) => ({ label: 'Produits', to: '/products', search: { categoryId: id } }),
  description: 'Les rayons du catalogue\u00a0: chaque type de produit est dans l’un d’eux.',
  whenEmpty: 'Les types de produits, puis les produits, se rangent dans les catégories créées ici.',
  nameOf: ({ name }) => name,
  columns: [
    {
      key: 'description',
      card: 'title',
      cell: ({ name, description }) => (
        <span className="flex items-start gap-3">
          <CategoryDrawing category={name} className="size-10 shrink-0" />
          <span className="line-clamp-3">{description ?? 'Sans description'}</span>
        </span>
      ),
    },
    { key: 'totalProducts', cell: ({ totalProducts }) => formatNumber(totalProducts) },
  ],
  // Products belong to its types.
  usedBy: ({ id, _count }) =>
    _count.types > 0
      ? {
          count: _count.types,
          one: 'type de produit',
          many: 'types de produit',
          to: '/products',
          search: { tab: 'types', categoryId: id },
        }
      : null,
  merge: { moves: 'ses types et leurs produits', search: categoryChoices.search },
  blank: { name: '', description: '' },
  requiredToSubmit: ['name'],
  form: ({ field }) => (
    <>
      <TextField required maxLength={200} {...field('name')} />
      <TextareaField maxLength={1000} {...field('description')} />
    </>
  ),
  details: (category) => [
    { key: 'name', value: category.name },
    { key: 'description', value: category.description ?? notAvailable },
    { key: 'totalProducts', value: formatNumber(category.totalProducts) },
    { key: 'created_at', value: formatDateTime(category.created_at) },
    { key: 'updated_at', value: formatDateTime(category.updated_at) },
  ],
})
