import { formatDateTime } from '#web/format.ts'

/** « 21 nov. 2026 11:05 » in a cell; in a narrow cell the time is below the day, without a trailing comma. */
export function DateTime({ value }: { value: string }) {
  const [day, hour] = formatDateTime(value).split(', ')
  return (
    <>
      {day} <span className="text-ink-soft">{hour}</span>
    </>
  )
}
