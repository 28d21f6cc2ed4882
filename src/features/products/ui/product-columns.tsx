import type { ReactNode } from 'react'
import type { Product, products } from '#features/products/products.contract.ts'
import { ProductPicture } from '#features/products/ui/product-picture.tsx'
import type { ListColumn } from '#web/crud/screens.ts'
import { formatDate, formatMoney } from '#web/format.ts'
import type { SortState } from '#web/ui/table.tsx'

/** Columns of lists of products. */
export const productListColumns: readonly ListColumn<Product, keyof typeof products.labels>[] = [
  {
    key: 'image',
    header: 'Image',
    card: 'hidden',
    className: 'w-16',
    cell: (product) => <ProductPicture product={product} />,
  },
  { key: 'code', card: 'line', cell: ({ code }) => <Text>{code}</Text> },
  {
    key: 'name',
    card: 'title',
    cell: (product) => (
      <span className="flex min-w-44 items-center gap-3 in-[ul]:min-w-0">
        {/* A card has no column for the picture. */}
        <span className="hidden in-[ul]:block">
          <ProductPicture product={product} />
        </span>
        <Text second={`${product.weight} · ${product.origin}`}>
          <span className="font-medium group-hover/link:underline">{product.name}</span>
        </Text>
      </span>
    ),
  },
  { key: 'type', cell: ({ type }) => <Text second={type.category.name}>{type.name}</Text> },
  { key: 'brand', card: 'hidden', cell: ({ brand }) => <Text>{brand?.name ?? noBrand}</Text> },
  {
    key: 'price',
    align: 'end',
    cell: ({ price, currency }) => (
      <span className="font-medium whitespace-nowrap">{formatMoney(price, currency)}</span>
    ),
  },
  { key: 'format', card: 'hidden', cell: ({ format }) => <Text>{format}</Text> },
  { key: 'origin', isExtra: true, cell: ({ origin }) => <Text>{origin}</Text> },
  { key: 'created_at', isExtra: true, cell: ({ created_at }) => formatDate(created_at) },
]

/** Width below which lists show cards instead of a table. */
export const productCards = '(max-width: 1023.98px)'

/** The default order of the list. */
export const productsByName: SortState = { key: 'name', direction: 'asc' }

export const noBrand = 'Sans marque'

/** Returns the address of a product's page. */
export function pathOf({ id }: Pick<Product, 'id'>): string {
  return `/products/detail/${id}`
}

type TextProps = { children: ReactNode; second?: string }

/** Breaks long words, without squeezing a column to a few letters. */
function Text({ children, second }: TextProps) {
  return (
    <span className="block min-w-24 wrap-anywhere in-[ul]:min-w-0">
      {children}
      {second && <span className="block text-xs font-normal text-ink-soft">{second}</span>}
    </span>
  )
}
