import { today } from '#features/prices/ui/price-selection.ts'
import { lengthInDays } from '#shared/days.ts'
import { formatDate } from '#web/format.ts'

/** From so many days on, an old price is said to be so. */
const oldDays = 7
/** From so many days on, a price says little of today. */
const silentDays = 14

/** How many days ago a day was. */
export function ageInDays(day: string): number {
  return Math.max(0, lengthInDays({ start: day, end: today() }) - 1)
}

/** Whether a price is too old to say what it would be today. */
export function isTooOld(day: string): boolean {
  return ageInDays(day) > silentDays
}

/** « aujourd’hui », « hier », « il y a 19 jours » */
export function ageText(day: string): string {
  const days = ageInDays(day)
  if (days === 0) return 'aujourd’hui'
  return days === 1 ? 'hier' : `il y a ${days}\u00a0jours`
}

/** How old a price is, marked beyond 7 days. */
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
