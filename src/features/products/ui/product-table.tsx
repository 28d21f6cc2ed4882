import { Link } from '@tanstack/react-router'
import { Eye, Pencil, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Product } from '#features/products/products.contract.ts'
import { ProductPicture } from '#features/products/ui/product-picture.tsx'
import { quoted } from '#web/crud/words.ts'
import { formatDate, formatMoney } from '#web/format.ts'
import { IconButton, iconButtonClass } from '#web/ui/button.tsx'
import type { Column } from '#web/ui/columns.ts'
import { type SortState, Table, type TableProps } from '#web/ui/table.tsx'

type ProductTableProps = Omit<TableProps<Product>, 'caption' | 'columns' | 'rowKey' | 'actions'> & {
  canWrite: boolean
  onEdit: (product: Product) => void
  onDelete: (product: Product) => void
}

/** What lists say of a product. */
export const productTableColumns: readonly Column<Product>[] = [
  {
    key: 'image',
    header: 'Image',
    card: 'hidden',
    className: 'w-16',
    cell: (product) => <ProductPicture product={product} />,
  },
  { key: 'code', header: 'Code', sortable: true, card: 'line', cell: ({ code }) => <Text>{code}</Text> },
  {
    key: 'name',
    header: 'Nom',
    sortable: true,
    card: 'title',
    cell: (product) => (
      <span className="flex min-w-44 items-center gap-3 in-[ul]:min-w-0">
        {/* A card has no column for it. */}
        <span className="hidden in-[ul]:block">
          <ProductPicture product={product} />
        </span>
        <Link to={pathOf(product)} className="group/link min-w-0">
          <Text second={`${product.weight} · ${product.origin}`}>
            <span className="font-medium group-hover/link:text-river group-hover/link:underline">
              {product.name}
            </span>
          </Text>
        </Link>
      </span>
    ),
  },
  {
    key: 'type',
    header: 'Type',
    sortable: true,
    cell: ({ type }) => <Text second={type.category.name}>{type.name}</Text>,
  },
  {
    key: 'brand',
    header: 'Marque',
    sortable: true,
    card: 'hidden',
    cell: ({ brand }) => <Text>{brand?.name ?? noBrand}</Text>,
  },
  {
    key: 'price',
    header: 'Prix',
    align: 'end',
    sortable: true,
    cell: ({ price, currency }) => (
      <span className="font-medium whitespace-nowrap">{formatMoney(price, currency)}</span>
    ),
  },
  {
    key: 'format',
    header: 'Format',
    sortable: true,
    card: 'hidden',
    cell: ({ format }) => <Text>{format}</Text>,
  },
  {
    key: 'origin',
    header: 'Origine',
    sortable: true,
    isExtra: true,
    cell: ({ origin }) => <Text>{origin}</Text>,
  },
  {
    key: 'created_at',
    header: 'Créé le',
    sortable: true,
    isExtra: true,
    cell: ({ created_at }) => formatDate(created_at),
  },
]

/** Where the table is too narrow for its columns. */
export const productCards = '(max-width: 1023.98px)'

/** The list's own order. */
export const productsByName: SortState = { key: 'name', direction: 'asc' }

export const noBrand = 'Sans marque'

/** Products, with what can be done with each. */
export function ProductTable({ canWrite, onEdit, onDelete, ...rest }: ProductTableProps) {
  return (
    <Table
      {...rest}
      caption="Produits"
      columns={productTableColumns}
      cards={productCards}
      rowKey={({ id }) => id}
      actions={(product) => {
        const name = quoted(product.name)
        return (
          <>
            <Link
              to={pathOf(product)}
              aria-label={`Voir ${name}`}
              title={`Voir ${name}`}
              className={iconButtonClass('default', 'in-[ul]:hidden')}
            >
              <Eye className="size-4.5" aria-hidden />
            </Link>
            {canWrite && (
              <>
                <IconButton icon={Pencil} label={`Modifier ${name}`} onClick={() => onEdit(product)} />
                <IconButton
                  icon={Trash2}
                  tone="danger"
                  label={`Supprimer ${name}`}
                  onClick={() => onDelete(product)}
                />
              </>
            )}
          </>
        )
      }}
    />
  )
}

/** The address of a product's own page. */
export function pathOf({ id }: Pick<Product, 'id'>): string {
  return `/products/detail/${id}`
}

type TextProps = { children: ReactNode; second?: string }

/** Long words break, but no column is squeezed to a few letters for it. */
function Text({ children, second }: TextProps) {
  return (
    <span className="block min-w-16 wrap-anywhere in-[ul]:min-w-0">
      {children}
      {second && <span className="block text-xs font-normal text-ink-soft">{second}</span>}
    </span>
  )
}
