import { Link } from '@tanstack/react-router'
import { type ReviewDecision, reviewLog, reviewOutcomes } from '#features/reviews/reviews.contract.ts'
import { outcomeWords, reasonTitles } from '#features/reviews/reviews.rules.ts'
import { type DeclaredFilter, filterBarOf } from '#web/crud/filters.tsx'
import { useList } from '#web/crud/list.tsx'
import { ExportMenu } from '#web/export-menu.tsx'
import { formatDate, formatMoney } from '#web/format.ts'
import { selectFilter } from '#web/forms/choice-filter.tsx'
import { periodControls } from '#web/forms/day-filter.tsx'
import { useListState } from '#web/list-state.ts'
import type { Column } from '#web/ui/columns.ts'
import { DateTime } from '#web/ui/date-time.tsx'
import { FilterBar } from '#web/ui/filter-bar.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Table } from '#web/ui/table.tsx'

const outcomes = reviewOutcomes.map((value) => ({ value, label: outcomeWords[value] }))
const filters: readonly DeclaredFilter[] = [
  { key: 'state', label: 'Décision', ...selectFilter(outcomes, 'Toutes') },
  ...periodControls,
]

/** /prices/review/log: the decisions about doubtful prices, with their author and reason. */
export function ReviewLogPage() {
  const list = useListState(reviewLog)
  const { answer, table, pager } = useList(list, {
    endpoint: reviewLog.list,
    noun: reviewLog.noun,
    ownOrder: { key: 'decidedAt', direction: 'desc' },
    nothing: { text: 'Chaque prix accepté, corrigé ou écarté y sera noté.' },
    noMatch: { text: 'Rien ne correspond à ces filtres.', reset: 'Effacer les filtres' },
  })
  return (
    <>
      <PageHeader
        title="Journal de nettoyage"
        description={
          <>
            {'Qui a décidé quoi de chaque prix douteux, et pourquoi. '}
            <Link to="/prices/review" className="text-river underline">
              Les prix à vérifier
            </Link>
          </>
        }
        actions={<ExportMenu endpoint={reviewLog.exportAll} query={list.query} />}
      />
      <FilterBar {...filterBarOf(filters, list)} onReset={list.reset} />
      <Table
        caption="Journal de nettoyage"
        columns={columns}
        rows={answer.data?.data ?? []}
        rowKey={({ priceId, decidedAt }) => `${priceId} ${decidedAt}`}
        {...table}
      />
      {pager}
    </>
  )
}

const columns: readonly Column<ReviewDecision>[] = [
  {
    key: 'decidedAt',
    header: 'Quand',
    sortable: true,
    cell: ({ decidedAt }) => <DateTime value={decidedAt} />,
  },
  { key: 'decidedBy', header: 'Qui', cell: ({ decidedBy }) => decidedBy?.name ?? 'La plateforme' },
  {
    key: 'product',
    header: 'Prix',
    cell: ({ product, market, observedOn }) => (
      <Link
        to="/series/$productId/$marketId"
        params={{ productId: String(product.id), marketId: String(market.id) }}
        className="hover:text-river hover:underline"
      >
        <span className="block wrap-anywhere">{`${product.name}, ${product.weight}`}</span>
        <span className="block text-xs text-ink-soft">
          {`${market.name}, ${market.location}, ${formatDate(observedOn)}`}
        </span>
      </Link>
    ),
  },
  {
    key: 'reasons',
    header: 'Pourquoi',
    cell: ({ reasons }) => reasons.map((each) => reasonTitles[each]).join(', '),
  },
  {
    key: 'state',
    header: 'Décision',
    cell: ({ state, comment }) => (
      <>
        {outcomeWords[state]}
        {comment && <span className="block text-xs text-ink-soft wrap-anywhere">{comment}</span>}
      </>
    ),
  },
  {
    key: 'priceValue',
    header: 'Ancien prix',
    align: 'end',
    cell: ({ priceValue, currency }) => (
      <span className="whitespace-nowrap">{formatMoney(priceValue, currency)}</span>
    ),
  },
  {
    key: 'newValue',
    header: 'Nouveau prix',
    align: 'end',
    cell: ({ newValue, newCurrency }) => (
      <span className="whitespace-nowrap">
        {newValue === null ? '–' : formatMoney(newValue, newCurrency ?? 'CDF')}
      </span>
    ),
  },
]
