import { categories, categoryFigures } from '#features/categories/categories.contract.ts'
import { CategoryDrawing } from '#features/categories/ui/category-drawing.tsx'
import { adminScreens } from '#web/crud/admin-screens.tsx'
import { formatDate, formatDateTime, formatNumber, NOT_AVAILABLE } from '#web/format.ts'
import { TextareaField, TextField } from '#web/ui/inputs.tsx'

export const { ListPage: CategoriesPage } = adminScreens(categories, {
  path: '/categories',
  link: ({ id }) => ({ label: 'Voir les produits', to: '/products', search: { categoryId: id } }),
  description: 'Les rayons du catalogue\u00a0: chaque type de produit est dans l’un d’eux.',
  nameOf: ({ name }) => name,
  columns: [
    {
      key: 'description',
      header: 'Description',
      card: 'title',
      cell: ({ name, description }) => (
        <span className="flex items-start gap-3">
          <CategoryDrawing category={name} className="size-10 shrink-0" />
          <span className="line-clamp-3">{description ?? 'Sans description'}</span>
        </span>
      ),
    },
    { key: 'totalProducts', header: 'Produits', cell: ({ totalProducts }) => formatNumber(totalProducts) },
    { key: 'created_at', header: 'Créée le', cell: ({ created_at }) => formatDate(created_at) },
  ],
  figures: {
    endpoint: categoryFigures,
    labels: { categories: 'Catégories', types: 'Types', products: 'Produits' },
  },
  blank: { name: '', description: '' },
  awaited: ['name'],
  form: ({ register, formState: { errors } }) => (
    <>
      <TextField label="Nom" required maxLength={200} error={errors.name?.message} {...register('name')} />
      <TextareaField
        label="Description"
        maxLength={1000}
        error={errors.description?.message}
        {...register('description')}
      />
    </>
  ),
  details: (category) => [
    { label: 'Nom', value: category.name },
    { label: 'Description', value: category.description ?? NOT_AVAILABLE },
    { label: 'Produits', value: formatNumber(category.totalProducts) },
    { label: 'Créée le', value: formatDateTime(category.created_at) },
    { label: 'Modifiée le', value: formatDateTime(category.updated_at) },
  ],
})
