import type { ReactNode } from 'react'
import type { FilterChip } from '#web/ui/filter-bar.tsx'

/** The filters in force, each with what takes it away: « Pays : RD Congo ». */
export function chipsOf<Key extends string>(
  filters: readonly { key: Key; name: string; text: ReactNode }[],
  remove: (key: Key) => void,
): FilterChip[] {
  return filters
    .filter(({ text }) => text)
    .map(({ key, name, text }) => ({
      key,
      label: (
        <>
          {`${name}\u00a0: `}
          {text}
        </>
      ),
      onRemove: () => remove(key),
    }))
}
