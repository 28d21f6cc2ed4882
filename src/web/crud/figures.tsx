import type { FieldValues } from 'react-hook-form'
import type { Endpoint } from '#shared/contract.ts'
import type { ListQuery, Resource } from '#web/crud/screens.ts'
import { formatNumber } from '#web/format.ts'
import { LoadFailure } from '#web/load-failure.tsx'
import { useAnswer } from '#web/query.ts'
import { Counters } from '#web/ui/counters.tsx'
import { InfoPopover } from '#web/ui/info-popover.tsx'
import { PhoneFold } from '#web/ui/phone-fold.tsx'

type FiguresProps = {
  resource: Pick<Resource<unknown, FieldValues, ListQuery>, 'noun' | 'figures' | 'figureLabels'>
  list: { query: ListQuery; isFiltered: boolean }
}

/** Counts over the whole selection, not only the page shown. */
export function Figures({ resource, list }: FiguresProps) {
  const { figures, figureLabels, noun } = resource
  const { page: _page, limit: _limit, sort: _sort, ...selection } = list.query
  const answer = useAnswer<Endpoint>(figures, { query: selection }, { keepsPrevious: true })
  const { data, error } = answer
  if (error && !data) {
    return <LoadFailure compact title="Erreur lors du chargement des chiffres" answer={answer} />
  }
  const counts: Record<string, number> = Object(data)
  const named = Object.entries(figureLabels ?? {})
  const summary = named.map(([key, label]) => `${label}\u00a0: ${data ? formatNumber(counts[key]) : '…'}`)
  const basis = list.isFiltered ? 'Selon la recherche et les filtres' : 'En tout'
  return (
    <PhoneFold summary={summary.join(', ')}>
      <Counters
        label={`Chiffres des ${noun.many}`}
        loading={!data}
        refetching={answer.isPlaceholderData}
        items={named.map(([key, label]) => ({
          key,
          label,
          value: formatNumber(counts[key]),
          basis,
          info: (
            <InfoPopover label={label}>
              {`Compté sur toute la sélection, quelle que soit la page affichée. Dans cette liste des ${noun.many}, la recherche et les filtres la réduisent.`}
            </InfoPopover>
          ),
        }))}
      />
    </PhoneFold>
  )
}
