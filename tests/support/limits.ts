// The product's timeouts, widened in tests about other things because a slow machine would reach them.

import { timeLimits } from '#server/time-limits.ts'

const factor = 60
const usual = { ...timeLimits }

/** Makes every timeout sixty times as long: a minute for a second. */
export function widenLimits(): void {
  for (const name of namesOf(usual)) timeLimits[name] = usual[name] * factor
}

/** Restores the timeouts of production until the next test file. */
export function narrowLimits(): void {
  Object.assign(timeLimits, usual)
}

function namesOf<T extends object>(object: T): (keyof T)[] {
  // The object is a literal, so its keys are exactly those of its type.
  return Object.keys(object) as (keyof T)[]
}
