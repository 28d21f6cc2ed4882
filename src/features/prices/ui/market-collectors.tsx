import type { collectorsInMarket, MarketCollector } from '#features/prices/in-market/in-market.contract.ts'
import { listOf, type Selected } from '#features/prices/listed.rules.ts'
import type { AnswerOf } from '#shared/contract.ts'
import { formatCount, formatDate, formatNumber } from '#web/format.ts'
import { LoadFailure } from '#web/load-failure.tsx'
import { linkWithin } from '#web/ui/charts/link-within.tsx'
import type { Column } from '#web/ui/columns.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Table } from '#web/ui/table.tsx'

type MarketCollectorsProps = {
  answer: {
    data: AnswerOf<typeof collectorsInMarket> | undefined
    error: Error | null
    isPending: boolean
    isFetching: boolean
    isPlaceholderData: boolean
    refetch: () => unknown
  }
  periodName: string
  /** Filters of the prices counted. */
  chosen: Selected
}

/** The collectors of a market, the most active first. */
export function MarketCollectors({ answer, periodName, chosen }: MarketCollectorsProps) {
  const { data, error } = answer
  const others = data ? data.pagination.total - data.data.length : 0
  return (
    <section aria-labelledby="collectors" className="space-y-3">
      <div>
        <h2 id="collectors" className="text-base font-semibold">
          Collecteurs
        </h2>
        <p className="mt-0.5 text-ink-soft">
          {`Qui a relevé des prix ici, ${periodName}.`}
          {others > 0 &&
            ` Les plus actifs\u202f; ${formatCount(others, 'autre non montré', 'autres non montrés')}.`}
        </p>
      </div>
      <Table
        caption="Collecteurs"
        columns={columnsFor(chosen)}
        rows={data?.data ?? []}
        rowKey={({ name }) => name}
        loading={answer.isPending}
        refetching={answer.isPlaceholderData}
        skeletonRows={5}
        error={
          error &&
          !data && <LoadFailure compact title="Erreur lors du chargement des collecteurs" answer={answer} />
        }
        empty={
          <EmptyState compact title="Aucun collecteur">
            Personne n’a relevé de prix dans ce marché sur cette période.
          </EmptyState>
        }
      />
    </section>
  )
}

const columnsFor = (chosen: Selected): readonly Column<MarketCollector>[] => [
  { key: 'name', header: 'Collecteur', cell: ({ name }) => name },
  {
    key: 'count',
    header: 'Prix relevés',
    align: 'end',
    cell: ({ name, count }) => linkWithin(listOf({ ...chosen, collector: name }), formatNumber(count)),
  },
  {
    key: 'lastCollectedAt',
    header: 'Dernier relevé',
    align: 'end',
    cell: ({ lastCollectedAt }) => <span className="whitespace-nowrap">{formatDate(lastCollectedAt)}</span>,
  },
]
