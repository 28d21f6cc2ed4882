import { Link, useSearch } from '@tanstack/react-router'
import { FileUp } from 'lucide-react'
import { brandChoices } from '#features/brands/ui/choices.ts'
import { categoryChoices } from '#features/categories/ui/choices.ts'
import { typeChoices } from '#features/product-types/ui/choices.ts'
import { productFormats, productOrigins, products } from '#features/products/products.contract.ts'
import { productChoices } from '#features/products/ui/choices.ts'
import {
  pathOf,
  productCards,
  productListColumns,
  productsByName,
} from '#features/products/ui/product-columns.tsx'
import { ProductFields } from '#features/products/ui/product-fields.tsx'
import { amountFilter } from '#shared/fields.ts'
import { adminScreens } from '#web/crud/admin-screens.tsx'
import { formatNumber, formatTyped } from '#web/format.ts'
import { ChoiceFilter, choiceFilter, selectFilter } from '#web/forms/choice-filter.tsx'
import { currencyOptions } from '#web/forms/currencies.ts'
import { type FilterControlProps, FilterText } from '#web/forms/suggestions.tsx'
import { useMay } from '#web/session.ts'
import { buttonClass } from '#web/ui/button-class.ts'
import { toast } from '#web/ui/toast.ts'

const categoryFilter = choiceFilter(categoryChoices, 'Toutes les catégories')
const typeFilter = choiceFilter(typeChoices, 'Tous les types')
const brandedOptions = [
  { value: 'true', label: 'Avec une marque' },
  { value: 'false', label: 'Sans marque' },
]
const required = ['code', 'name', 'typeId', 'brandId', 'weight', 'origin', 'format'] as const

const screens = adminScreens(products, {
  path: '/products',
  detailPath: pathOf,
  editPath: ({ id }) => `/products/edit/${id}`,
  description: 'Les produits dont les prix sont suivis, avec leur prix de référence.',
  nameOf: ({ name }) => name,
  aboutOf: ({ type, weight }) => `${type.category.name} · ${weight}`,
  missingTitle: 'Produit non trouvé',
  layout: 'table',
  cards: productCards,
  ownOrder: productsByName,
  pager: 'plain',
  columns: productListColumns,
  whenEmpty:
    'Les produits enregistrés apparaîtront ici. Il leur faut un type, dans une catégorie, et une marque.',
  searchHint: 'Nom ou code…',
  filters: [
    { key: 'categoryId', ...categoryFilter, control: CategoryFilter },
    { key: 'typeId', ...typeFilter, control: TypeFilter },
    { key: 'brandId', ...choiceFilter(brandChoices, 'Toutes les marques') },
    { key: 'branded', label: 'Avec ou sans marque', isExtra: true, ...selectFilter(brandedOptions, 'Tous') },
    { key: 'minPrice', label: 'Prix minimum', isExtra: true, ...amountBound('Prix min.', '0') },
    { key: 'maxPrice', label: 'Prix maximum', isExtra: true, ...amountBound('Prix max.', 'Sans') },
    { key: 'currency', isExtra: true, control: selectFilter(currencyOptions, 'Toutes').control },
    { key: 'origin', isExtra: true, control: OriginFilter },
    { key: 'format', isExtra: true, control: FormatFilter },
  ],
  usedBy: ({ id, _count }) =>
    _count.prices > 0
      ? {
          count: _count.prices,
          one: 'prix',
          many: 'prix',
          to: '/prices',
          search: { productId: id, period: 'all' },
        }
      : null,
  merge: { moves: 'ses relevés', search: productChoices.search },
  blank: {
    code: '',
    name: '',
    typeId: '',
    brandId: '',
    weight: '',
    price: '',
    origin: '',
    format: '',
    currency: 'CDF',
    image: '',
  },
  // A product without a brand can be edited without one: brandId null is not a missing value.
  valuesOf: ({ price, brandId }) => ({ price: price === null ? '' : formatTyped(price), brandId }),
  requiredToSubmit: (typed) => required.every((name) => typed[name] !== ''),
  form: (form, product) => <ProductFields form={form} product={product} />,
  formSize: 'lg',
})

export const {
  DetailPage: ProductDetailPage,
  EditPage: ProductEditPage,
  CreateDialog: ProductCreateDialog,
} = screens

/** The catalogue, with the import of a file for users with that permission. */
export function ProductsPage() {
  const mayImport = useMay()('prices.import')
  return (
    <screens.ListPage
      actions={
        mayImport && (
          <Link to="/prices/imports" search={{ kind: 'products' }} className={buttonClass()}>
            <FileUp className="size-4" aria-hidden />
            Importer
          </Link>
        )
      }
    />
  )
}

function CategoryFilter({ onChange, ...rest }: FilterControlProps) {
  // A type belongs to one category, so a change of category clears the type.
  return <categoryFilter.control {...rest} onChange={(value) => onChange(value, { typeId: undefined })} />
}

function TypeFilter(props: FilterControlProps) {
  const { categoryId }: { categoryId?: string } = useSearch({ strict: false })
  return (
    <ChoiceFilter
      {...props}
      choices={typeChoices}
      placeholder="Tous les types"
      search={typeChoices.searchIn({ categoryId })}
    />
  )
}

function amountBound(label: string, placeholder: string) {
  return {
    control: ({ onChange, ...props }: FilterControlProps) => (
      <FilterText
        {...props}
        inputMode="decimal"
        autoComplete="off"
        placeholder={placeholder}
        label={label}
        className="sm:w-24"
        onChange={(text) => {
          const { data, error } = amountFilter.safeParse(text || undefined)
          if (error) toast.error(error.issues[0]?.message ?? 'Nombre attendu')
          else onChange(String(data ?? ''))
        }}
      />
    ),
    chip: ({ value }: { value: string }) => formatNumber(Number(value)),
  }
}

function OriginFilter(props: FilterControlProps) {
  return <FilterText {...props} placeholder="Toutes" className="sm:w-36" suggestions={productOrigins} />
}

function FormatFilter(props: FilterControlProps) {
  return <FilterText {...props} className="sm:w-36" suggestions={productFormats} />
}
