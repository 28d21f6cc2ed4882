import { ProductPrices } from '#features/prices/ui/product-prices.tsx'
import { ProductDetailPage } from '#features/products/product-detail.page.tsx'
import { useMay } from '#web/session.ts'

/** One product, with its prices for whoever may read them. */
export function ProductScreen() {
  const canRead = useMay()('prices.read')
  return <ProductDetailPage prices={(product) => canRead && <ProductPrices product={product} />} />
}
