import { formatDateTime } from '#web/format.ts'

/** « 21 nov. 2026 11:05 » in a cell: where that is narrow the hour stands under the day, without a comma left hanging. */
export function DateTime({ value }: { value: string }) {
  const [day, hour] = formatDateTime(value).split(', ')
  return (
    <>
      {day} <span className="text-ink-soft">{hour}</span>
    </>
  )
}
