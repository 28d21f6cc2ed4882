import type { Log } from '#server/log.ts'

/** A value that is made at most once in a while, however often it is asked for. */
export type Remembered<T> = () => Promise<T>

type Options = {
  /** For how long (ms) what was made is given as it is. */
  freshMs: number
  /** For how long after that (ms) it is still given while a new one is being made. */
  staleMs: number
  log: Pick<Log, 'warn'>
}

/**
 * Remembers what was made last. Who asks while it is a little old gets it at once, and has the next one made behind him;
 * when that fails, the old one goes on being given, whatever its age, for as long as making fails.
 *
 * @throws what `make` throws, when nothing was ever made
 */
export function remember<T>(make: () => Promise<T>, { freshMs, staleMs, log }: Options): Remembered<T> {
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
