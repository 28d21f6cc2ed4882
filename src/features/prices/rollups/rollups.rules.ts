import type { NamesOf, PriceFilter } from '#features/prices/filters/filters.contract.ts'

/** A filter of prices in ids, as cells answer it. What is absent does not restrict; an empty list of ids means no price at all. */
export type CellFilter = Partial<Pick<PriceFilter, NamesOf<'cells'>>> & {
  productIds?: readonly number[] | undefined
  marketIds?: readonly number[] | undefined
  /** Products that are not meant, where none are chosen: rollups of days and of markets hold them too. */
  otherProductIds?: readonly number[] | undefined
}

/** Calendar days, `yyyy-mm-dd`, both inclusive. */
export type Period = { start: string; end: string }

const dayMs = 86_400_000

/** A day some days later, or earlier when negative. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10)
}

/** Days of a period, both ends counted. */
export function lengthInDays({ start, end }: Period): number {
  return Math.round((Date.parse(end) - Date.parse(start)) / dayMs) + 1
}

/** The Monday of a day's ISO week. */
export function mondayOf(day: string): string {
  return addDays(day, 1 - isoDay(day))
}

/** 1 for Monday to 7 for Sunday. */
function isoDay(day: string): number {
  return new Date(Date.parse(day)).getUTCDay() || 7
}
