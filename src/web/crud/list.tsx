import { SearchX } from 'lucide-react'
import type { ReactNode } from 'react'
import type { AnswerOf, Endpoint, Pagination, QueryOf } from '#shared/contract.ts'
import type { Noun } from '#shared/resource.ts'
import type { Input } from '#web/api.ts'
import { wordsOf } from '#web/crud/words.ts'
import { type ListState, sortParameter, useExistingPage } from '#web/list-state.ts'
import { LoadFailure, RefreshFailure } from '#web/load-failure.tsx'
import { useAnswer } from '#web/query.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Pager } from '#web/ui/pager.tsx'
import type { SortState } from '#web/ui/table.tsx'

type Listed = { page: number; limit: number; sort?: string | undefined }

type ListOptions<Query, E extends Endpoint> = {
  endpoint: E
  noun: Noun
  /** Query sent to the server, when it differs from the one in the address. */
  ask?: (query: Query) => Partial<QueryOf<E>>
  /** Delay in ms before the list is loaded again; false for no automatic reload. */
  pauseMs?: (answer: AnswerOf<E> | undefined) => number | false
  /** Default order of the list on the server. */
  ownOrder?: SortState
  /** Text and action when the list is empty. */
  nothing: { text: ReactNode; action?: ReactNode }
  /** Text and action when no row matches the filters. */
  noMatch?: { text: string; reset: string; action?: ReactNode }
  /** `plain`: two buttons, shown when there is more than one page. */
  pager?: 'plain'
  /** The list is a part of a page: smaller messages, and changing its page does not scroll. */
  isPart?: boolean
}

const noMatchAtAll: NonNullable<ListOptions<Listed, Endpoint>['noMatch']> = {
  text: 'Rien ne correspond à cette recherche. Essayez d’autres mots, ou moins de filtres.',
  reset: 'Effacer la recherche et les filtres',
}

/**
 * Loads a list and prepares what surrounds its rows: `failure`, `empty`, `pager`; `table` has every prop of a Table
 * except the rows.
 *
 * @param list state of the list, from the address
 */
export function useList<Query extends Listed, E extends Endpoint>(
  list: ListState<Query>,
  options: ListOptions<Query, E>,
) {
  const { endpoint, noun, ask, pauseMs, nothing, noMatch = noMatchAtAll, isPart } = options
  const words = wordsOf(noun)
  const { page, limit } = list.query
  // Without `ask`, the query in the address is the endpoint's own query.
  const query = ask ? ask(list.query) : (list.query as object as Partial<QueryOf<E>>)
  const answer = useAnswer(endpoint, { query } as Input<E>, { keepsPrevious: true, pauseMs })
  // The contract of every list is `{ <listed>: rows, pagination }`.
  const pagination: Pagination | undefined = Object(answer.data).pagination
  useExistingPage(pagination, list.setPage)

  const failure =
    answer.isError &&
    (pagination ? (
      <RefreshFailure answer={answer} />
    ) : (
      <LoadFailure title={`Erreur lors du chargement des ${noun.many}`} answer={answer} compact={isPart} />
    ))
  const empty = list.isFiltered ? (
    <EmptyState
      title={words.none}
      icon={SearchX}
      compact={isPart}
      action={
        <>
          {noMatch.action}
          <Button onClick={list.reset}>{noMatch.reset}</Button>
        </>
      }
    >
      {noMatch.text}
    </EmptyState>
  ) : (
    <EmptyState title={words.none} compact={isPart} action={nothing.action}>
      {nothing.text}
    </EmptyState>
  )
  return {
    answer,
    failure,
    empty,
    table: {
      loading: answer.isPending,
      refetching: answer.isPlaceholderData,
      skeletonRows: isPart ? 5 : limit,
      sort: list.sort ?? options.ownOrder,
      onSort: (sort: SortState) => list.setSort(sortParameter(sort)),
      error: pagination === undefined && failure,
      empty,
    },
    pager: pagination && (
      <Pager
        {...pagination}
        page={page}
        onPage={(next) => list.setPage(next, isPart ? {} : undefined)}
        {...(options.pager === 'plain' ? { hideIfSingle: true } : { limit, onLimit: list.setLimit })}
        noun={words.count}
        busy={answer.isFetching}
      />
    ),
  }
}
