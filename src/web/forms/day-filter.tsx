import { useSearch } from '@tanstack/react-router'
import { type DayRange, dayInput, inOrder, reversedPeriod } from '#shared/fields.ts'
import { periodChips } from '#web/crud/filters.tsx'
import { type FilterControlProps, FilterText } from '#web/forms/suggestions.tsx'
import { toast } from '#web/ui/toast.ts'

/** A filter by day. */
export function DayFilter(props: FilterControlProps) {
  return <FilterText {...props} type="date" className="sm:w-36" isComplete={isWholeDay} />
}

/** Returns whether a day is complete: while a year is being typed, the field has the years 2, 20 and 202. */
export function isWholeDay(text: string): boolean {
  return text === '' || dayInput.safeParse(text).success
}

/** Filters for the first and last day of a period; a day that would put the end before the start is refused. */
export const periodControls = periodChips.map((filter) => ({ ...filter, control: dayControl(filter.key) }))

/** Returns the control of the first or the last day. */
export function dayControl(key: keyof DayRange) {
  return ({ onChange, ...rest }: FilterControlProps) => {
    const address = useSearch({ strict: false })
    const choose = (day: string) =>
      isInOrder(address, { [key]: day }) ? onChange(day) : toast.error(reversedPeriod.error)
    return <DayFilter {...rest} onChange={choose} />
  }
}

/** Returns whether a chosen day keeps the period of an address in order; days that the page ignores do not count. */
export function isInOrder(address: object, chosen: DayRange): boolean {
  const days = Object.entries({ ...address, ...chosen }).filter(([, day]) => dayInput.safeParse(day).success)
  return inOrder(Object.fromEntries(days))
}
