import { lazyCode } from '#web/lazy-code.tsx'

/** Dialogs that create a row from within another form, by the name of the resource. */
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
