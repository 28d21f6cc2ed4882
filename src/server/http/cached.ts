import type { Log } from '#server/log.ts'

/** Returns a cached value; it is computed again only when it is stale. */
export type Cached<T> = () => Promise<T>

type Options = {
  /** How long (ms) the value is returned without recomputing it. */
  freshMs: number
  /** How long (ms) after that the stale value is still returned while a new one is computed. */
  staleMs: number
  log: Pick<Log, 'warn'>
}

/**
 * Caches the last computed value (stale-while-revalidate). A caller gets a stale value at once, and it is recomputed in
 * the background. While recomputing fails, the old value is returned, whatever its age.
 *
 * @throws what `make` throws, when there is no earlier value
 */
export function createCached<T>(make: () => Promise<T>, { freshMs, staleMs, log }: Options): Cached<T> {
  let latest: { value: T; at: number } | undefined
  let making: Promise<T> | undefined

  function renew(): Promise<T> {
    making ??= make()
      .then((value) => {
        latest = { value, at: performance.now() }
        return value
      })
      .catch((error: unknown) => {
        if (!latest) throw error
        log.warn({ err: error }, 'the last known figures go on being shown')
        return latest.value
      })
      .finally(() => {
        making = undefined
      })
    return making
  }

  return async () => {
    const age = latest ? performance.now() - latest.at : Number.POSITIVE_INFINITY
    if (latest && age < freshMs) return latest.value
    const renewed = renew()
    return latest && age < freshMs + staleMs ? latest.value : renewed
  }
}
