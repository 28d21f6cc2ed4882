import { Clock } from 'lucide-react'
import type { LatestPrice } from '#features/prices/latest/latest.contract.ts'
import { PricePhotos } from '#features/prices/photos/ui/price-photos.tsx'
import { ageInDays, ageText, isTooOld } from '#features/prices/ui/age.tsx'
import { comparedText, PriceMovement } from '#features/prices/ui/price-movement.tsx'
import { today } from '#features/prices/ui/price-selection.ts'
import { useSummary } from '#features/prices/ui/summary.ts'
import { nearestTo } from '#features/series/series.rules.ts'
import { addDays } from '#shared/days.ts'
import { capitalise, formatCount, formatDate, formatMoney } from '#web/format.ts'
import { LoadFailure } from '#web/load-failure.tsx'
import { Card } from '#web/ui/card.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

type LastPriceProps = {
  /** Undefined while it loads, null where there is none. */
  last: LatestPrice | null | undefined
  elsewhere: readonly LatestPrice[]
  query: { productId: number; marketId: number }
}

/** Shows the last price, its age, and its change over a month and a year. */
export function LastPrice({ last, elsewhere, query }: LastPriceProps) {
  if (last === undefined) return <Skeleton className="h-40 w-full" />
  if (last === null)
    return (
      <Card>
        <p>Aucun prix vérifié de ce produit dans ce marché.</p>
        <Neighbours prices={elsewhere} market={undefined} />
      </Card>
    )
  const { priceValue, currency, observedOn, collectorName } = last
  const isOld = ageInDays(observedOn) > 7
  return (
    <Card>
      <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
        <p
          className={`text-[length:1.75rem] leading-8.5 font-semibold tracking-tight whitespace-nowrap tabular-nums ${isTooOld(observedOn) ? 'text-ink-soft' : ''}`}
        >
          {formatMoney(priceValue, currency)}
        </p>
        <div
          className={`min-w-0 flex-1 basis-64 rounded-md text-sm ${isOld ? 'flex gap-3 bg-amber-soft px-3 py-2 text-amber' : 'text-ink-soft'}`}
        >
          {isOld && <Clock className="mt-0.5 size-4 shrink-0" aria-hidden />}
          <div>
            <p>
              <strong className="font-semibold">{`Relevé ${ageText(observedOn)}`}</strong>
              {`, le ${formatDate(observedOn)}, par ${collectorName}.`}
              {isOld && ' Ce prix a pu changer.'}
            </p>
            {isOld && <Neighbours prices={elsewhere} market={last.market} />}
          </div>
        </div>
      </div>
      <PricePhotos priceId={last.id} />
      <dl className="mt-4 grid gap-x-6 gap-y-3 sm:grid-cols-2">
        <Movement label="Sur 30 jours" days={30} query={query} />
        <Movement label="Sur 1 an" days={365} query={query} />
      </dl>
    </Card>
  )
}

/** Shows the recent prices of the nearest markets, or of any others if coordinates are missing. */
function Neighbours({
  prices,
  market,
}: {
  prices: readonly LatestPrice[]
  market: LatestPrice['market'] | undefined
}) {
  const fresh = prices.filter(({ currency, observedOn }) => currency === 'CDF' && ageInDays(observedOn) <= 7)
  const near = market ? nearestTo(fresh, market) : []
  const amounts = (near.length > 0 ? near : fresh).map(({ priceValue }) => priceValue)
  if (amounts.length === 0) return null
  const [low, high] = [Math.min(...amounts), Math.max(...amounts)]
  const range = low === high ? formatMoney(low) : `${formatMoney(low)} à ${formatMoney(high)}`
  const where =
    near.length > 0
      ? near.length === 1
        ? 'au marché le plus proche'
        : 'aux marchés les plus proches'
      : `dans ${formatCount(amounts.length, 'autre marché', 'autres marchés')}`
  return <p>{`Ces sept derniers jours, ${where}\u00a0: ${range}.`}</p>
}

type MovementProps = { label: string; days: number; query: { productId: number; marketId: number } }

function Movement({ label, days, query }: MovementProps) {
  const answer = useSummary({ ...query, startDate: addDays(today(), 1 - days), endDate: today() })
  const { data } = answer
  const failure = data ? null : answer.error
  return (
    <div>
      <dt className="text-sm text-ink-soft">{label}</dt>
      <dd className="mt-0.5">
        {failure && <LoadFailure compact title="Erreur lors du calcul de la variation" answer={answer} />}
        {!data && !failure && <Skeleton className="h-6 w-40" />}
        {data?.change && <PriceMovement summary={data} />}
        {data && <span className="block text-xs text-ink-soft">{`${capitalise(comparedText(data))}.`}</span>}
      </dd>
    </div>
  )
}
