import { useEffect, useEffectEvent, useMemo, useState } from 'react'
import { foldText, matchesText } from '#web/ui/match-text.ts'

export type Option = {
  value: string | number
  label: string
  /** Shown under the label: a code, a town. */
  hint?: string
}
export type SearchOptions = (query: string, signal: AbortSignal) => Promise<readonly Option[]>
export type OptionsState = { options: readonly Option[]; status: 'ready' | 'loading' | 'failed' }
type Found = OptionsState & { query: string }

const mostShown = 100
const debounceMs = 250
const nothing: readonly Option[] = []

/** Returns the options for what is typed: filtered locally, or requested from `search` after a pause in typing. */
export function useOptions(
  open: boolean,
  query: string,
  all: readonly Option[] | undefined,
  search: SearchOptions | undefined,
): OptionsState {
  const local = useMemo(() => filterOptions(all ?? nothing, query), [all, query])
  const [found, setFound] = useState<Found>({ query: '', options: nothing, status: 'loading' })
  const ask = useEffectEvent(async (signal: AbortSignal) => {
    if (!search) return
    try {
      const options = await search(query, signal)
      if (!signal.aborted) setFound({ query, options, status: 'ready' })
    } catch {
      if (!signal.aborted) setFound({ query, options: nothing, status: 'failed' })
    }
  })
  const remote = search !== undefined
  // A new query starts a new request.
  useEffect(() => {
    if (!open || !remote) return
    const controller = new AbortController()
    setFound((before) => ({ ...before, status: 'loading' }))
    const timer = setTimeout(() => void ask(controller.signal), query ? debounceMs : 0)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [open, remote, query])
  return remote ? answerTo(query, found) : { options: local, status: 'ready' }
}

/**
 * Filters results of a previous query by the current one, so that the user does not choose a wrong option by mistake.
 */
export function answerTo(query: string, found: Found): OptionsState {
  if (found.query === query) return found
  return { options: filterOptions(found.options, query), status: 'loading' }
}

/** Returns the matching options, those that begin with the query first. */
export function filterOptions(all: readonly Option[], query: string): readonly Option[] {
  if (!query.trim()) return all.slice(0, mostShown)
  const start = foldText(query.trim())
  const matches = all.filter(({ label, hint = '' }) => matchesText(`${label} ${hint}`, query.trim()))
  const rank = ({ label }: Option) => (foldText(label).startsWith(start) ? 0 : 1)
  return matches.sort((a, b) => rank(a) - rank(b)).slice(0, mostShown)
}
