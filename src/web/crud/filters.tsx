import type { ComponentType, ReactNode } from 'react'
import { formatDate } from '#web/format.ts'
import type { FilterControlProps } from '#web/forms/suggestions.tsx'
import type { FilterChip } from '#web/ui/filter-bar.tsx'

/** A filter as data: its control, and how it is written where it is in force. */
export type DeclaredFilter = {
  /** The query parameter. */
  key: string
  label: string
  /** Absent where it is chosen elsewhere: it has a chip all the same. */
  control?: ComponentType<FilterControlProps>
  /** One of those behind « Plus de filtres ». */
  isExtra?: boolean | undefined
  /** How a value is written where it is in force; as it is without it. */
  chip?: ComponentType<{ value: string }> | undefined
}

/** What the filters are about: the state of a page, or of a list. */
type Filtered = {
  query: object
  set: (changes: { [key: string]: string | undefined }) => void
}

/** What a FilterBar shows of filters that are data: their controls, and the chips of those in force (« Pays : RD Congo »). */
export function filterBarOf(filters: readonly DeclaredFilter[], { query, set }: Filtered) {
  const values: Record<string, unknown> = { ...query }
  const controls: Record<string, ReactNode> = {}
  const more: ReactNode[] = []
  const chips: FilterChip[] = []
  for (const { key, label, control: Control, isExtra, chip: Chip } of filters) {
    const value = String(values[key] ?? '')
    if (Control) {
      const shown = (
        <Control
          key={key}
          label={label}
          value={value}
          onChange={(next, others) => set({ [key]: next || undefined, ...others })}
        />
      )
      if (isExtra) more.push(shown)
      else controls[key] = shown
    }
    if (!value) continue
    chips.push({
      key,
      label: (
        <>
          {`${label}\u00a0: `}
          {Chip ? <Chip value={value} /> : value}
        </>
      ),
      onRemove: () => set({ [key]: undefined }),
    })
  }
  return { filters: controls, more: more.length > 0 && more, chips }
}

const chip = ({ value }: { value: string }) => formatDate(value)

/** The days chosen one by one, as chips name them. */
export const periodChips = [
  { key: 'startDate' as const, label: 'Depuis le', chip },
  { key: 'endDate' as const, label: 'Jusqu’au', chip },
]
