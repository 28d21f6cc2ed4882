import { today } from '#features/prices/ui/price-selection.ts'
import { lengthInDays } from '#shared/days.ts'
import { formatDate } from '#web/format.ts'

/** From this age in days on, a price is marked as old. */
const oldDays = 7
/** Beyond this age in days, a price says little about today's price. */
const silentDays = 14

/** Returns the number of days since a day; 0 for days in the future. */
export function ageInDays(day: string): number {
  return Math.max(0, lengthInDays({ start: day, end: today() }) - 1)
}

/** Returns whether a price is too old to stand for today's price. */
export function isTooOld(day: string): boolean {
  return ageInDays(day) > silentDays
}

/** Returns « aujourd’hui », « hier » or « il y a 19 jours ». */
export function ageText(day: string): string {
  const days = ageInDays(day)
  if (days === 0) return 'aujourd’hui'
  return days === 1 ? 'hier' : `il y a ${days}\u00a0jours`
}

/** The age of a price, marked from 7 days on. */
export function Age({ day }: { day: string }) {
  return (
    <time
      dateTime={day}
      title={formatDate(day)}
      className={`whitespace-nowrap ${ageInDays(day) > oldDays ? 'font-medium text-amber' : ''}`}
    >
      {ageText(day)}
    </time>
  )
}
