import { Absences } from '#features/collection/availability/ui/absences.tsx'
import { MarketList } from '#features/collection/lists/ui/market-list.tsx'
import { FollowButton } from '#features/follows/ui/follow-button.tsx'
import { MarketPage } from '#features/markets/markets.admin.tsx'
import { MarketMap } from '#features/markets/ui/market-map.tsx'
import { MarketStatistics } from '#features/prices/ui/market-statistics.tsx'
import { useMay } from '#web/session.ts'

/**
 * A market, its location and its price statistics. Assembled here because prices depend on markets, not the reverse.
 */
export function MarketScreen() {
  const canFollow = useMay()('statistics.read')
  return (
    <MarketPage>
      {(market, facts) => (
        <>
          {canFollow && (
            <div>
              <FollowButton productId={null} marketId={market.id} />
            </div>
          )}
          {canFollow && <Absences marketId={market.id} />}
          <MarketStatistics market={market} />
          <MarketList marketId={market.id} />
          <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_minmax(0,26rem)]">
            {facts}
            <MarketMap market={market} />
          </div>
        </>
      )}
    </MarketPage>
  )
}
