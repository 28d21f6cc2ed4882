type ChartRow = {
  name: string
  value: number | null
  isFaint?: boolean
  isProvisional?: boolean
  /** Link to the list of underlying rows; null when there is no such list. */
  href?: string | null
}

/**
 * The data of a chart, independent of how it is drawn. The `name` of a point is a day, `yyyy-mm-dd`, for `line`, and a
 * Monday for `weeks`.
 */
export type Chart = {
  drawn: 'line' | 'weeks' | 'bars' | 'pie'
  title: string
  /** `FC`, `$US`, `%`, or the plural noun of what is counted, with its singular in `one`. */
  unit: string
  one?: string
  /** `value` is null when there is no figure; values based on few or old observations are marked as on screen. */
  rows: readonly ChartRow[]
  /** Several lines, used instead of `rows`. */
  lines?: readonly { name: string; rows: readonly ChartRow[] }[]
  /** Maximum number of characters of a name. */
  nameLength?: number
  /** Whether the whole chart is based on few or old observations: it is drawn in grey. */
  isFaint?: boolean
}

/** A table cell: its text, and its numeric value with the `unit` of that value. */
export type TableCell = { text: string; value?: number | null; unit?: string; isFaint?: boolean }

/** A table with its column titles; the first `words` columns are text, the others figures. */
export type DrawnTable = {
  columns: readonly string[]
  words: number
  /** Width of a figure column in points; computed from the page width when absent. */
  figureWidth?: number
  rows: readonly (readonly TableCell[])[]
}

/** The content of a report: lines under its title, then sections, each with figures, a chart, a table or a text. */
export type DrawnReport = {
  title: string
  /** Creation date printed in the report, fixed so that drawing it again gives the same file; now when absent. */
  madeAt?: string
  lines: readonly string[]
  sections: readonly (Omit<Chart, 'drawn' | 'rows'> & {
    definition: string
    /** The data behind the figures and the link to their list; null when there are none. */
    rowsBehind: { text: string; href: string } | null
    drawn: Chart['drawn'] | 'figures' | 'table' | 'text' | 'picture'
    /** `text` replaces the formatted value; `unit` is the unit of the row when the section has none. */
    rows: readonly (ChartRow & { text?: string; unit?: string })[]
    table?: DrawnTable
    /** The drawing of a section of kind `picture`, shown above its figures. */
    picture?: Pick<DrawnChart, 'width' | 'height' | 'shapes' | 'alt'>
  })[]
}

/** A slice of a pie in the legend: its colour, name, value and share of the total. */
type Share = { colour: string; name: string; value: string; share: string; href?: string | null | undefined }

/** A chart as shapes from back to front, in CSS pixels, for renderers other than a browser. */
export type DrawnChart = {
  width: number
  height: number
  shapes: readonly Shape[]
  /** Text alternative for people who do not see the chart. */
  alt: string
  /** Legend of a pie. */
  legend: readonly Share[]
  /** For bars: clickable areas that lead to the rows behind each bar. */
  links: readonly { text: string; href: string; x: number; y: number; width: number; height: number }[]
}

export type Shape = { fill: string | null; stroke: string | null; opacity: number } & (
  | { kind: 'path'; d: string; width: number; dash: readonly number[] }
  | { kind: 'circle'; x: number; y: number; radius: number; width: number }
  | { kind: 'rect'; x: number; y: number; width: number; height: number }
  | {
      kind: 'text'
      x: number
      /** Vertical position of the baseline. */
      y: number
      text: string
      size: number
      isStrong: boolean
      anchor: 'start' | 'middle' | 'end'
    }
)
