import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { summaryAddress } from '#features/figures/summary/summary.addresses.ts'
import { type PriceChange, priceChange } from '#features/prices/live/live.contract.ts'
import { concerns, manyPrices, mergeChanges, withoutOwn } from '#features/prices/live/live.rules.ts'
import { priceAddresses } from '#features/prices/prices.addresses.ts'
import type { prices } from '#features/prices/prices.contract.ts'
import type { PriceSelection } from '#features/prices/ui/price-selection.ts'
import type { AnswerOf } from '#shared/contract.ts'
import { followEvents, type StreamEvent, type StreamStatus } from '#web/event-stream.ts'
import { formatCount } from '#web/format.ts'
import { savesData, usePageVisible } from '#web/ui/page-visibility.ts'

const listPath = priceAddresses.list.path

/** Minimum time between two refetches. */
const refetchPauseMs = 2_000
const lookAgainMs = 500
const longestHesitationMs = 5_000
const newsLastMs = 8_000

/** What a screen shows of prices that other users write. */
export type Followed = {
  /** The request whose answer lists the prices: path and query. */
  path: string
  query: { productId?: number | undefined; marketId?: number | undefined }
  /** Paths of other answers to refetch, which depend on the same prices. */
  others?: readonly string[]
  /** Reads the ids and the total from the answer; `isLatest`: whether a price that was not in it before must be new. */
  read: (answer: unknown) => { ids: readonly number[]; total: number; isLatest: boolean }
}

/**
 * The list of prices. Only its first page shows new prices; on later pages, a price may have moved from another page.
 */
export function followedList(query: PriceSelection['query']): Followed {
  return {
    path: listPath,
    query,
    others: [summaryAddress.path],
    read: (answer) => {
      const { data, pagination } = answer as AnswerOf<typeof prices.list>
      return { ids: data.map(({ id }) => id), total: pagination.total, isLatest: query.page === 1 }
    },
  }
}

export type LivePrices = {
  status: StreamStatus | 'starting' | 'sparing'
  /** « 2 nouveaux relevés », shown for a few seconds after they came. */
  news: string
  /** Whether a row is new. */
  isFresh: (id: number) => boolean
}

type Listed = ReturnType<Followed['read']>

const noNews = { text: '', ids: new Set<number>() }

/** Refetches what a screen shows when other users write prices, while the page is visible. */
export function useLivePrices({ path, query, others = [], read }: Followed): LivePrices {
  const client = useQueryClient()
  const takeOwn = useOwnWrites(client)
  const [status, setStatus] = useState<LivePrices['status']>(() => (savesData() ? 'sparing' : 'starting'))
  const [news, setNews] = useState(noNews)
  const [startedAt] = useState(Date.now)
  // Id of the last event received, over all connections of this page.
  const last = useRef<{ id: string | undefined }>({ id: undefined })
  // Changes since the last refetch, and the timer of the next.
  const due = useRef({ change: null as PriceChange | null, since: 0, refetchedAt: startedAt, timer: 0 })
  const key = [path, null, query]

  function onChange(change: PriceChange): void {
    const { current } = due
    if (!current.change) current.since = Date.now()
    current.change = current.change ? mergeChanges(current.change, change) : change
    askAgainIn(current.refetchedAt + refetchPauseMs - Date.now())
  }

  function askAgainIn(ms: number): void {
    clearTimeout(due.current.timer)
    due.current.timer = window.setTimeout(refresh, Math.max(0, ms))
  }

  const refresh = useEffectEvent(async () => {
    const { current } = due
    // While a write is pending, its answer will tell which change is our own. Under a dialog, the page is refetched
    // once it is closed.
    const hasToWait = client.isMutating() > 0 || document.querySelector('dialog[open]') !== null
    if (hasToWait || (isAboutToAct() && Date.now() - current.since < longestHesitationMs)) {
      return askAgainIn(lookAgainMs)
    }
    const change = current.change && withoutOwn(current.change, takeOwn())
    current.change = null
    if (!change || !concerns(query, change)) return
    current.refetchedAt = Date.now()
    const before = client.getQueryData(key)
    await Promise.all([path, ...others].map((each) => client.invalidateQueries({ queryKey: [each] })))
    const after = client.getQueryData(key)
    if (before && after) tell(change, read(before), read(after))
  })

  function tell({ prices }: PriceChange, before: Listed, after: Listed): void {
    const earlier = new Set(before.ids)
    const added = prices?.filter(({ deed }) => deed === 'added').map(({ id }) => id)
    // When the event does not list the prices, a row not seen before is new only on the first page: on later ones, it
    // may have moved.
    const isNew = (id: number) => !earlier.has(id) && (added?.includes(id) ?? after.isLatest)
    const ids = new Set(after.ids.filter(isNew))
    const count = Math.max(ids.size, after.total - before.total)
    if (count > 0) setNews({ text: formatCount(count, 'nouveau relevé', 'nouveaux relevés'), ids })
  }

  const onEvent = useEffectEvent(({ event, data }: StreamEvent, isFirst: boolean) => {
    if (event === 'resync') return onChange(manyPrices)
    if (event === 'change') return onChange(priceChange.safeParse(data).data ?? manyPrices)
    // The data shown was requested before the stream began: writes in between may be missing from it.
    const { dataUpdatedAt = 0 } = client.getQueryState(key) ?? {}
    const askedAt = Math.min(startedAt, dataUpdatedAt || startedAt) - refetchPauseMs
    if (isFirst && Date.now() - Object(data).quietForMs > askedAt) onChange(manyPrices)
  })

  const isFollowing = usePageVisible() && status !== 'sparing'
  useEffect(() => {
    if (!isFollowing) return
    const leaving = new AbortController()
    const { current } = last
    void followEvents(priceAddresses.live, current, {
      signal: leaving.signal,
      onEvent,
      onStatus: setStatus,
    })
    return () => leaving.abort()
  }, [isFollowing])
  useEffect(() => () => clearTimeout(due.current.timer), [])
  useEffect(() => {
    if (news === noNews) return
    const timer = setTimeout(() => setNews(noNews), newsLastMs)
    return () => clearTimeout(timer)
  }, [news])

  return { status, news: news.text, isFresh: (id) => news.ids.has(id) }
}

/** Collects the ids of the prices that this page writes itself; the returned function takes them and clears the set. */
function useOwnWrites(client: QueryClient): () => ReadonlySet<number> {
  const own = useRef(new Set<number>())
  useEffect(
    () =>
      client.getMutationCache().subscribe((event) => {
        if (event.type !== 'updated' || event.action.type !== 'success') return
        const [path] = event.mutation.options.mutationKey ?? []
        const { data, variables } = event.mutation.state
        if (String(path).startsWith(listPath))
          own.current.add(Object(data).id ?? Object(variables).params?.id)
      }),
    [client],
  )
  return () => {
    const taken = own.current
    own.current = new Set()
    return taken
  }
}

/** Returns whether the pointer is on a button of a row: the row must not move just before the click. */
function isAboutToAct(): boolean {
  const pointed = document.querySelector('main :is(tr, li) :is(button, a):hover')
  return pointed !== null && matchMedia('(hover: hover)').matches
}
