type ChartRow = {
  name: string
  value: number | null
  isFaint?: boolean
  isProvisional?: boolean
  /** Where what it rests on is listed; null where nothing lists it. */
  href?: string | null
}

/**
 * What a chart shows, whatever it is drawn on. `name` of a line's point is its day, `yyyy-mm-dd`; of `weeks`, its Monday.
 */
export type Chart = {
  drawn: 'line' | 'weeks' | 'bars' | 'pie'
  title: string
  /** `FC`, `$US`, `%`, or the plural of what is counted, with its singular in `one`. */
  unit: string
  one?: string
  /** `value` is null where there is no figure; what is thin or old is marked as on screen. */
  rows: readonly ChartRow[]
  /** Several lines in place of the one that `rows` make. */
  lines?: readonly { name: string; rows: readonly ChartRow[] }[]
  /** Characters of a name. */
  nameLength?: number
  /** All of it rests on too little, or is old: it is drawn in grey. */
  isFaint?: boolean
}

/** A cell of a table: as it is read, and the figure that it says; `unit` is that of the figure. */
export type TableCell = { text: string; value?: number | null; unit?: string; isFaint?: boolean }

/** A table under its titles; columns after the first `words` ones are figures. */
export type DrawnTable = {
  columns: readonly string[]
  words: number
  /** Points; what fits a page of many where it is absent. */
  figureWidth?: number
  rows: readonly (readonly TableCell[])[]
}

/** What a report says: lines under its title, then sections, each with its figures, its chart, its table or its text. */
export type DrawnReport = {
  title: string
  /** When it says that it was made, so that it is the same file whenever it is drawn; now where it is absent. */
  madeAt?: string
  lines: readonly string[]
  sections: readonly (Omit<Chart, 'drawn' | 'rows'> & {
    definition: string
    /** What its figures rest on, and where that is listed; null of what rests on none. */
    rowsBehind: { text: string; href: string } | null
    drawn: Chart['drawn'] | 'figures' | 'table' | 'text' | 'picture'
    /** `text` says a value better than its figure; `unit` is its own, where the section has none. */
    rows: readonly (ChartRow & { text?: string; unit?: string })[]
    table?: DrawnTable
    /** What a picture is drawn as, where its figures stand below it. */
    picture?: Pick<DrawnChart, 'width' | 'height' | 'shapes' | 'alt'>
  })[]
}

/** The share of one thing in a whole, beside the colour that it has in the drawing. */
type Share = { colour: string; name: string; value: string; share: string; href?: string | null | undefined }

/** A chart as shapes from back to front, in pixels of a screen, for what is no browser. */
export type DrawnChart = {
  width: number
  height: number
  shapes: readonly Shape[]
  /** What it says, for those who do not see it. */
  alt: string
  /** Of a pie: what stands beside it. */
  legend: readonly Share[]
  /** Of bars: what leads to the rows behind each. */
  links: readonly { text: string; href: string; x: number; y: number; width: number; height: number }[]
}

export type Shape = { fill: string | null; stroke: string | null; opacity: number } & (
  | { kind: 'path'; d: string; width: number; dash: readonly number[] }
  | { kind: 'circle'; x: number; y: number; radius: number; width: number }
  | { kind: 'rect'; x: number; y: number; width: number; height: number }
  | {
      kind: 'text'
      x: number
      /** Of its baseline. */
      y: number
      text: string
      size: number
      isStrong: boolean
      anchor: 'start' | 'middle' | 'end'
    }
)
