import { z } from 'zod'
import {
  type collectorsInMarket,
  type latestPricesInMarket,
  latestPricesQuery,
} from '#features/prices/in-market/in-market.contract.ts'
import { listOf, rowsOfFigures } from '#features/prices/listed.rules.ts'
import { priceAddresses } from '#features/prices/prices.addresses.ts'
import { LatestPrices } from '#features/prices/ui/latest-prices.tsx'
import { MarketCollectors } from '#features/prices/ui/market-collectors.tsx'
import { MarketFigures } from '#features/prices/ui/market-figures.tsx'
import { PriceEvolution } from '#features/prices/ui/price-evolution.tsx'
import { today } from '#features/prices/ui/price-selection.ts'
import { useSummary } from '#features/prices/ui/summary.ts'
import { productChoices, productOption } from '#features/products/ui/choices.ts'
import { addDays } from '#shared/days.ts'
import { idFilter, optionalQuery } from '#shared/fields.ts'
import { call } from '#web/api.ts'
import { useExistingPage, useListState } from '#web/list-state.ts'
import { LoadFailure } from '#web/load-failure.tsx'
import { useAnswer } from '#web/query.ts'
import { Combobox } from '#web/ui/combobox.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Segmented } from '#web/ui/segmented.tsx'
import type { SearchOptions } from '#web/ui/use-options.ts'

const periods = [
  { value: '30', label: '30j', name: '30 derniers jours' },
  { value: '90', label: '90j', name: '90 derniers jours' },
  { value: '365', label: '1 an', name: '12 derniers mois' },
] as const
const period = optionalQuery(z.enum(['30', '90', '365'])).transform((value) => value ?? '90')

/** The page of the list of latest prices is in the address, beside the period and the product of the chart. */
const screen = {
  name: 'latest-prices-in-market',
  query: latestPricesQuery.extend({ period, productId: idFilter }),
}

type MarketStatisticsProps = { market: { id: number; name: string } }

/** Statistics of a market: figures and evolution over a period, latest prices, collectors. */
export function MarketStatistics({ market: { id, name } }: MarketStatisticsProps) {
  const list = useListState(screen)
  const { period, productId, ...query } = list.query
  const days = { startDate: addDays(today(), 1 - Number(period)), endDate: today() }
  const periodName = periods.find(({ value }) => value === period)?.name ?? ''
  const product = productChoices.useOption(productId)
  const productName = productChoices.useName(productId)
  const summary = useSummary({ marketId: id, ...days })
  const chart = useSummary({ marketId: id, productId, ...days })
  const latest = useAnswer<typeof latestPricesInMarket>(
    priceAddresses.latestInMarket,
    { params: { id }, query },
    { keepsPrevious: true },
  )
  const all = useAnswer<typeof latestPricesInMarket>(priceAddresses.latestInMarket, {
    params: { id },
    query: { limit: 1 },
  })
  const collectors = useAnswer<typeof collectorsInMarket>(
    priceAddresses.collectorsInMarket,
    { params: { id }, query: days },
    { keepsPrevious: true },
  )
  useExistingPage(latest.data?.pagination, list.setPage)

  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 className="text-lg font-semibold">Statistiques</h2>
        <Segmented
          label="Période"
          value={period}
          onChange={(next) => list.set({ period: next })}
          options={periods}
        />
      </div>
      {summary.error && !summary.data ? (
        <LoadFailure compact title="Erreur lors du chargement des chiffres" answer={summary} />
      ) : (
        <MarketFigures
          summary={summary.data}
          collectors={collectors.data?.pagination.total}
          products={all.data?.pagination.total}
          periodName={periodName}
          refetching={summary.isPlaceholderData}
          rowsHref={listOf(rowsOfFigures({ marketId: id, ...days }))}
        />
      )}
      <PriceEvolution
        summary={chart.data}
        subject={`${productName ?? 'Tous les produits'}, ${name}`}
        periodText={periodName}
        query={{ marketId: id, productId, ...days }}
        // Many markets are held, and their prices collected, once a week.
        maxGapDays={7}
        refetching={chart.isPlaceholderData}
        error={
          chart.error &&
          !chart.data && <LoadFailure compact title="Erreur lors du chargement des prix" answer={chart} />
        }
        empty={
          <EmptyState compact title="Aucune donnée de prix disponible">
            Aucun relevé sur cette période. Choisissez-en une plus longue, ou un autre produit.
          </EmptyState>
        }
        actions={
          <Combobox
            label="Produit"
            hideLabel
            className="w-64 max-w-full"
            placeholder="Tous les produits"
            value={product}
            search={productsIn(id)}
            onChange={(option) => list.set({ productId: option ? Number(option.value) : undefined })}
          />
        }
      />
      <LatestPrices marketId={id} answer={latest} list={list} />
      <MarketCollectors answer={collectors} periodName={periodName} chosen={{ marketId: id, ...days }} />
    </>
  )
}

/** Searches the products that have a price in the market. */
function productsIn(marketId: number): SearchOptions {
  return async (search, signal) => {
    const query = { search, limit: 30 }
    const answer = await call<typeof latestPricesInMarket>(priceAddresses.latestInMarket, {
      params: { id: marketId },
      query,
      signal,
    })
    return answer.data.map(({ product }) => productOption(product))
  }
}
