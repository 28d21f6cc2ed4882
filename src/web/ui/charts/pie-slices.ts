import { truncate } from '#web/format.ts'

export type PieItem = {
  key: string
  name: string
  value: number
  /** Link to the list of rows behind the slice; null when there is none. */
  href?: string | null
}

export type PieSlice = PieItem & {
  /** Truncated name beside the ring; `name` is the full one. */
  label: string
  /** Start of the slice on the ring, clockwise from the top, and its share, both from 0 to 1. */
  from: number
  part: number
  /** Index of its colour among the eight. */
  colour: number
}

const mostSlices = 8
// Index of the grey colour, always used for « Autres ».
const grey = 5
/** The key of the « Autres » slice. */
export const others = 'others'

/**
 * Returns at most eight slices, largest first; the remaining items are grouped as « Autres ». Values of zero or less
 * have no slice.
 *
 * @param length maximum number of characters of a name
 */
export function pieSlices(items: readonly PieItem[], length = 15): PieSlice[] {
  const ordered = items.filter(({ value }) => value > 0).sort((a, b) => b.value - a.value)
  const isTooMany = ordered.length > mostSlices
  const named = isTooMany ? ordered.slice(0, mostSlices - 1) : ordered
  const rest = ordered.slice(named.length)
  const shown = isTooMany ? [...named, { key: others, name: 'Autres', value: sumOf(rest) }] : named
  const total = sumOf(shown)
  const colourOf = (key: string, index: number) =>
    !isTooMany || index < grey ? index : key === others ? grey : index + 1
  return shown.map((item, index) => ({
    ...item,
    colour: colourOf(item.key, index),
    label: truncate(item.name, length),
    from: sumOf(shown.slice(0, index)) / total,
    part: item.value / total,
  }))
}

function sumOf(items: readonly PieItem[]): number {
  return items.reduce((sum, { value }) => sum + value, 0)
}
