import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { Pencil, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { type Product, products } from '#features/products/products.contract.ts'
import { unitPrices } from '#features/products/products.rules.ts'
import { ProductMissing, ToProducts } from '#features/products/ui/product-missing.tsx'
import { ProductPicture } from '#features/products/ui/product-picture.tsx'
import { noBrand } from '#features/products/ui/product-table.tsx'
import { useTitle } from '#web/arrival.ts'
import { BackButton } from '#web/back-button.tsx'
import { DeleteDialog } from '#web/crud/delete-dialog.tsx'
import { formatDateTime, formatMoney, NOT_AVAILABLE } from '#web/format.ts'
import { useAnswer } from '#web/query.ts'
import { useMay } from '#web/session.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { buttonClass } from '#web/ui/button-class.ts'
import { Card, Facts } from '#web/ui/card.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { PageSkeleton } from '#web/ui/skeleton.tsx'

type ProductDetailPageProps = {
  /** What is known of its prices, under what is known of itself. */
  prices: (product: Product) => ReactNode
}

/** One product, by the id in the address. */
export function ProductDetailPage({ prices }: ProductDetailPageProps) {
  const { id }: { id?: string } = useParams({ strict: false })
  const answer = useAnswer(products.find, { params: { id: Number(id) } })
  const product = answer.data
  useTitle(product?.name)
  // What is shown stays when refreshing it fails.
  if (!product) return answer.error ? <ProductMissing answer={answer} /> : <PageSkeleton />
  return (
    <>
      <PageHeader
        title={product.name}
        description={`${product.type.category.name} · ${product.weight}`}
        back={<BackButton list="/products" />}
        actions={<Actions product={product} />}
      />
      <Summary product={product} />
      <Blocks product={product} />
      {prices(product)}
    </>
  )
}

function Actions({ product }: { product: Product }) {
  const navigate = useNavigate()
  const canWrite = useMay()('catalogue.write')
  const [isDeleting, setDeleting] = useState(false)
  return (
    <>
      <ToProducts />
      {canWrite && (
        <>
          <Link to={`/products/edit/${product.id}`} className={buttonClass()}>
            <Pencil className="size-4" aria-hidden />
            Modifier
          </Link>
          <Button icon={Trash2} onClick={() => setDeleting(true)}>
            Supprimer
          </Button>
        </>
      )}
      {isDeleting && (
        <DeleteDialog
          resource={products}
          id={product.id}
          name={product.name}
          onDone={() => navigate({ to: '/products' })}
          onClose={() => setDeleting(false)}
        />
      )}
    </>
  )
}

function Summary({ product }: { product: Product }) {
  const { name, code, type, price, currency } = product
  return (
    <Card>
      <div className="flex items-center gap-4 sm:gap-6">
        <ProductPicture product={product} alt={name} className="size-24 sm:size-40" isWhole />
        <dl className="flex min-w-0 flex-wrap gap-x-8 gap-y-2">
          <div className="basis-full">
            <dt className="text-xs text-ink-soft">Prix de référence</dt>
            <dd className="text-lg font-semibold sm:text-xl">{formatMoney(price, currency)}</dd>
          </div>
          <div>
            <dt className="text-xs text-ink-soft">Type</dt>
            <dd className="wrap-anywhere">{type.name}</dd>
          </div>
          <div>
            <dt className="text-xs text-ink-soft">Code</dt>
            <dd className="wrap-anywhere">{code}</dd>
          </div>
        </dl>
      </div>
    </Card>
  )
}

function Blocks({ product }: { product: Product }) {
  const { id, type, brand, weight, origin, format, price, currency, created_at, updated_at } = product
  return (
    <div className="grid gap-6 lg:grid-cols-2 xl:grid-cols-3">
      <Card title="Informations générales">
        <Facts
          items={[
            { label: 'Type', value: type.name },
            { label: 'Catégorie', value: type.category.name },
            { label: 'Marque', value: brand?.name ?? noBrand },
            { label: 'Poids', value: weight },
            { label: 'Origine', value: origin },
            { label: 'Format', value: format },
          ]}
        />
      </Card>
      <Card title="Informations de prix">
        <Facts
          items={[
            { label: 'Devise', value: currency },
            { label: 'Poids', value: weight },
            { label: 'Prix par unité', value: <UnitPrice product={product} /> },
            { label: 'Prix de référence', value: formatMoney(price, currency) },
          ]}
        />
      </Card>
      <Card title="Informations système" className="lg:max-xl:col-span-2">
        <Facts
          items={[
            { label: 'Identifiant', value: id },
            { label: 'Créé le', value: formatDateTime(created_at) },
            { label: 'Dernière modification', value: formatDateTime(updated_at) },
            { label: 'Statut', value: <Badge tone="green">Actif</Badge> },
          ]}
        />
      </Card>
    </div>
  )
}

function UnitPrice({ product: { price, weight, currency } }: { product: Product }) {
  const [first, second] = unitPrices(price, weight)
  if (!first) return NOT_AVAILABLE
  const write = ({ amount, unit }: typeof first) => `${formatMoney(amount, currency)} / ${unit}`
  // A gram may cost less than a cent: nothing to write then.
  return (
    <>
      <span className="block">{write(first)}</span>
      {second && second.amount >= 0.01 && (
        <span className="block text-xs font-normal text-ink-soft">{write(second)}</span>
      )}
    </>
  )
}
