import { type Product, products } from '#features/products/products.contract.ts'
import { unitPrices } from '#features/products/products.rules.ts'
import { noBrand } from '#features/products/ui/product-columns.tsx'
import { ProductPicture } from '#features/products/ui/product-picture.tsx'
import { formatDateTime, formatMoney, notAvailable } from '#web/format.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Card, Facts } from '#web/ui/card.tsx'

const { labels } = products

/** Details of a product. */
export function AboutProduct({ product }: { product: Product }) {
  return (
    <>
      <Summary product={product} />
      <Blocks product={product} />
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
            <dt className="text-xs text-ink-soft">{labels.type}</dt>
            <dd className="wrap-anywhere">{type.name}</dd>
          </div>
          <div>
            <dt className="text-xs text-ink-soft">{labels.code}</dt>
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
            { label: labels.type, value: type.name },
            { label: labels.category, value: type.category.name },
            { label: labels.brand, value: brand?.name ?? noBrand },
            { label: labels.weight, value: weight },
            { label: labels.origin, value: origin },
            { label: labels.format, value: format },
          ]}
        />
      </Card>
      <Card title="Informations de prix">
        <Facts
          items={[
            { label: labels.currency, value: currency },
            { label: labels.weight, value: weight },
            { label: 'Prix par unité', value: <UnitPrice product={product} /> },
            { label: 'Prix de référence', value: formatMoney(price, currency) },
          ]}
        />
      </Card>
      <Card title="Informations système" className="lg:max-xl:col-span-2">
        <Facts
          items={[
            { label: 'Identifiant', value: id },
            { label: labels.created_at, value: formatDateTime(created_at) },
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
  if (!first) return notAvailable
  const write = ({ amount, unit }: typeof first) => `${formatMoney(amount, currency)} / ${unit}`
  // A gram may cost less than a cent, which is not shown.
  return (
    <>
      <span className="block">{write(first)}</span>
      {second && second.amount >= 0.01 && (
        <span className="block text-xs font-normal text-ink-soft">{write(second)}</span>
      )}
    </>
  )
}
