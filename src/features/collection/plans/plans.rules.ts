import type { PlannedVisit } from '#features/collection/plans/plans.contract.ts'
import { addDays, mondayOf } from '#shared/days.ts'

/** Returns whether the time of a planned visit is over; a weekly one may be made until the Sunday of its week. */
export function isOver({ weekday, dueOn }: Pick<PlannedVisit, 'weekday' | 'dueOn'>, today: string): boolean {
  return (weekday === null ? dueOn : addDays(mondayOf(dueOn), 6)) < today
}
