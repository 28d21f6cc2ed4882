import type { ComponentProps } from 'react'
import { brands } from '#features/brands/brands.contract.ts'
import { adminScreens } from '#web/crud/admin-screens.tsx'
import { formatDate, formatDateTime, formatNumber } from '#web/format.ts'
import { type FilterControlProps, FilterText, SuggestField } from '#web/forms/suggestions.tsx'
import { useAnswer } from '#web/query.ts'
import { TextField } from '#web/ui/inputs.tsx'

export const { ListPage: BrandsPage, DetailPage: BrandPage } = adminScreens(brands, {
  path: '/brands',
  detailPath: ({ id }) => `/products/brands/${id}`,
  description: 'Les marques des produits suivis, et le pays d’où elles viennent.',
  nameOf: ({ name }) => name,
  columns: [
    { key: 'country', header: 'Pays', cell: ({ country }) => country },
    { key: 'products', header: 'Produits', cell: ({ _count }) => formatNumber(_count.products) },
    { key: 'created_at', header: 'Créée le', cell: ({ created_at }) => formatDate(created_at) },
  ],
  filters: [{ key: 'country', label: 'Pays', control: CountryFilter }],
  blank: { name: '', country: '' },
  form: ({ register, formState: { errors } }) => (
    <>
      <TextField label="Nom" required maxLength={200} error={errors.name?.message} {...register('name')} />
      <CountryField
        label="Pays"
        required
        maxLength={200}
        error={errors.country?.message}
        {...register('country')}
      />
    </>
  ),
  details: (brand) => [
    { label: 'Nom', value: brand.name },
    { label: 'Pays', value: brand.country },
    { label: 'Produits', value: formatNumber(brand._count.products) },
    { label: 'Créée le', value: formatDateTime(brand.created_at) },
    { label: 'Modifiée le', value: formatDateTime(brand.updated_at) },
  ],
})

function CountryFilter(props: FilterControlProps) {
  return <FilterText {...props} suggestions={useCountries()} />
}

function CountryField(props: ComponentProps<typeof TextField>) {
  return <SuggestField {...props} suggestions={useCountries()} />
}

/** The countries of the brands there are. */
function useCountries(): string[] {
  const { data } = useAnswer(brands.list, { query: { limit: 200, sort: 'country' } })
  return [...new Set(data?.brands.map(({ country }) => country))]
}
