import { addDays, dayIn } from '#shared/days.ts'

/** Returns the date some days ago in the tests' markets: from 23:00 to 24:00 UTC, it is already tomorrow there. */
export function daysAgo(days: number): string {
  return addDays(dayIn('Africa/Kinshasa', new Date()), -days)
}
