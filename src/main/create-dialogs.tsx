import { lazyCode } from '#web/lazy-code.tsx'

/** What can be made over a form that needs one, by the name of its resource. */
export const createDialogs = {
  categories: lazyCode(
    () => import('#features/categories/categories.admin.tsx'),
    'CategoryCreateDialog',
    'nothing',
  ),
  'product-types': lazyCode(
    () => import('#features/product-types/product-types.admin.tsx'),
    'ProductTypeCreateDialog',
    'nothing',
  ),
  brands: lazyCode(() => import('#features/brands/brands.admin.tsx'), 'BrandCreateDialog', 'nothing'),
  products: lazyCode(() => import('#features/products/products.admin.tsx'), 'ProductCreateDialog', 'nothing'),
  markets: lazyCode(() => import('#features/markets/markets.admin.tsx'), 'MarketCreateDialog', 'nothing'),
}
