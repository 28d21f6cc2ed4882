import type { ComponentType, ReactNode } from 'react'
import { formatDate } from '#web/format.ts'
import type { FilterControlProps } from '#web/forms/suggestions.tsx'
import type { FilterChip } from '#web/ui/filter-bar.tsx'

/** A filter declared as data: its control, and the chip that shows its value when it is active. */
export type DeclaredFilter = {
  /** The query parameter. */
  key: string
  label: string
  /** Absent when the value is chosen elsewhere; the active filter still has a chip. */
  control?: ComponentType<FilterControlProps>
  /** Whether the filter is under « Plus de filtres ». */
  isExtra?: boolean | undefined
  /** Formats the value in the chip; the raw value when absent. */
  chip?: ComponentType<{ value: string }> | undefined
}

/** State to which the filters apply: that of a page or of a list. */
type Filtered = {
  query: object
  set: (changes: { [key: string]: string | undefined }) => void
}

/**
 * Builds the props of a FilterBar from declared filters: their controls, and the chips of active ones (« Pays : RD
 * Congo »).
 */
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

/** Chips of the first and last day of a period. */
export const periodChips = [
  { key: 'startDate' as const, label: 'Depuis le', chip },
  { key: 'endDate' as const, label: 'Jusqu’au', chip },
]
