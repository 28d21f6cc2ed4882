import type { ComponentProps } from 'react'
import { brandCountries, brands } from '#features/brands/brands.contract.ts'
import { brandChoices } from '#features/brands/ui/choices.ts'
import { adminScreens } from '#web/crud/admin-screens.tsx'
import { formatDateTime, formatNumber } from '#web/format.ts'
import { type FilterControlProps, FilterText, SuggestField } from '#web/forms/suggestions.tsx'
import { TextField } from '#web/ui/inputs.tsx'

export const {
  ListPage: BrandsPage,
  DetailPage: BrandPage,
  CreateDialog: BrandCreateDialog,
} = adminScreens(brands, {
  path: '/brands',
  detailPath: ({ id }) => `/products/brands/${id}`,
  description: 'Les marques des produits suivis, et le pays d’où elles viennent.',
  whenEmpty: 'Une marque créée ici se choisit ensuite dans la fiche d’un produit.',
  nameOf: ({ name }) => name,
  columns: [
    { key: 'country', cell: ({ country }) => country },
    { key: 'products', cell: ({ _count }) => formatNumber(_count.products) },
  ],
  usedBy: ({ id, _count }) =>
    _count.products > 0
      ? {
          count: _count.products,
          one: 'produit',
          many: 'produits',
          to: '/products',
          search: { brandId: id },
        }
      : null,
  merge: { moves: 'ses produits', search: brandChoices.search },
  filters: [{ key: 'country', control: CountryFilter }],
  blank: { name: '', country: '' },
  form: ({ field }) => (
    <>
      <TextField required maxLength={200} {...field('name')} />
      <CountryField required maxLength={200} {...field('country')} />
    </>
  ),
  details: (brand) => [
    { key: 'name', value: brand.name },
    { key: 'country', value: brand.country },
    { key: 'products', value: formatNumber(brand._count.products) },
    { key: 'created_at', value: formatDateTime(brand.created_at) },
    { key: 'updated_at', value: formatDateTime(brand.updated_at) },
  ],
})

function CountryFilter(props: FilterControlProps) {
  return <FilterText {...props} suggestions={brandCountries} />
}

function CountryField(props: ComponentProps<typeof TextField>) {
  return <SuggestField {...props} suggestions={brandCountries} />
}
