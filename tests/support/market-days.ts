import { addDays, dayIn } from '#shared/days.ts'

/** The day some days ago where the markets of tests are: between 23:00 and 24:00 UTC it is tomorrow there. */
export function daysAgo(days: number): string {
  return addDays(dayIn('Africa/Kinshasa', new Date()), -days)
}
