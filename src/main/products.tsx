import { useNavigate, useSearch } from '@tanstack/react-router'
import { ProductTypesPage } from '#features/product-types/product-types.admin.tsx'
import { ProductsPage } from '#features/products/products.admin.tsx'
import { Tabs } from '#web/ui/tabs.tsx'

const tabs = [
  { value: 'products', label: 'Produits' },
  { value: 'types', label: 'Types de Produits' },
] as const

/** /products: the products and the product types, each with its own list. */
export function Products() {
  const { tab }: { tab?: string } = useSearch({ strict: false })
  const navigate = useNavigate()
  const isTypes = tab === 'types'
  return (
    <Tabs<(typeof tabs)[number]['value']>
      label="Catalogue"
      tabs={tabs}
      value={isTypes ? 'types' : 'products'}
      // Each list has its own filters: the address holds those of the list shown.
      onChange={(next) => void navigate({ to: '.', search: next === 'types' ? { tab: next } : {} })}
    >
      <div className="space-y-4 sm:space-y-6">{isTypes ? <ProductTypesPage /> : <ProductsPage />}</div>
    </Tabs>
  )
}
