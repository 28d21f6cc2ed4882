import { formatDate } from '#web/format.ts'

const chip = ({ value }: { value: string }) => formatDate(value)

/** The days chosen one by one, as chips name them. */
export const periodChips = [
  { key: 'startDate' as const, label: 'Depuis le', chip },
  { key: 'endDate' as const, label: 'Jusqu’au', chip },
]
