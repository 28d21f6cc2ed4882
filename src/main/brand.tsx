import { BrandPage } from '#features/brands/brands.admin.tsx'
import { BrandProducts } from '#features/products/ui/brand-products.tsx'

/** A brand and its products. Assembled here because products depend on brands, not the reverse. */
export function BrandScreen() {
  return (
    <BrandPage>
      {(brand, facts) => (
        <>
          <div className="max-w-3xl">{facts}</div>
          <BrandProducts brand={brand} />
        </>
      )}
    </BrandPage>
  )
}
