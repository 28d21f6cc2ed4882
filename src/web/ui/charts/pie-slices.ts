import { truncate } from '#web/format.ts'

export type PieItem = {
  key: string
  name: string
  value: number
  /** Where the rows behind it are; null where no list has them. */
  href?: string | null
}

export type PieSlice = PieItem & {
  /** The name as it is written beside the ring; the whole one is `name`. */
  label: string
  /** From 0 to 1: where it starts on the ring, clockwise from the top, and how much of it is its own. */
  from: number
  part: number
  /** Which of the eight colours it has. */
  colour: number
}

const mostSlices = 8
// The one of the eight colours that is grey: what is left over has it, wherever it stands.
const grey = 5
/** The key of what is left over. */
export const others = 'others'

/**
 * Largest first, eight at most: what is left over stands together as « Autres ». Values of zero or less have no slice.
 *
 * @param length characters of a name
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
