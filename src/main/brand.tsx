import { BrandPage } from '#features/brands/brands.admin.tsx'
import { BrandProducts } from '#features/products/ui/brand-products.tsx'

/** A brand and its products: products know brands, not the other way round. */
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
