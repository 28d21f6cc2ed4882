// Tables of a report: those with columns, and those of names beside their values.

import { decorate, linkOf, type Pdf, pageMeasures, type Structure } from '#server/report/page.ts'
import type { DrawnTable } from '#shared/drawing.ts'
import { palette } from '#shared/palette.ts'

const { top: pageTop, left, width, bottom, rowHeight } = pageMeasures
const { ink, inkSoft, line: rule } = palette
/** Width of the value column beside a name, in points. */
const column = 90
/** Gap between the names of a line, in points. */
const gutter = 24

/** Draws a table with its headings from `top` (points). Text columns share the width left by figures. */
export function drawTable(pdf: Pdf, parent: Structure, drawn: DrawnTable, top: number): void {
  const { columns, words, rows, figureWidth: wanted = 61 } = drawn
  const whole = pdf.struct('Table')
  parent.add(whole)
  const figures = columns.length - words
  const figureWidth = Math.min(wanted, (width * 0.6) / Math.max(1, figures))
  const wordWidth = (width - figures * figureWidth) / words
  const placeOf = (at: number) =>
    at < words
      ? { x: left + at * wordWidth, wide: wordWidth - 6, align: 'left' as const }
      : {
          x: left + words * wordWidth + (at - words) * figureWidth,
          wide: figureWidth,
          align: 'right' as const,
        }
  const line = (cells: readonly { text: string; isFaint?: boolean }[], y: number, tag: 'TH' | 'TD') => {
    decorate(pdf, () => {
      pdf
        .moveTo(left, y + rowHeight)
        .lineTo(left + width, y + rowHeight)
        .lineWidth(0.5)
        .stroke(rule)
    })
    const row = pdf.struct('TR')
    whole.add(row)
    for (const [at, { text, isFaint }] of cells.entries()) {
      const { x, wide, align } = placeOf(at)
      const cell = pdf.struct(tag === 'TD' && at === 0 ? 'TH' : tag, {}, () => {
        const isMain = tag === 'TD' && at === words
        pdf
          .font(isMain ? 'strong' : 'text')
          .fontSize(9)
          .fillColor(tag === 'TH' || isFaint ? inkSoft : ink)
          .text(text, x, y + 3, { width: wide, height: 12, align, ellipsis: true })
      })
      if (tag === 'TH' || at === 0) setScope(cell, tag === 'TH' ? 'Column' : 'Row')
      row.add(cell)
    }
    row.end()
  }
  let y = top
  line(
    columns.map((text) => ({ text })),
    y,
    'TH',
  )
  for (const cells of rows) {
    y += rowHeight
    if (y + rowHeight > bottom) {
      pdf.addPage()
      y = pageTop
    }
    line(cells, y, 'TD')
  }
  whole.end()
  pdf.y = y + rowHeight
}

/** A name and its values, in one line of a table. */
export type NameValues = {
  name: string
  values: readonly string[]
  colour?: string
  isFaint?: boolean | undefined
  /** Link to the list of what the first value counts. */
  href?: string | null | undefined
}

type Place = { top: number; from: number; end: number }

/** Draws names and their values, each with its colour mark, `across` per line; `top` and `from` are points. */
export function drawNameValues(
  pdf: Pdf,
  parent: Structure,
  cells: readonly NameValues[],
  { top, from, across }: { top: number; from: number; across: number },
): void {
  const whole = pdf.struct('Table')
  parent.add(whole)
  const wide = (left + width - from + gutter) / across
  for (let first = 0; first < cells.length; first += across) {
    const line = pdf.struct('TR')
    whole.add(line)
    for (const [at, cell] of cells.slice(first, first + across).entries()) {
      const start = from + at * wide
      const place = { top: top + (first / across) * rowHeight, from: start, end: start + wide - gutter }
      for (const each of elementsOf(pdf, cell, place)) line.add(each)
    }
    line.end()
  }
  whole.end()
}

/** Returns the header and the data elements of one name. */
function elementsOf(
  pdf: Pdf,
  { name, values, colour, isFaint, href }: NameValues,
  { top, from, end }: Place,
): Structure[] {
  decorate(pdf, () => {
    if (colour) pdf.circle(from + 4, top + rowHeight / 2, 3.5).fill(colour)
    pdf
      .moveTo(from, top + rowHeight)
      .lineTo(end, top + rowHeight)
      .lineWidth(0.5)
      .stroke(rule)
  })
  const header = pdf.struct('TH', {}, () => {
    pdf
      .font('text')
      .fontSize(10)
      .fillColor(isFaint ? inkSoft : ink)
    const x = from + (colour ? 14 : 0)
    pdf.text(name, x, top + 2, { width: end - x - values.length * column, height: 13, ellipsis: true })
  })
  setScope(header, 'Row')
  const data = values.map((value, at) => {
    const x = end - (values.length - at) * column
    const write = () => {
      pdf
        .font('strong')
        .fontSize(10)
        .fillColor(isFaint ? inkSoft : ink)
      pdf.text(value, x, top + 2, { width: column, align: 'right', lineBreak: false })
      const wide = pdf.widthOfString(value)
      return { x: x + column - wide, y: top + 2, width: wide, height: 13 }
    }
    if (!href || at > 0) return pdf.struct('TD', {}, write)
    return pdf.struct('TD', {}, [linkOf(pdf, { text: `${name}\u00a0: ${value}`, href }, write)])
  })
  return [header, ...data]
}

/** Sets the scope attribute of a header cell (`Row` or `Column`). */
function setScope(header: Structure, scope: 'Row' | 'Column'): void {
  // The types of the package do not expose the attributes of a structure.
  const { dictionary } = header as unknown as { dictionary: { data: Record<string, unknown> } }
  dictionary.data.A = { O: 'Table', Scope: scope }
}
