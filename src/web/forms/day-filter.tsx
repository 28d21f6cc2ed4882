import { useSearch } from '@tanstack/react-router'
import { type DayRange, inOrder, reversedPeriod } from '#shared/fields.ts'
import { periodChips } from '#web/crud/filters.tsx'
import { type FilterControlProps, FilterText } from '#web/forms/suggestions.tsx'
import { toast } from '#web/ui/toast.ts'

/** A filter by a day. */
export function DayFilter(props: FilterControlProps) {
  return <FilterText {...props} type="date" className="sm:w-36" />
}

/** The first and the last day of a period, as filters; one that would end before it starts is refused. */
export const periodControls = periodChips.map((filter) => ({ ...filter, control: dayControl(filter.key) }))

/** The control of one of the two. */
export function dayControl(key: keyof DayRange) {
  return ({ onChange, ...rest }: FilterControlProps) => {
    const days: DayRange = useSearch({ strict: false })
    const choose = (day: string) =>
      inOrder({ ...days, [key]: day }) ? onChange(day) : toast.error(reversedPeriod.error)
    return <DayFilter {...rest} onChange={choose} />
  }
}
