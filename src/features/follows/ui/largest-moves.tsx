import { followAddresses } from '#features/follows/follows.addresses.ts'
import type { movers } from '#features/follows/follows.contract.ts'
import { FollowedPrice } from '#features/follows/ui/followed-price.tsx'
import { LoadFailure } from '#web/load-failure.tsx'
import { useAnswer } from '#web/query.ts'
import { Card } from '#web/ui/card.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

/** Cache time (ms): the query reads all prices of two weeks. */
const lastMs = 5 * 60_000

/** Shows the prices that rose and fell most in 30 days. */
export function LargestMoves() {
  const answer = useAnswer<typeof movers>(followAddresses.movers, {}, { staleTimeMs: lastMs })
  const rows = answer.data?.data ?? []
  return (
    <Card
      title="Ce qui a le plus bougé en 30 jours"
      padded={false}
      footer={
        rows.length > 0 &&
        'Séries d’au moins 3 relevés par fenêtre, dont l’évolution dépasse sa marge, relevées depuis 4 jours.'
      }
    >
      {answer.error && !answer.data && (
        <LoadFailure compact title="Erreur lors du chargement des évolutions" answer={answer} />
      )}
      {answer.isPending && <Skeleton className="mx-4 h-24" />}
      {answer.data && rows.length === 0 && (
        <p className="px-4 text-ink-soft sm:px-5">
          Aucun prix n’a bougé au-delà de sa marge, ou trop peu de relevés le disent.
        </p>
      )}
      {rows.length > 0 && (
        <ul className="divide-y divide-line border-t border-line">
          {rows.map((row) => (
            <FollowedPrice key={`${row.product.id}-${row.market.id}`} {...row} />
          ))}
        </ul>
      )}
    </Card>
  )
}
