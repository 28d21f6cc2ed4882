import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useState } from 'react'
import type { z } from 'zod'
import type { Pagination } from '#shared/contract.ts'
import { mostPerPage } from '#shared/fields.ts'
import { readChoice, storeChoice } from '#web/device-choices.ts'
import type { SortState } from '#web/ui/table.tsx'
import { toast } from '#web/ui/toast.ts'

type Listed = { page: number; limit: number; sort?: string | undefined }
type Search = Record<string, unknown>
type Move = { replace?: boolean; resetScroll?: boolean }

/** State of a list, stored in its address so that it can be shared, reloaded and restored with the back button. */
export type ListState<Query> = {
  query: Query
  /** Whether a filter or a search is active. */
  isFiltered: boolean
  /** Changes filters and returns to the first page. */
  set: (filters: Partial<Query>) => void
  /** Removes every filter; order and page size remain. */
  reset: () => void
  setPage: (page: number, move?: Move) => void
  setLimit: (limit: number) => void
  sort: SortState | undefined
  /** Sets the order: `-name` is descending; undefined is the list's default order. */
  setSort: (sort: string | undefined) => void
}

/**
 * State of a list in the URL, parsed by the API's query schema. A value that the API would refuse counts as absent, so
 * that a truncated or edited address still shows a list. Without an order in the address, the last order chosen for
 * this list on this device is used.
 */
export function useListState<Query extends Listed>(resource: {
  name: string
  query: z.ZodType<Query>
}): ListState<Query> {
  const address: Search = useSearch({ strict: false })
  const navigate = useNavigate()
  const remembered = `sort.${resource.name}`
  // Order stored on this device, until it is added to the address, where the back button can restore it.
  const [arrivalSort, setArrivalSort] = useState(() => {
    const { sort } = readQuery(resource.query, { sort: readChoice(remembered) ?? undefined })
    return address.sort === undefined ? sort : undefined
  })
  if (arrivalSort !== undefined && address.sort !== undefined) setArrivalSort(undefined)
  const search = arrivalSort === undefined ? address : { ...address, sort: arrivalSort }
  const { query, refused } = readAddress(resource.query, search)
  const defaults: Search = readQuery(resource.query, {})
  useRefusalNotice(refused)

  const go = (change: (previous: Search) => Search, { replace = false, resetScroll = false }: Move = {}) =>
    void navigate({
      to: '.',
      search: (previous: Search) => withoutDefaults(change(previous), defaults),
      replace,
      resetScroll,
    })
  const showArrivalSort = useEffectEvent(() => {
    if (arrivalSort !== undefined) go((previous) => ({ sort: arrivalSort, ...previous }), { replace: true })
  })
  useEffect(() => showArrivalSort(), [])
  return {
    query,
    isFiltered: Object.entries(query).some(
      ([name, value]) => !['page', 'limit', 'sort'].includes(name) && value !== defaults[name],
    ),
    set: (filters) => {
      const replace = Object.entries(filters).every(([name, value]) => isTyping(search[name], value))
      go((previous) => ({ ...previous, page: undefined, ...filters }), { replace })
    },
    reset: () =>
      go(({ sort, limit, ...previous }) => ({
        // Parameters that are not part of the list's query, such as a tab, remain.
        ...Object.fromEntries(Object.entries(previous).filter(([name]) => !(name in query))),
        sort,
        limit,
      })),
    setPage: (page, move = { resetScroll: true }) => go((previous) => ({ ...previous, page }), move),
    setLimit: (limit) => go((previous) => ({ ...previous, page: undefined, limit }), { replace: true }),
    sort: sortState(query.sort),
    setSort(sort) {
      storeChoice(remembered, sort ?? null)
      go((previous) => ({ ...previous, page: undefined, sort }))
    },
  }
}

/** State of a page without a list, in its address, parsed like that of a list. */
export function usePageState<Query extends Search>(schema: z.ZodType<Query>) {
  const address: Search = useSearch({ strict: false })
  const navigate = useNavigate()
  const { query, refused } = readAddress(schema, address)
  const defaults: Search = readQuery(schema, {})
  useRefusalNotice(refused)
  const go = (change: (previous: Search) => Search) =>
    void navigate({
      to: '.',
      search: (previous: Search) => withoutDefaults(change(previous), defaults),
      resetScroll: false,
    })
  return {
    query,
    set: (changes: Partial<Query>) => go((previous) => ({ ...previous, ...changes })),
    reset: () => go(() => ({})),
  }
}

/** Goes to the last page when the current one no longer exists, after a delete or from an old address. */
export function useExistingPage(
  pagination: Pagination | undefined,
  setPage: (page: number, move: Move) => void,
): void {
  const last = pagination && pagination.page > pagination.pages ? Math.max(1, pagination.pages) : undefined
  const isPast = pagination !== undefined && last !== undefined && pagination.page !== last
  const correct = useEffectEvent(() => last !== undefined && setPage(last, { replace: true }))
  useEffect(() => {
    if (isPast) correct()
  }, [isPast])
}

/** Parses `search` with the schema, ignoring the values that it refuses. */
export function readQuery<Query>(schema: z.ZodType<Query>, search: Search): Query {
  return readAddress(schema, search).query
}

/**
 * Parses `search` and also returns the refused filters: « period=2y ». Invalid orders and pages are ignored silently.
 */
function readAddress<Query>(schema: z.ZodType<Query>, address: Search): { query: Query; refused: string } {
  const { limit, ...others } = address
  // The schema accepts the larger pages of API keys too.
  const search = Number(limit) > mostPerPage.session ? others : address
  const parsed = schema.safeParse(search)
  if (parsed.success) return { query: parsed.data, refused: '' }
  const names = new Set(parsed.error.issues.map(({ path }) => path[0]))
  const entries = Object.entries(search)
  const isRefused = ([name]: [string, unknown]) => names.has(name)
  return {
    query: schema.parse(Object.fromEntries(entries.filter((entry) => !isRefused(entry)))),
    refused: entries
      .filter((entry) => isRefused(entry) && !['page', 'limit', 'sort'].includes(entry[0]))
      .map(([name, value]) => `${name}=${String(value).slice(0, 40)}`)
      .join(', '),
  }
}

/** Tells the user that a part of the address is invalid and ignored. */
function useRefusalNotice(refused: string): void {
  useEffect(() => {
    if (!refused) return
    toast.info(
      `«\u202f${refused}\u202f» n’a pas été compris dans l’adresse\u00a0: la page n’en tient pas compte.`,
    )
  }, [refused])
}

/** Returns the query parameter of a sorted column. */
export function sortParameter({ key, direction }: SortState): string {
  return direction === 'desc' ? `-${key}` : key
}

function sortState(sort: string | undefined): SortState | undefined {
  if (sort === undefined) return undefined
  return sort.startsWith('-') ? { key: sort.slice(1), direction: 'desc' } : { key: sort, direction: 'asc' }
}

// While a word is being typed, the history entry is replaced, so that the back button undoes the whole word.
function isTyping(before: unknown, after: unknown): boolean {
  if (typeof before !== 'string' || typeof after !== 'string') return false
  return before.startsWith(after) || after.startsWith(before)
}

function withoutDefaults(search: Search, defaults: Search): Search {
  const isDefault = ([name, value]: [string, unknown]) => String(value ?? '') === String(defaults[name] ?? '')
  return Object.fromEntries(Object.entries(search).filter((entry) => !isDefault(entry)))
}
