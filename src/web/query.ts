import {
  keepPreviousData,
  QueryClient,
  replaceEqualDeep,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import type { AnswerOf, Endpoint, Method } from '#shared/contract.ts'
import { type Address, ApiError, call, type Input, messageOf } from '#web/api.ts'
import { toast } from '#web/ui/toast.ts'

/** Creates the cache of server responses for one user; it is discarded when the user signs out. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        structuralSharing: (before: unknown, after: unknown) =>
          holdsLongList(after) ? after : replaceEqualDeep(before, after),
        staleTime: 60_000,
        // Requests are sent even when offline, so that the failure is shown with a retry button instead of waiting
        // silently.
        networkMode: 'always',
        refetchOnReconnect: true,
        retry: (failures, error) => failures < 1 && error instanceof ApiError && error.status >= 500,
      },
      mutations: { networkMode: 'always' },
    },
  })
}

// Comparing ten thousand points with the previous ones takes longer than drawing them.
function holdsLongList(answer: unknown): boolean {
  return Object.values(Object(answer)).some((part) => Array.isArray(part) && part.length > 1_000)
}

type Options<Answer> = {
  enabled?: boolean
  /** Keeps the previous rows while another page or filter loads. */
  keepsPrevious?: boolean
  staleTimeMs?: number
  /** Delay in ms before the next automatic request; false for none. Paused while the page is hidden. */
  pauseMs?: (answer: Answer | undefined) => number | false
}

/** Calls a GET endpoint, with caching and refresh. */
export function useAnswer<E extends Endpoint>(
  endpoint: E | Address<E>,
  input: Input<E>,
  options: Options<AnswerOf<E>> = {},
) {
  return useQuery({
    queryKey: [endpoint.path, input.params ?? null, input.query ?? null],
    queryFn: ({ signal }) => call(endpoint, { ...input, signal }),
    enabled: options.enabled,
    placeholderData: options.keepsPrevious ? keepPreviousData : undefined,
    staleTime: options.staleTimeMs,
    refetchInterval: ({ state }) => options.pauseMs?.(state.data) ?? false,
  })
}

const done: Record<Method, string> = {
  GET: 'Succès',
  POST: 'Créé avec succès',
  PUT: 'Mis à jour avec succès',
  DELETE: 'Supprimé avec succès',
}

const failed: Record<Method, string> = {
  GET: 'Erreur',
  POST: 'Erreur lors de la création',
  PUT: 'Erreur lors de la mise à jour',
  DELETE: 'Erreur lors de la suppression',
}

type ActionOptions<E extends Endpoint> = {
  /** Awaited before the data on screen are requested again. */
  onDone?: (answer: AnswerOf<E>) => void | Promise<void>
  /** Whether it creates, changes or deletes a row of a list: the title of the error names the operation. */
  isOfList?: boolean
}

/**
 * A write by the user: reports the result and refreshes all the data on screen. A failure is shown in a notification;
 * the dialog also shows `error` and stays open. If `isSeenStale`, the data are refreshed too.
 */
export function useAction<E extends Endpoint>(endpoint: E | Address<E>, options: ActionOptions<E> = {}) {
  const client = useQueryClient()
  return useMutation<AnswerOf<E>, Error, Input<E>>({
    mutationKey: [endpoint.path],
    mutationFn: (input) => call(endpoint, input),
    onSuccess: async (answer, { params = null }) => {
      const { message } = Object(answer)
      // The response to a PUT replaces the cached row, so that no page shows the previous version meanwhile.
      if (endpoint.method === 'PUT') {
        client.setQueryData([endpoint.path, params, null], (before: unknown) => rowAfterPut(before, answer))
        // Lists are updated too: on a slow network, a second edit of the row would otherwise be refused as a concurrent
        // change.
        const list = endpoint.path.replace('/{id}', '')
        client.setQueriesData({ queryKey: [list] }, (page: unknown) => withRow(page, answer))
      }
      toast.success(typeof message === 'string' && message ? message : done[endpoint.method])
      await options.onDone?.(answer)
      // A name appears in many places (lists, counters, rows of other screens), so the whole cache is refreshed.
      void client.invalidateQueries()
    },
    onError: (error) => {
      toast.error(statementOf(error), options.isOfList ? failed[endpoint.method] : undefined)
      if (isSeenStale(error)) void client.invalidateQueries()
    },
  })
}

// A proxy answers 502 and 504 when the server does not.
const staleStatuses = [404, 409, 502, 504]

/**
 * Returns whether the data on screen may be out of date after a failed write: the answer was lost, so the server may
 * have done it, or the server says that the row has changed or no longer exists.
 */
export function isSeenStale(error: unknown): boolean {
  return error instanceof ApiError && (error.isUnanswered || staleStatuses.includes(error.status))
}

/** Returns what the cache holds after a PUT: its response, unless that is not the row, as an acknowledgement is not. */
export function rowAfterPut(before: unknown, answer: unknown): unknown {
  const isRow = Object.keys(Object(before)).every((name) => name in Object(answer))
  return before && isRow ? answer : before
}

/** Returns a page of a list with the row of the same id replaced. */
function withRow(page: unknown, row: unknown): unknown {
  const { id } = Object(row)
  if (!page || id === undefined) return page
  const isOld = (each: unknown) => Object(each).id === id
  const replaced = (rows: unknown[]) => rows.map((each) => (isOld(each) ? row : each))
  // The contract of every list is `{ <listed>: rows, pagination }`.
  const parts = Object.entries(Object(page)).map(([name, part]) => [
    name,
    Array.isArray(part) ? replaced(part) : part,
  ])
  return Object.fromEntries(parts)
}

/** Returns the text of an error: `409 • Une marque porte déjà ce nom.` */
export function statementOf(error: unknown): string {
  return error instanceof ApiError ? error.statement : messageOf(error)
}
