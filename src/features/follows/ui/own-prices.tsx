import { Link } from '@tanstack/react-router'
import { followAddresses } from '#features/follows/follows.addresses.ts'
import type { Follow, follows } from '#features/follows/follows.contract.ts'
import { FollowedPrice } from '#features/follows/ui/followed-price.tsx'
import { Sparkline } from '#features/follows/ui/sparkline.tsx'
import { Age, isTooOld } from '#features/prices/ui/age.tsx'
import { formatCount, plural } from '#web/format.ts'
import { LoadFailure } from '#web/load-failure.tsx'
import { useAnswer } from '#web/query.ts'
import { Badge } from '#web/ui/badge.tsx'
import { buttonClass } from '#web/ui/button-class.ts'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

/**
 * « Mes prix »: what the user follows, with the last price, its age and its change. @param isRinging whether an alert
 * on it is active
 */
export function OwnPrices({ isRinging }: { isRinging: (follow: Follow) => boolean }) {
  const answer = useAnswer<typeof follows.list>(followAddresses.list, {})
  const followed = answer.data?.data ?? []
  // Follows with an active alert come first, then the order of following.
  const rows = followed.toSorted((a, b) => Number(isRinging(b)) - Number(isRinging(a)))
  return (
    <Card
      title="Mes prix"
      description={rows.length > 0 ? freshnessText(rows) : undefined}
      padded={false}
      actions={rows.length > 0 && <Choose label="Suivre un autre prix" />}
    >
      {answer.error && !answer.data && (
        <LoadFailure compact title="Erreur lors du chargement de vos prix" answer={answer} />
      )}
      {answer.isPending && <Skeleton className="mx-4 h-24" />}
      {answer.data && rows.length === 0 && (
        <EmptyState
          compact
          title="Vous ne suivez encore aucun prix"
          action={<Choose label="Choisir un prix" />}
        >
          Ouvrez un produit dans un marché, puis «&#8239;Suivre&#8239;»&#8239;: son prix vous attend ici.
        </EmptyState>
      )}
      {rows.length > 0 && (
        <ul className="divide-y divide-line border-t border-line">
          {rows.map((row) => (
            <OwnPrice key={row.id} follow={row} isRinging={isRinging(row)} />
          ))}
        </ul>
      )}
    </Card>
  )
}

function Choose({ label }: { label: string }) {
  return (
    <Link to="/products" className={buttonClass()}>
      {label}
    </Link>
  )
}

function OwnPrice({ follow, isRinging }: { follow: Follow; isRinging: boolean }) {
  const { product, market, lastMarket, lastDay, points } = follow
  if (!product) return market && <OwnMarket market={market} lastDay={lastDay} />
  return (
    <FollowedPrice
      {...follow}
      product={product}
      market={market}
      detail={
        <>
          {!market && (
            <p className="text-xs text-ink-soft">
              {lastMarket
                ? `tous les marchés\u202f; ici ${lastMarket.name}, ${lastMarket.location}`
                : 'tous les marchés'}
            </p>
          )}
          {isRinging && <Badge tone="ochre">une alerte sonne</Badge>}
        </>
      }
    >
      <Sparkline points={points} />
    </FollowedPrice>
  )
}

function OwnMarket({ market, lastDay }: { market: NonNullable<Follow['market']>; lastDay: string | null }) {
  return (
    <li className="px-4 py-3 sm:px-5">
      <Link
        to="/markets/$id"
        params={{ id: String(market.id) }}
        className="inline-block font-medium wrap-anywhere hover:text-river hover:underline"
      >
        {`${market.name}, ${market.location}`}
      </Link>
      <p className="text-xs text-ink-soft">
        {'tous les produits · '}
        {lastDay ? <Age day={lastDay} /> : 'jamais relevé'}
      </p>
    </li>
  )
}

/** Returns for example « 7 de vos 8 prix ont moins de 14 jours. » */
function freshnessText(rows: readonly Follow[]): string {
  const fresh = rows.filter(({ lastDay }) => lastDay !== null && !isTooOld(lastDay)).length
  if (fresh === rows.length)
    return `${formatCount(rows.length, 'prix suivi', 'prix suivis')}, ${rows.length > 1 ? 'tous ' : ''}de moins de 15\u00a0jours.`
  if (rows.length === 1) return 'Le prix suivi n’a pas de relevé de moins de 15\u00a0jours.'
  return `${fresh} de vos ${rows.length}\u00a0prix ${plural(fresh, 'a', 'ont')} moins de 15\u00a0jours.`
}
