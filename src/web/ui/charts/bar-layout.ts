import { linearScale } from '#shared/linear-scale.ts'
import { truncate } from '#web/format.ts'

export type BarItem = {
  key: string
  name: string
  /** One value, or two to compare; null: no figure, and no bar. */
  values: readonly (number | null)[]
  /** Link to the list of rows behind the bar. */
  href?: string | null
  /** Based on few or old observations: drawn in grey. */
  isFaint?: boolean
}

export type BarOptions = {
  items: readonly BarItem[]
  width: number
  formatValue: (value: number) => string
  /** Maximum number of characters of a name. */
  nameLength?: number
}

export type BarLayout = ReturnType<typeof layOutBars>

// Width of a wide letter in px, so that a truncated name is not cut again by the edge.
const characterWidth = 7.7
const thickness = { alone: 18, paired: 13 }
const between = 14

/** Computes the layout of horizontal bars from zero, with the name before and the value after each bar. */
export function layOutBars({ items, width, formatValue, nameLength = 15 }: BarOptions) {
  const labels = items.map(({ name }) => truncate(name, nameLength))
  const texts = items.map(({ values }) => values.map((value) => (value === null ? '—' : formatValue(value))))
  const longest = (lengths: number[]) => Math.max(0, ...lengths) * characterWidth
  const left = Math.ceil(longest(labels.map(({ length }) => length)) + 10)
  const room = Math.ceil(longest(texts.flat().map(({ length }) => length)) + 8)
  const top = Math.max(0, ...items.flatMap(({ values }) => values.map((value) => value ?? 0)))
  const x = linearScale([0, top || 1], [left, Math.max(left + 24, width - room)])
  const most = Math.max(1, ...items.map(({ values }) => values.length))
  const thick = most > 1 ? thickness.paired : thickness.alone
  const step = thick * most + between
  const bars = items.map((item, row) => ({
    ...item,
    label: labels[row] ?? '',
    /** Vertical centre of the row. */
    y: row * step + (step - between) / 2 + between / 2,
    parts: item.values.map((value, index) => ({
      value,
      text: texts[row]?.[index] ?? '',
      y: row * step + between / 2 + index * thick,
      // A value other than zero is always visible.
      width: value === null || value === 0 ? 0 : Math.max(1, x(value) - left),
    })),
  }))
  return { width, height: Math.max(step, items.length * step), left, thick, bars }
}
