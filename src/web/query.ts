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

/** The cache of what the server answered, for one user: it goes when he leaves. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        structuralSharing: (before: unknown, after: unknown) =>
          holdsLongList(after) ? after : replaceEqualDeep(before, after),
        staleTime: 60_000,
        // Being offline is shown like any failure, with a button, instead of waiting in silence.
        networkMode: 'always',
        refetchOnReconnect: true,
        retry: (failures, error) => failures < 1 && error instanceof ApiError && error.status >= 500,
      },
      mutations: { networkMode: 'always' },
    },
  })
}

// Comparing ten thousand points with those before takes longer than drawing them.
function holdsLongList(answer: unknown): boolean {
  return Object.values(Object(answer)).some((part) => Array.isArray(part) && part.length > 1_000)
}

type Options<Answer> = {
  enabled?: boolean
  /** While another page or filter loads, the rows of the one before stay. */
  keepsPrevious?: boolean
  staleTimeMs?: number
  /** How long to wait before asking again by itself; false to leave it at that. Nobody asks while nobody looks. */
  pauseMs?: (answer: Answer | undefined) => number | false
}

/** What a GET endpoint answers, cached and renewed. */
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
  /** Awaited before what is on screen is asked for again. */
  onDone?: (answer: AnswerOf<E>) => void | Promise<void>
  /** It creates, changes or deletes one of a list: the title of a failure says which. */
  isOfList?: boolean
}

/**
 * Something that the user does to the server: says how it went, and makes everything on screen fresh again. A failure is
 * shown in a notification; the dialog that asked shows `error` as well, and stays.
 */
export function useAction<E extends Endpoint>(endpoint: E | Address<E>, options: ActionOptions<E> = {}) {
  const client = useQueryClient()
  return useMutation<AnswerOf<E>, Error, Input<E>>({
    mutationKey: [endpoint.path],
    mutationFn: (input) => call(endpoint, input),
    onSuccess: async (answer, { params = null }) => {
      const { message } = Object(answer)
      // What is at an address is what was just put there: no page shows the one before meanwhile.
      if (endpoint.method === 'PUT') {
        client.setQueryData([endpoint.path, params, null], (before: unknown) => before && answer)
        // Nor does a list: on a slow network, a row edited again at once would be refused as somebody else's.
        const list = endpoint.path.replace('/{id}', '')
        client.setQueriesData({ queryKey: [list] }, (page: unknown) => withRow(page, answer))
      }
      toast.success(typeof message === 'string' && message ? message : done[endpoint.method])
      await options.onDone?.(answer)
      // A name is shown in many places (lists, counters, other screens' rows): nothing old is cached.
      void client.invalidateQueries()
    },
    onError: (error) => {
      toast.error(statementOf(error), options.isOfList ? failed[endpoint.method] : undefined)
    },
  })
}

/** A page of a list with the row of the same id replaced. */
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

/** `409 • Une marque porte déjà ce nom.` */
export function statementOf(error: unknown): string {
  return error instanceof ApiError ? error.statement : messageOf(error)
}
