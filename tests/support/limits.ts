// The product's limits of time: wide in tests about something else, since a slow machine meets them.

import { timeLimits } from '#server/time-limits.ts'

const factor = 60
const usual = { ...timeLimits }

/** Has every limit be a minute where it is a second. */
export function widenLimits(): void {
  for (const name of namesOf(usual)) timeLimits[name] = usual[name] * factor
}

/** The limits as in production, until the next test file. */
export function narrowLimits(): void {
  Object.assign(timeLimits, usual)
}

function namesOf<T extends object>(object: T): (keyof T)[] {
  // The keys of an object are those of its type here: it is a literal.
  return Object.keys(object) as (keyof T)[]
}
