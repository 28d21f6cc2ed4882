import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { PriceSummary, Trend } from '#features/figures/summary/summary.contract.ts'
import { Age, isTooOld } from '#features/prices/ui/age.tsx'
import { ChangeTag } from '#features/prices/ui/price-movement.tsx'
import { formatMoney } from '#web/format.ts'

type FollowedPriceProps = {
  product: { id: number; name: string; weight: string }
  market: { id: number; name: string; location: string } | null
  lastPrice: number | null
  currency: string | null
  lastDay: string | null
  change: PriceSummary['change']
  trend: Trend | null
  /** Shown under the name. */
  detail?: ReactNode
  /** Shown under the change. */
  children?: ReactNode
}

/** Shows one price in a list: product, market, amount, age and change; links to its series. */
export function FollowedPrice(props: FollowedPriceProps) {
  const { product, market, lastPrice, currency, lastDay, change, trend, detail, children } = props
  return (
    <li className="flex items-start gap-4 px-4 py-3 sm:px-5">
      <div className="min-w-0 flex-1">
        <Link
          {...(market
            ? {
                to: '/series/$productId/$marketId',
                params: { productId: String(product.id), marketId: String(market.id) },
              }
            : { to: '/products/detail/$id', params: { id: String(product.id) } })}
          className="inline-block font-medium wrap-anywhere hover:text-river hover:underline"
        >
          {`${product.name}, ${product.weight}`}
        </Link>
        <p className="text-xs text-ink-soft">
          {market ? `${market.name}, ${market.location} · ` : ''}
          {lastDay ? <Age day={lastDay} /> : 'jamais relevé'}
        </p>
        {detail}
      </div>
      <div className="flex shrink-0 flex-col items-end gap-0.5 text-right text-sm">
        {lastPrice !== null && (
          <span
            className={`text-base font-semibold whitespace-nowrap tabular-nums ${lastDay && isTooOld(lastDay) ? 'text-ink-soft' : ''}`}
          >
            {formatMoney(lastPrice, currency ?? 'CDF')}
          </span>
        )}
        {change && <ChangeTag change={change} trend={trend} isFaint={false} />}
        {children}
      </div>
    </li>
  )
}
