import { Absences } from '#features/collection/availability/ui/absences.tsx'
import { FollowButton } from '#features/follows/ui/follow-button.tsx'
import { ProductPrices } from '#features/prices/ui/product-prices.tsx'
import { ProductDetailPage } from '#features/products/products.admin.tsx'
import { AboutProduct } from '#features/products/ui/about-product.tsx'
import { useMay } from '#web/session.ts'

/**
 * One product, with its prices for users who may read them. Assembled here because prices depend on products, not the
 * reverse.
 */
export function ProductScreen() {
  const canRead = useMay()('prices.read')
  return (
    <ProductDetailPage>
      {(product) => (
        <>
          {canRead && (
            <div>
              <FollowButton productId={product.id} marketId={null} />
            </div>
          )}
          {canRead && <Absences productId={product.id} />}
          {canRead && <ProductPrices product={product} />}
          <AboutProduct product={product} />
        </>
      )}
    </ProductDetailPage>
  )
}
