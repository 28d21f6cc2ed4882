import { Link } from '@tanstack/react-router'
import { Pencil, Trash2 } from 'lucide-react'
import { marketOption } from '#features/markets/ui/choices.ts'
import { PhotoOfPrice } from '#features/prices/photos/ui/photo-of-price.tsx'
import type { Price } from '#features/prices/prices.contract.ts'
import { TwoLines } from '#features/prices/ui/two-lines.tsx'
import { productOption } from '#features/products/ui/choices.ts'
import { formatDate, formatDateTime, formatMoney, notAvailable } from '#web/format.ts'
import { Badge } from '#web/ui/badge.tsx'
import { IconButton } from '#web/ui/button.tsx'
import type { Column } from '#web/ui/columns.ts'
import { Table, type TableProps } from '#web/ui/table.tsx'

export type PriceTableProps = Omit<TableProps<Price>, 'caption' | 'columns' | 'rowKey' | 'actions'> & {
  canDelete: boolean
  onEdit: (price: Price) => void
  onDelete: (price: Price) => void
}

/** The columns that the list can show. */
export const priceColumns: readonly Column<Price>[] = [
  {
    key: 'product',
    header: 'Produit',
    cell: ({ product, market }) => (
      <Link
        to="/series/$productId/$marketId"
        params={{ productId: String(product.id), marketId: String(market.id) }}
        className="group/link block in-[table]:min-w-36"
      >
        <TwoLines first={product.name} second={product.code} />
      </Link>
    ),
  },
  {
    key: 'market',
    header: 'Marché',
    cell: ({ market }) => <TwoLines first={market.name} second={market.location} />,
  },
  {
    key: 'priceValue',
    header: 'Prix',
    align: 'end',
    sortable: true,
    cell: ({ id, priceValue, currency, isUnderReview, hasPhoto, product }) => (
      <>
        <span className="font-medium whitespace-nowrap">{formatMoney(priceValue, currency)}</span>
        {isUnderReview && (
          <Badge tone="amber" className="ml-2">
            à vérifier
          </Badge>
        )}
        {hasPhoto && <PhotoOfPrice priceId={id} name={product.name} />}
      </>
    ),
  },
  { key: 'collectorName', header: 'Collecteur', card: 'hidden', cell: ({ collectorName }) => collectorName },
  {
    key: 'observedOn',
    header: 'Date',
    sortable: true,
    cell: ({ observedOn }) => <span className="whitespace-nowrap">{formatDate(observedOn)}</span>,
  },
  { key: 'source', header: 'Source', card: 'hidden', cell: ({ source }) => source ?? notAvailable },
  { key: 'category', header: 'Catégorie', isExtra: true, cell: ({ product }) => product.type.category.name },
  { key: 'type', header: 'Type', isExtra: true, cell: ({ product }) => product.type.name },
  {
    key: 'brand',
    header: 'Marque',
    isExtra: true,
    cell: ({ product }) => product.brand?.name ?? notAvailable,
  },
  { key: 'createdAt', header: 'Saisi le', isExtra: true, cell: ({ createdAt }) => formatDateTime(createdAt) },
]

/** A table of prices, the last collected first. */
export function PriceTable({ canDelete, onEdit, onDelete, ...rest }: PriceTableProps) {
  const canAct = canDelete || rest.rows.some(({ canEdit }) => canEdit)
  return (
    <Table
      {...rest}
      caption="Prix"
      columns={priceColumns}
      rowKey={({ id }) => id}
      actions={
        canAct
          ? (price) => (
              <>
                {price.canEdit && (
                  <IconButton
                    icon={Pencil}
                    label={`Modifier le prix de ${nameOf(price)}`}
                    onClick={() => onEdit(price)}
                  />
                )}
                {canDelete && (
                  <IconButton
                    icon={Trash2}
                    tone="danger"
                    label={`Supprimer le prix de ${nameOf(price)}`}
                    onClick={() => onDelete(price)}
                  />
                )}
              </>
            )
          : undefined
      }
    />
  )
}

/** « Farine de manioc · 1 kg · Détail, Marché central, Boma, 21 nov. 2026 » */
export function nameOf({ product, market, observedOn }: Price): string {
  return [productOption(product).label, marketOption(market).label, formatDate(observedOn)].join(', ')
}
