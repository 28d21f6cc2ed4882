import type { Review } from '#features/reviews/reviews.contract.ts'
import { reasonTitles } from '#features/reviews/reviews.rules.ts'
import { groupBy } from '#shared/group-by.ts'
import { formatCount, formatMoney } from '#web/format.ts'

type ReviewQueueProps = {
  queue: readonly Review[]
  total: number
  chosen: number | null
  onChoose: (priceId: number) => void
}

/** The queue in groups by reason, with the returned prices at the end; on a phone only the case is shown. */
export function ReviewQueue({ queue, total, chosen, onChoose }: ReviewQueueProps) {
  const groups = groupBy(queue, titleOf)
  return (
    <nav
      aria-label="Prix à vérifier"
      className="hidden overflow-hidden rounded-md border border-line bg-surface lg:block"
    >
      {[...groups].map(([title, members]) => (
        <section key={title} aria-label={title}>
          <h2 className="bg-sunken px-4 py-2 text-xs font-semibold text-ink-soft">{`${title} · ${members.length}`}</h2>
          <ul className="divide-y divide-line">
            {members.map((review) => (
              <li key={review.priceId}>
                <button
                  type="button"
                  aria-current={review.priceId === chosen ? 'true' : undefined}
                  onClick={() => onChoose(review.priceId)}
                  className="flex w-full items-start justify-between gap-3 border-l-3 border-transparent px-4 py-2.5 text-left hover:bg-sunken aria-[current]:border-river aria-[current]:bg-river-soft"
                >
                  <span className="min-w-0">
                    <span className="block font-medium wrap-anywhere">{`${review.product.name}, ${review.product.weight}`}</span>
                    <span className="block text-xs text-ink-soft wrap-anywhere">
                      {`${review.market.name}, ${review.market.location} · ${review.collectorName}`}
                    </span>
                  </span>
                  <span className="shrink-0 text-right">
                    <span className="block font-semibold whitespace-nowrap tabular-nums">
                      {formatMoney(review.priceValue, review.currency)}
                    </span>
                    {review.usual !== null && (
                      <span className="block text-xs whitespace-nowrap text-ink-soft">{`d’habitude ${formatMoney(review.usual)}`}</span>
                    )}
                  </span>
                </button>
              </li>
            ))}
          </ul>
        </section>
      ))}
      {total > queue.length && (
        <p className="px-4 py-3 text-sm text-ink-soft">{`… ${formatCount(total - queue.length, 'autre', 'autres')}`}</p>
      )}
    </nav>
  )
}

function titleOf({ state, reasons }: Review): string {
  const [first] = reasons
  return state === 'returned' || !first ? 'Renvoyés à leur agent' : reasonTitles[first.code]
}
