import { Link } from '@tanstack/react-router'
import type { LatestPrice } from '#features/prices/latest/latest.contract.ts'
import { AbsentSince } from '#features/prices/ui/absent-since.tsx'
import { Age, isTooOld } from '#features/prices/ui/age.tsx'
import type { series } from '#features/series/series.contract.ts'
import { kilometresBetween, selectComparisons } from '#features/series/series.rules.ts'
import { formatCount, formatMoney, formatNumber, formatPercent } from '#web/format.ts'
import { useAnswer } from '#web/query.ts'
import { Card } from '#web/ui/card.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

type ElsewhereProps = {
  productId: number
  /** The last price in each market, including this one; undefined while they load. */
  prices: readonly LatestPrice[] | undefined
  /** The market of the page. */
  here: number
  /** Number of markets with a price. */
  total: number
}

/** Shows the same product in other markets, the cheapest first, compared with its price here. */
export function Elsewhere({ productId, prices, here, total }: ElsewhereProps) {
  const gaps = useAnswer<typeof series.gaps>(
    { method: 'GET', path: '/api/series/{product}/{market}/gaps' },
    { params: { product: productId, market: here } },
  )
  const usualGaps = new Map(gaps.data?.data.map((each) => [each.marketId, each.usualGap]))
  if (!prices) return <Skeleton className="h-96 w-full" />
  const own = prices.find(({ market }) => market.id === here)
  const fresh = prices.filter((each) => each === own || !isTooOld(each.observedOn))
  const shown = selectComparisons(fresh, own)
  return (
    <Card
      title="Le même produit ailleurs"
      description="Par prix, relevés depuis 14 jours au plus."
      padded={false}
      footer={
        <Link
          to="/products/detail/$id"
          params={{ id: String(productId) }}
          className="text-river hover:underline"
        >
          {total > 1 ? `Les ${formatNumber(total)} marchés` : 'La fiche du produit'}
        </Link>
      }
    >
      {shown.length <= (own ? 1 : 0) && (
        <p className="px-4 text-ink-soft sm:px-5">Aucun autre marché ne l’a relevé ces 14 derniers jours.</p>
      )}
      <ul className="divide-y divide-line border-t border-line">
        {shown.map((each) =>
          'left' in each ? (
            <li key={`left from ${each.first}`} className="px-4 py-1 text-xs text-ink-soft sm:px-5">
              {`… ${formatCount(each.left, 'marché', 'marchés')}`}
            </li>
          ) : (
            <li key={each.market.id} className="flex items-center gap-4 px-4 py-2.5 sm:px-5">
              <div className="min-w-0 flex-1">
                {each === own ? (
                  <span className="font-semibold">{`${each.market.location}, ${each.market.name}`}</span>
                ) : (
                  <Link
                    to="/series/$productId/$marketId"
                    params={{ productId: String(productId), marketId: String(each.market.id) }}
                    className="hover:text-river hover:underline"
                  >
                    {`${each.market.location}, ${each.market.name}`}
                  </Link>
                )}
                <p className="text-xs text-ink-soft">
                  <Age day={each.observedOn} />
                  {own && each !== own && <Distance from={own} to={each} />}
                </p>
                <AbsentSince absence={each.absence} />
              </div>
              <div className="shrink-0 text-right">
                <p className="font-semibold whitespace-nowrap tabular-nums">
                  {formatMoney(each.priceValue, each.currency)}
                </p>
                <p className="text-xs text-ink-soft">{each === own ? 'ici' : gapText(each, own)}</p>
                {each !== own && <UsualGap value={usualGaps.get(each.market.id)} />}
              </div>
            </li>
          ),
        )}
      </ul>
    </Card>
  )
}

/** Shows the usual gap over the past year: « d’habitude +4,0 % ». */
function UsualGap({ value }: { value: number | undefined }) {
  if (value === undefined) return null
  return <p className="text-xs text-ink-soft">{`d’habitude ${formatPercent(100 * value)}`}</p>
}

/** Shows the straight-line distance: « · 102 km ». */
function Distance({ from, to }: Record<'from' | 'to', LatestPrice>) {
  const km = kilometresBetween(from.market, to.market)
  return km === null ? null : ` · ${formatNumber(Math.round(km))}\u00a0km`
}

/** Returns for example « moins cher, −42,0 % ». */
function gapText(each: LatestPrice, own: LatestPrice | undefined): string {
  if (!own || each.currency !== own.currency) return ''
  if (each.priceValue === own.priceValue) return 'au même prix'
  const percent = formatPercent(100 * (each.priceValue / own.priceValue - 1))
  return `${each.priceValue < own.priceValue ? 'moins cher' : 'plus cher'}, ${percent}`
}
