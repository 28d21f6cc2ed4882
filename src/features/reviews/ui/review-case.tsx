import { Link } from '@tanstack/react-router'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { latestPricesOfProduct } from '#features/prices/latest/latest.contract.ts'
import { PricePhotos } from '#features/prices/photos/ui/price-photos.tsx'
import { Age, isTooOld } from '#features/prices/ui/age.tsx'
import { PriceEvolution } from '#features/prices/ui/price-evolution.tsx'
import { today } from '#features/prices/ui/price-selection.ts'
import { useSummary } from '#features/prices/ui/summary.ts'
import type { Review } from '#features/reviews/reviews.contract.ts'
import { reasonTitles } from '#features/reviews/reviews.rules.ts'
import { DecisionForm } from '#features/reviews/ui/decision-form.tsx'
import { addDays } from '#shared/days.ts'
import { formatDate, formatMoney } from '#web/format.ts'
import { LoadFailure } from '#web/load-failure.tsx'
import { useAnswer } from '#web/query.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

type ReviewCaseProps = {
  review: Review
  place: number
  total: number
  next: Review | undefined
  mayDecide: boolean
  onDecided: () => void
  onStep: (by: number) => void
}

/** A doubtful price: the reasons, the curve of its series, prices in other markets, and the decisions. */
export function ReviewCase({ review, place, total, next, mayDecide, onDecided, onStep }: ReviewCaseProps) {
  const { product, market, reasons, collectorName, observedOn } = review
  return (
    <div className="min-w-0 space-y-6">
      <Card
        title={`${product.name}, ${product.weight}`}
        description={`${market.name}, ${market.location} · ${collectorName}, le ${formatDate(observedOn)}`}
        actions={reasons.map(({ code }) => (
          <Badge key={code} tone="amber">
            {reasonTitles[code]}
          </Badge>
        ))}
        footer={
          <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
            <span>
              Jusqu’à votre réponse, ce prix n’est le dernier prix de personne et ne déclenche aucune alerte.
              L’original reste au journal.
            </span>
            <span className="flex items-center gap-2">
              <Button icon={ChevronLeft} onClick={() => onStep(-1)} aria-label="Prix précédent (k)">
                <Key name="K" />
              </Button>
              <span className="whitespace-nowrap">{`${place} sur ${total}`}</span>
              <Button icon={ChevronRight} onClick={() => onStep(1)} aria-label="Prix suivant (j)">
                <Key name="J" />
              </Button>
            </span>
            {next && (
              <span className="basis-full">
                {'Ensuite\u00a0: '}
                <strong className="font-semibold text-ink">{next.product.name}</strong>
                {`, ${next.market.location}`}
              </span>
            )}
          </div>
        }
      >
        <div className="space-y-2">
          {reasons.map(({ code, message }) => (
            <p key={code} className="text-base">
              {message}
            </p>
          ))}
          {review.isMaintained && (
            <p className="font-medium text-amber">{`${review.agent?.name ?? 'Son agent'} a répondu\u00a0: «\u202fc’est bien ce prix, je l’ai vu\u202f».`}</p>
          )}
          {review.state === 'returned' && review.dueOn && (
            <p className="font-medium text-amber">
              {`Renvoyé à ${review.agent?.name ?? 'son agent'}\u00a0: «\u202f${review.comment ?? ''}\u202f». Réponse attendue le ${formatDate(review.dueOn)}.`}
            </p>
          )}
        </div>
        <PricePhotos priceId={review.priceId} />
        {mayDecide && <DecisionForm review={review} onDecided={onDecided} />}
      </Card>
      <Course review={review} />
      <Neighbours review={review} />
    </div>
  )
}

/** The drawing of a keyboard key on a button. */
export function Key({ name }: { name: string }) {
  return (
    <kbd
      className="rounded-sm border border-current px-1.5 font-sans text-xs leading-5 opacity-80"
      aria-hidden
    >
      {name}
    </kbd>
  )
}

function Course({ review: { product, market } }: { review: Review }) {
  const query = {
    productId: product.id,
    marketId: market.id,
    startDate: addDays(today(), -89),
    endDate: today(),
  }
  const answer = useSummary(query)
  return (
    <PriceEvolution
      isShared={false}
      summary={answer.isPlaceholderData ? undefined : answer.data}
      subject={`${product.name}, ${market.name}`}
      periodText="90 derniers jours"
      query={query}
      refetching={answer.isPlaceholderData}
      maxGapDays={14}
      error={
        answer.error &&
        !answer.data && <LoadFailure compact title="Erreur lors du chargement des prix" answer={answer} />
      }
    />
  )
}

const mostNeighbours = 6

/** The last prices of the same product in other markets, those of the same town first. */
function Neighbours({ review: { product, market } }: { review: Review }) {
  const answer = useAnswer(latestPricesOfProduct, { params: { id: product.id } })
  if (answer.error && !answer.data)
    return <LoadFailure compact title="Erreur lors du chargement des autres marchés" answer={answer} />
  if (!answer.data) return <Skeleton className="h-40 w-full" />
  const isAway = (each: { market: { location: string } }) => Number(each.market.location !== market.location)
  const others = answer.data.data
    .filter((each) => each.market.id !== market.id && !isTooOld(each.observedOn))
    .toSorted((a, b) => isAway(a) - isAway(b))
    .slice(0, mostNeighbours)
  return (
    <Card title="Ailleurs, ces 14 derniers jours" padded={false}>
      {others.length === 0 && (
        <p className="px-4 text-ink-soft sm:px-5">Aucun autre marché ne l’a relevé ces 14 derniers jours.</p>
      )}
      <ul className="divide-y divide-line border-t border-line">
        {others.map((each) => (
          <li key={each.market.id} className="flex items-center justify-between gap-4 px-4 py-2 sm:px-5">
            <Link
              to="/series/$productId/$marketId"
              params={{ productId: String(product.id), marketId: String(each.market.id) }}
              className="min-w-0 hover:text-river hover:underline"
            >
              {`${each.market.location}, ${each.market.name}`}
            </Link>
            <span className="shrink-0 text-right">
              <span className="block font-semibold whitespace-nowrap tabular-nums">
                {formatMoney(each.priceValue, each.currency)}
              </span>
              <span className="block text-xs text-ink-soft">
                <Age day={each.observedOn} />
              </span>
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
