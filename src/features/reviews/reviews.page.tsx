import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { doubtReasons } from '#features/prices/doubt/doubt.rules.ts'
import { type Review, reviews } from '#features/reviews/reviews.contract.ts'
import { Key, ReviewCase } from '#features/reviews/ui/review-case.tsx'
import { ReviewQueue } from '#features/reviews/ui/review-queue.tsx'
import { formatCount } from '#web/format.ts'
import { LoadFailure } from '#web/load-failure.tsx'
import { useAnswer } from '#web/query.ts'
import { useUser } from '#web/session.ts'
import { usePageKeys } from '#web/shortcuts.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

const mostShown = 200

/** /prices/review: doubtful prices, one after the other, by keyboard. */
export function ReviewsPage() {
  const { permissions } = useUser()
  const answer = useAnswer(reviews.list, { query: { limit: mostShown } }, { keepsPrevious: true })
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const queue = answer.data ? inGroups(answer.data.data) : []
  const found = queue.findIndex(({ priceId }) => priceId === chosen?.priceId)
  const current = queue[found]
  const choose = (priceId: number) => setChosen({ priceId, at: placeOf(queue, priceId), isDecided: false })
  const chooseAt = (at: number) => {
    const priceId = queue[Math.min(queue.length - 1, Math.max(0, at))]?.priceId
    if (priceId !== undefined) choose(priceId)
  }
  const hasLeft = found < 0 && chosen !== null && !chosen.isDecided
  // A case stays chosen until the user moves on, so that a key never decides on another price than the one shown.
  if (found < 0 && !hasLeft && queue.length > 0) chooseAt(0)
  const step = (by: number) => chooseAt(hasLeft ? chosen.at : found + by)
  usePageKeys({ j: () => step(1), k: () => step(-1) })
  const total = answer.data?.pagination.total ?? 0
  const confirmed = answer.data?.confirmed ?? 0
  return (
    <>
      <PageHeader
        title={answer.data ? titleOf(total) : 'Prix à vérifier'}
        description={
          <>
            {confirmed > 0
              ? `${formatCount(confirmed, 'prix surprenant a été confirmé', 'prix surprenants ont été confirmés')} en 7\u00a0jours par d’autres relevés, sans vous. `
              : 'Un prix que deux relevés proches confirment quitte cette liste sans vous. '}
            <Link to="/prices/review/log" className="text-river underline">
              Journal de nettoyage
            </Link>
          </>
        }
      />
      {answer.error && !answer.data && (
        <LoadFailure title="Erreur lors du chargement des prix à vérifier" answer={answer} />
      )}
      {answer.isPending && <Skeleton className="h-96 w-full" />}
      {answer.data && queue.length === 0 && (
        <EmptyState title="Rien à vérifier">
          Un prix qui surprend, un doublon ou une visite trop rapide apparaît ici, avec ce qui le rend
          douteux.
        </EmptyState>
      )}
      {queue.length > 0 && (current || hasLeft) && (
        <div className="grid items-start gap-6 lg:grid-cols-[minmax(18rem,24rem)_minmax(0,1fr)]">
          <ReviewQueue queue={queue} total={total} chosen={current?.priceId ?? null} onChoose={choose} />
          {current ? (
            <ReviewCase
              key={current.priceId}
              review={current}
              place={found + 1}
              total={total}
              next={queue[found + 1]}
              mayDecide={permissions.includes('prices.write')}
              onDecided={() => {
                const { priceId } = queue[found + 1] ?? queue[found - 1] ?? current
                const next = { priceId, at: placeOf(queue, priceId), isDecided: priceId === current.priceId }
                // On a slow network the user may have opened another price before the answer.
                setChosen((now) => (now?.priceId === current.priceId ? next : now))
              }}
              onStep={step}
            />
          ) : (
            <EmptyState
              title="Ce prix a quitté la liste"
              action={
                <Button onClick={() => step(0)}>
                  Prix suivant
                  <Key name="J" />
                </Button>
              }
            >
              Quelqu’un d’autre l’a vérifié, d’autres relevés l’ont confirmé, ou il a été supprimé. Rien n’a
              été décidé ici.
            </EmptyState>
          )}
        </div>
      )}
    </>
  )
}

/** The case shown, and its place in the queue when it was chosen. */
type Chosen = { priceId: number; at: number; isDecided: boolean }

const placeOf = (queue: readonly Review[], priceId: number) =>
  queue.findIndex((review) => review.priceId === priceId)

/** Returns the reviews in the order of the list, so that the keys follow it. */
function inGroups(found: readonly Review[]): Review[] {
  const waiting = found.filter(({ state }) => state === 'waiting')
  return [
    ...doubtReasons.flatMap((reason) => waiting.filter(({ reasons }) => reasons[0]?.code === reason)),
    ...found.filter(({ state }) => state === 'returned'),
  ]
}

function titleOf(total: number): string {
  return total === 0 ? 'Aucun prix à vérifier' : formatCount(total, 'prix à vérifier', 'prix à vérifier')
}
