import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { AlertButton } from '#features/alerts/ui/alert-button.tsx'
import { Absences } from '#features/collection/availability/ui/absences.tsx'
import { FollowButton } from '#features/follows/ui/follow-button.tsx'
import { marketAddresses } from '#features/markets/markets.addresses.ts'
import type { markets } from '#features/markets/markets.contract.ts'
import type { LatestPrice, latestPricesOfProduct } from '#features/prices/latest/latest.contract.ts'
import { priceAddresses } from '#features/prices/prices.addresses.ts'
import { PriceEvolution } from '#features/prices/ui/price-evolution.tsx'
import { today } from '#features/prices/ui/price-selection.ts'
import { useSummary } from '#features/prices/ui/summary.ts'
import { productAddresses } from '#features/products/products.addresses.ts'
import type { products } from '#features/products/products.contract.ts'
import { weightShown } from '#features/products/products.rules.ts'
import { Elsewhere } from '#features/series/ui/elsewhere.tsx'
import { LastPrice } from '#features/series/ui/last-price.tsx'
import { CiteButton } from '#features/shares/ui/cite-button.tsx'
import { ShareButton } from '#features/shares/ui/share-button.tsx'
import { addDays } from '#shared/days.ts'
import { useTitle } from '#web/arrival.ts'
import { RowMissing } from '#web/crud/row-missing.tsx'
import { formatDate, formatMoney } from '#web/format.ts'
import { LoadFailure } from '#web/load-failure.tsx'
import { useAnswer } from '#web/query.ts'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Segmented } from '#web/ui/segmented.tsx'
import { PageSkeleton } from '#web/ui/skeleton.tsx'

const priceNoun = { one: 'Prix', many: 'prix', gender: 'm' } as const

/**
 * The page of one series: the last price of a product in a market, its age, its changes, and its price in other
 * markets.
 */
export function SeriesPage() {
  const params = useParams({ strict: false })
  const [productId, marketId] = [Number(params.productId), Number(params.marketId)]
  const product = useAnswer<typeof products.find>(productAddresses.find, { params: { id: productId } })
  const market = useAnswer<typeof markets.find>(marketAddresses.find, { params: { id: marketId } })
  const latest = useAnswer<typeof latestPricesOfProduct>(priceAddresses.latestOfProduct, {
    params: { id: productId },
    query: { marketId },
  })
  const subject = product.data && market.data && `${product.data.name}, ${market.data.name}`
  useTitle(subject)
  const failed = [product, market, latest].find(({ error, data }) => error && !data)
  if (failed) return <RowMissing noun={priceNoun} path="/prices" listLabel="Voir les prix" answer={failed} />
  if (!product.data || !market.data || subject === undefined) return <PageSkeleton />
  const shown = { ...product.data, weight: weightShown(product.data) }
  const own = latest.data?.data.find((each) => each.market.id === marketId)
  const elsewhere = latest.data?.data.filter((each) => each.market.id !== marketId)
  return (
    <>
      <PageHeader
        title={`${shown.name}, ${shown.weight}`}
        description={
          <>
            <Link to="/markets/$id" params={{ id: String(marketId) }} className="text-river hover:underline">
              {`${market.data.name}, ${market.data.location}`}
            </Link>
            {` · ${product.data.type.category.name}`}
          </>
        }
      />
      <div className="flex flex-wrap gap-3" data-comes-first>
        <FollowButton productId={productId} marketId={marketId} />
        <AlertButton product={shown} market={market.data} />
        <ShareButton path={`/series/${productId}/${marketId}`} text={sharedText(shown, market.data, own)} />
        <CiteButton
          title={`Prix de ${shown.name}, ${shown.weight}, ${market.data.name}, ${market.data.location}`}
          path={`/series/${productId}/${marketId}`}
        />
      </div>
      <Absences productId={productId} marketId={marketId} />
      <div className="grid items-start gap-6 xl:grid-cols-3">
        <div className="min-w-0 space-y-6 xl:col-span-2">
          <LastPrice
            last={latest.data && (own ?? null)}
            elsewhere={elsewhere ?? []}
            query={{ productId, marketId }}
          />
          <PriceOverTime subject={subject} query={{ productId, marketId }} />
        </div>
        <Elsewhere
          productId={productId}
          prices={latest.data?.data}
          here={marketId}
          total={latest.data?.total ?? 0}
        />
      </div>
    </>
  )
}

/** Returns for example « Riz local, 1 kg à Virunga, Goma : 3 600 FC le 6 nov. 2026 ». */
function sharedText(
  product: { name: string; weight: string },
  market: { name: string; location: string },
  last: LatestPrice | undefined,
): string {
  const subject = `${product.name}, ${product.weight} à ${market.name}, ${market.location}`
  return last
    ? `${subject}\u00a0: ${formatMoney(last.priceValue, last.currency)} le ${formatDate(last.observedOn)} (Ntalo)`
    : `${subject} (Ntalo)`
}

const periods = [
  { value: '90', label: '90 jours', name: '90 derniers jours' },
  { value: '365', label: '1 an', name: '12 derniers mois' },
  { value: '730', label: '2 ans', name: '24 derniers mois' },
] as const

function PriceOverTime({
  subject,
  query: series,
}: {
  subject: string
  query: { productId: number; marketId: number }
}) {
  const [period, setPeriod] = useState<(typeof periods)[number]['value']>('365')
  const query = { ...series, startDate: addDays(today(), 1 - Number(period)), endDate: today() }
  const answer = useSummary(query)
  return (
    <PriceEvolution
      isShared={false}
      summary={answer.data}
      subject={subject}
      periodText={periods.find(({ value }) => value === period)?.name.toLowerCase() ?? ''}
      query={query}
      refetching={answer.isPlaceholderData}
      maxGapDays={14}
      error={
        answer.error &&
        !answer.data && <LoadFailure compact title="Erreur lors du chargement des prix" answer={answer} />
      }
      actions={<Segmented label="Période" value={period} onChange={setPeriod} options={periods} />}
    />
  )
}
