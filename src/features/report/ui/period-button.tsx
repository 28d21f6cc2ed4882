import { CalendarDays } from 'lucide-react'
import { periodOptions, type StatisticsSelection } from '#features/statistics/ui/statistics-selection.ts'
import { buttonClass } from '#web/ui/button-class.ts'
import { Menu } from '#web/ui/menu.tsx'

/** « Période »: chooses the days of all figures of the page. */
export function PeriodButton({
  selection: { period, periodText, setPeriod },
}: {
  selection: StatisticsSelection
}) {
  return (
    <Menu
      label="Période"
      buttonClassName={buttonClass()}
      button={
        <>
          <CalendarDays className="size-4" aria-hidden />
          <span aria-hidden>{`Période\u00a0: ${periodText.toLowerCase()}`}</span>
        </>
      }
      items={periodOptions.map(({ value, name }) => ({
        label: value === period ? `${name} (affichée)` : name,
        onSelect: () => setPeriod(value),
      }))}
    />
  )
}
