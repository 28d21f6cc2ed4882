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
  /** What is asked of the server, where it is not what the address says. */
  ask?: (query: Query) => Partial<QueryOf<E>>
  /** How long to wait before asking again by itself; false to leave it at that. */
  pauseMs?: (answer: AnswerOf<E> | undefined) => number | false
  /** The list's own order, as the server has it. */
  ownOrder?: SortState
  /** What is said where there is nothing at all, and what one can do about it. */
  nothing: { text: ReactNode; action?: ReactNode }
  /** The same where filters leave nothing. */
  noMatch?: { text: string; reset: string; action?: ReactNode }
  /** `plain`: two buttons, when there is more than one page. */
  pager?: 'plain'
  /** A part of a page: what it says is smaller, and another page of it leaves the rest where it is. */
  isPart?: boolean
}

const noMatchAtAll: NonNullable<ListOptions<Listed, Endpoint>['noMatch']> = {
  text: 'Rien ne correspond à cette recherche. Essayez d’autres mots, ou moins de filtres.',
  reset: 'Effacer la recherche et les filtres',
}

/**
 * What the server answers of a list, and what stands around its rows: `failure`, `empty`, `pager`; `table` is all that a
 * Table takes of it beside the rows themselves.
 *
 * @param list what its address says
 */
export function useList<Query extends Listed, E extends Endpoint>(
  list: ListState<Query>,
  options: ListOptions<Query, E>,
) {
  const { endpoint, noun, ask, pauseMs, nothing, noMatch = noMatchAtAll, isPart } = options
  const words = wordsOf(noun)
  const { page, limit } = list.query
  // Without `ask`, the address says what the endpoint's own query holds.
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
