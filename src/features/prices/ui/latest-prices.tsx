import { Link } from '@tanstack/react-router'
import type { latestPricesInMarket, PriceInMarket } from '#features/prices/in-market/in-market.contract.ts'
import { AbsentSince } from '#features/prices/ui/absent-since.tsx'
import { isStale } from '#features/prices/ui/price-movement.tsx'
import { TwoLines } from '#features/prices/ui/two-lines.tsx'
import type { AnswerOf, QueryOf } from '#shared/contract.ts'
import { formatDate, formatMoney } from '#web/format.ts'
import { type ListState, sortParameter } from '#web/list-state.ts'
import { LoadFailure } from '#web/load-failure.tsx'
import { buttonClass } from '#web/ui/button-class.ts'
import { Change } from '#web/ui/change.tsx'
import type { Column } from '#web/ui/columns.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Pager } from '#web/ui/pager.tsx'
import { SearchField } from '#web/ui/search-field.tsx'
import { Table } from '#web/ui/table.tsx'

type LatestPricesProps = {
  marketId: number
  answer: {
    data: AnswerOf<typeof latestPricesInMarket> | undefined
    error: Error | null
    isPending: boolean
    isFetching: boolean
    isPlaceholderData: boolean
    refetch: () => unknown
  }
  list: ListState<QueryOf<typeof latestPricesInMarket>>
}

/** The last price of each product in a market, and its change. */
export function LatestPrices({ marketId, answer, list }: LatestPricesProps) {
  const { data, error, isPending } = answer
  return (
    <section aria-labelledby="latest-prices" className="space-y-3">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <div>
          <h2 id="latest-prices" className="text-base font-semibold">
            Dernier prix par produit
          </h2>
          <p className="mt-0.5 text-ink-soft">Comparé à celui d’avant, dans la même devise.</p>
        </div>
        <div className="flex flex-wrap gap-3 max-sm:w-full">
          <div className="grow sm:w-72">
            <SearchField
              label="Rechercher un produit"
              value={list.query.search ?? ''}
              onChange={(search) => list.set({ search: search || undefined })}
            />
          </div>
          <Link to="/prices" search={{ marketId, period: 'all' }} className={buttonClass()}>
            Voir tous les prix
          </Link>
        </div>
      </div>
      <Table
        caption="Dernier prix par produit"
        columns={columns(marketId)}
        rows={data?.data ?? []}
        rowKey={({ product }) => product.id}
        loading={isPending}
        refetching={answer.isPlaceholderData}
        skeletonRows={list.query.limit}
        cards="(max-width: 1023.98px)"
        sort={list.sort ?? { key: 'product', direction: 'asc' }}
        onSort={(sort) => list.setSort(sortParameter(sort))}
        error={
          error && !data && <LoadFailure compact title="Erreur lors du chargement des prix" answer={answer} />
        }
        empty={
          <EmptyState compact title="Aucun prix trouvé">
            {list.query.search
              ? 'Aucun produit de ce marché ne correspond à cette recherche.'
              : 'Aucun prix vérifié dans ce marché.'}
          </EmptyState>
        }
      />
      {data && (
        <Pager
          {...data.pagination}
          page={list.query.page}
          limit={list.query.limit}
          onPage={(page) => list.setPage(page, {})}
          onLimit={list.setLimit}
          noun={['produit', 'produits']}
          busy={answer.isFetching}
        />
      )}
    </section>
  )
}

const columns = (marketId: number): readonly Column<PriceInMarket>[] => [
  {
    key: 'product',
    header: 'Produit',
    sortable: true,
    cell: ({ product }) => (
      <Link
        to="/series/$productId/$marketId"
        params={{ productId: String(product.id), marketId: String(marketId) }}
        className="group/link block"
      >
        <TwoLines first={product.name} second={`${product.weight} · ${product.format}`} />
      </Link>
    ),
  },
  {
    key: 'priceValue',
    header: 'Dernier prix',
    align: 'end',
    cell: ({ priceValue, currency, observedOn, absence }) => (
      <>
        <span
          className={`font-medium whitespace-nowrap ${absence || isStale(observedOn) ? 'text-ink-soft' : ''}`}
        >
          {formatMoney(priceValue, currency)}
        </span>
        <AbsentSince absence={absence} />
      </>
    ),
  },
  {
    key: 'change',
    header: 'Variation',
    align: 'end',
    // A change between only two prices gets no colour.
    cell: ({ priceValue, previous }) => (
      <>
        <Change percent={previous && (priceValue / previous.priceValue - 1) * 100} />
        {previous && (
          <span className="block text-xs text-ink-soft">depuis le {formatDate(previous.observedOn)}</span>
        )}
      </>
    ),
  },
  {
    key: 'observedOn',
    header: 'Relevé le',
    sortable: true,
    cell: ({ observedOn }) => <span className="whitespace-nowrap">{formatDate(observedOn)}</span>,
  },
  { key: 'collectorName', header: 'Par', card: 'hidden', cell: ({ collectorName }) => collectorName },
]
