import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { LatestPrice, latestPricesOfProduct } from '#features/prices/latest/latest.contract.ts'
import { priceAddresses } from '#features/prices/prices.addresses.ts'
import { AbsentSince } from '#features/prices/ui/absent-since.tsx'
import { PriceEvolution } from '#features/prices/ui/price-evolution.tsx'
import { isStale } from '#features/prices/ui/price-movement.tsx'
import { today } from '#features/prices/ui/price-selection.ts'
import { useSummary } from '#features/prices/ui/summary.ts'
import { TwoLines } from '#features/prices/ui/two-lines.tsx'
import { addDays } from '#shared/days.ts'
import { formatCount, formatDate, formatMoney, formatNumber } from '#web/format.ts'
import { LoadFailure } from '#web/load-failure.tsx'
import { useAnswer } from '#web/query.ts'
import { Button } from '#web/ui/button.tsx'
import { buttonClass } from '#web/ui/button-class.ts'
import type { Column } from '#web/ui/columns.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Segmented } from '#web/ui/segmented.tsx'
import { Table } from '#web/ui/table.tsx'

type ProductPricesProps = { product: { id: number; name: string } }

/** The prices of a product: its average over time, and its last price in each market. */
export function ProductPrices({ product }: ProductPricesProps) {
  return (
    <>
      <History product={product} />
      <LatestPrices productId={product.id} />
    </>
  )
}

const periods = [
  { value: '90', label: '90j', name: '90 derniers jours' },
  { value: '365', label: '1 an', name: '12 derniers mois' },
  { value: 'all', label: 'Tout', name: 'Depuis le premier relevé' },
] as const
type Period = (typeof periods)[number]['value']

function History({ product: { id, name } }: ProductPricesProps) {
  const [period, setPeriod] = useState<Period>('365')
  const query = {
    productId: id,
    ...(period !== 'all' && { startDate: addDays(today(), 1 - Number(period)), endDate: today() }),
  }
  const answer = useSummary(query)
  return (
    <PriceEvolution
      summary={answer.data}
      subject={name}
      periodText={periods.find(({ value }) => value === period)?.name.toLowerCase() ?? ''}
      query={query}
      refetching={answer.isPlaceholderData}
      error={
        answer.error &&
        !answer.data && <LoadFailure compact title="Erreur lors du chargement des prix" answer={answer} />
      }
      actions={<Segmented label="Période" value={period} onChange={setPeriod} options={[...periods]} />}
    />
  )
}

const firstShown = 10

function LatestPrices({ productId }: { productId: number }) {
  const answer = useAnswer<typeof latestPricesOfProduct>(priceAddresses.latestOfProduct, {
    params: { id: productId },
  })
  const { data = [], total = 0 } = answer.data ?? {}
  const [isWhole, setWhole] = useState(false)
  const rows = isWhole ? data : data.slice(0, firstShown)
  return (
    <section aria-labelledby="latest-prices" className="space-y-3">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <div>
          <h2 id="latest-prices" className="text-base font-semibold">
            Dernier prix par marché
          </h2>
          {total > 0 && (
            <p className="mt-0.5 text-ink-soft">
              {formatCount(total, 'marché', 'marchés')}
              {total > data.length && `, dont les ${data.length} relevés le plus récemment`}
            </p>
          )}
        </div>
        <Link to="/prices" search={{ productId, period: 'all' }} className={buttonClass()}>
          Voir tous les prix
        </Link>
      </div>
      <Table
        caption="Dernier prix par marché"
        columns={columns(productId)}
        rows={rows}
        rowKey={({ id }) => id}
        loading={answer.isPending}
        skeletonRows={5}
        error={
          answer.error &&
          !answer.data && <LoadFailure compact title="Erreur lors du chargement des prix" answer={answer} />
        }
        empty={
          <EmptyState compact title="Aucun prix trouvé">
            Aucun prix vérifié de ce produit, dans aucun marché.
          </EmptyState>
        }
      />
      {rows.length < data.length && (
        <Button onClick={() => setWhole(true)}>{`Afficher les ${formatNumber(data.length)} marchés`}</Button>
      )}
    </section>
  )
}

const columns = (productId: number): readonly Column<LatestPrice>[] => [
  {
    key: 'market',
    header: 'Marché',
    cell: ({ market }) => (
      <Link
        to="/series/$productId/$marketId"
        params={{ productId: String(productId), marketId: String(market.id) }}
        className="group/link block"
      >
        <TwoLines first={market.name} second={market.location} />
      </Link>
    ),
  },
  {
    key: 'priceValue',
    header: 'Prix',
    align: 'end',
    cell: ({ priceValue, currency, observedOn, absence }) => (
      <>
        <span
          className={`block font-medium whitespace-nowrap ${absence || isStale(observedOn) ? 'text-ink-soft' : ''}`}
        >
          {formatMoney(priceValue, currency)}
        </span>
        <span className="hidden text-xs text-ink-soft in-[ul]:block">{formatDate(observedOn)}</span>
        <AbsentSince absence={absence} />
      </>
    ),
  },
  {
    key: 'observedOn',
    header: 'Date',
    card: 'hidden',
    cell: ({ observedOn }) => <span className="whitespace-nowrap">{formatDate(observedOn)}</span>,
  },
  { key: 'collectorName', header: 'Collecteur', card: 'hidden', cell: ({ collectorName }) => collectorName },
]
