// Thread that draws a report: A4 pages, each section with its heading, definition and chart. Content is tagged
// (headings, tables, a text for each curve) and decoration is marked as an artifact: PDF/UA, ISO 14289-1.

import { fileURLToPath } from 'node:url'
import { parentPort, workerData } from 'node:worker_threads'
import PDFDocument from 'pdfkit'
import { ink, paintShapes } from '#server/report/paint-shapes.ts'
import type { Chart, DrawnChart, DrawnReport, DrawnTable, Shape } from '#shared/drawing.ts'

type Section = DrawnReport['sections'][number]
type Row = Section['rows'][number]
type Structure = ReturnType<typeof pdf.struct>

type ViewsBundle = {
  drawChart: (chart: Chart, width: number) => DrawnChart
  drawMark: () => readonly Shape[]
}

const { report, bundle }: { report: DrawnReport; bundle: string } = workerData
const { title, lines, sections, madeAt } = report
// The charts are drawn by the views of the screen, which compute the layout.
const { drawChart, drawMark }: ViewsBundle = await import(bundle)
const soft = '#4d5868'
const rule = '#e3ded3'
const blue = '#0072b2'
const left = 48
const width = 595 - 2 * left
const bottom = 794
const rowHeight = 17
/** Width of the value column beside a name, in points. */
const column = 90
/** Figures per line, and the gap between them in points. */
const figuresAcross = 2
const gutter = 24
/** Height in points above which a section may be split over two pages. */
const longestUnbroken = 300
/** Points per pixel. */
const scale = 0.75
const whole = new Intl.NumberFormat('fr-FR', { maximumFractionDigits: 1 })
const tenths = new Intl.NumberFormat('fr-FR', {
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
  // Avoids « -0 »: zero is written without a sign.
  signDisplay: 'negative',
})

const made = madeAt && { CreationDate: new Date(madeAt) }
const pdf = new PDFDocument({
  size: 'A4',
  margins: { top: 48, bottom: 36, left, right: left },
  lang: 'fr',
  displayTitle: true,
  tagged: true,
  pdfVersion: '1.7',
  // @ts-expect-error: the types of the package lack this subset
  subset: 'PDF/UA',
  info: { Title: title, Author: 'Ntalo', Subject: lines.join(' – '), ...made },
  bufferPages: true,
})
const chunks: Uint8Array[] = []
pdf.on('data', (chunk: Uint8Array) => chunks.push(chunk))
pdf.on('end', () => parentPort?.postMessage(Buffer.concat(chunks)))

// The fonts are embedded, as PDF/UA requires; the built-in fonts also lack the narrow no-break space.
const regular = import.meta.resolve('@expo-google-fonts/source-sans-3/400Regular/SourceSans3_400Regular.ttf')
const semibold = import.meta.resolve(
  '@expo-google-fonts/source-sans-3/600SemiBold/SourceSans3_600SemiBold.ttf',
)
pdf.registerFont('text', fileURLToPath(regular))
pdf.registerFont('strong', fileURLToPath(semibold))

const root = pdf.struct('Document')
pdf.addStructure(root)
decorate(() => paintShapes(pdf, drawMark(), { x: left - 3, y: 44, scale }))
pdf.y = 47
write(root, 'P', 'Ntalo', { size: 13, font: 'strong', x: left + 26 })
pdf.y = 78
write(root, 'H1', title, { size: 20, font: 'strong' })
pdf.y += 6
for (const line of lines) write(root, 'P', line, { size: 10, colour: soft })
for (const section of sections) draw(section)
root.end()
numberPages()
pdf.end()

type Look = { size: number; font?: 'text' | 'strong'; colour?: string; x?: number }

function write(
  parent: Structure,
  tag: string,
  text: string,
  { size, font = 'text', colour = ink, x = left }: Look,
): void {
  parent.add(
    pdf.struct(tag, {}, () => {
      pdf
        .font(font)
        .fontSize(size)
        .fillColor(colour)
        .text(text, x, pdf.y, { width: width - (x - left) })
    }),
  )
}

/** Writes a right-aligned link to the site on an existing line. */
function lead(parent: Structure, { text, href }: NonNullable<Section['rowsBehind']>, y: number): void {
  const line = pdf.struct('P')
  parent.add(line)
  const after = pdf.y
  const link = linkOf({ text, href }, () => {
    const wide = pdf.font('text').fontSize(9).widthOfString(text)
    const x = left + width - wide
    pdf.fillColor(blue).text(text, x, y, { lineBreak: false, underline: true })
    return { x, y, width: wide, height: pdf.currentLineHeight() }
  })
  line.add(link)
  line.end()
  pdf.y = after
}

type Box = { x: number; y: number; width: number; height: number }

/** Adds a link over the box that `paint` returns. */
function linkOf({ text, href }: { text: string; href: string }, paint: () => Box): Structure {
  const link: Structure = pdf.struct('Link', {}, () => {
    const { x, y, width, height } = paint()
    // The types of the package lack both properties.
    const said = { structParent: link, Contents: new String(text) } as object
    pdf.link(x, y, width, height, href, said)
  })
  return link
}

/** Draws decoration, which is marked as an artifact for screen readers. */
function decorate(paint: () => void): void {
  pdf.markContent('Artifact', { type: 'Layout' })
  paint()
  pdf.endMarkedContent()
}

/** Returns the chart of a section; null for a list of figures, a table or a text. */
function drawingOf({ drawn, picture, ...section }: Section): DrawnChart | null {
  if (drawn === 'picture') return picture ? { ...picture, legend: [], links: [] } : null
  if (drawn === 'figures' || drawn === 'table' || drawn === 'text') return null
  return drawChart({ ...section, drawn }, width / scale)
}

function draw(section: Section): void {
  const { title, definition, rowsBehind, drawn, rows } = section
  const isEmpty =
    drawn !== 'text' &&
    (section.table ? section.table.rows.length === 0 : (section.lines ?? [section]).every(hasNoFigure))
  const drawing = isEmpty ? null : drawingOf(section)
  const isLegendBelow = drawing !== null && drawing.legend.length > 0 && drawn !== 'pie'
  const height = heightOf(section, { drawing, isEmpty, isLegendBelow })
  const head = 40 + pdf.font('text').fontSize(9).heightOfString(definition, { width })
  if (pdf.y + head + Math.min(height, longestUnbroken) > bottom) {
    pdf.addPage()
    pdf.y = 48
  } else pdf.y += 16
  const part = pdf.struct('Sect', { title })
  root.add(part)
  const line = pdf.y
  write(part, 'H2', title, { size: 13, font: 'strong' })
  if (drawn === 'text') writeText(part, definition)
  else write(part, 'P', definition, { size: 9, colour: soft })
  if (rowsBehind) lead(part, rowsBehind, line + 5)
  const top = pdf.y + 4
  if (isEmpty) {
    pdf.y = top
    write(part, 'P', 'Aucune donnée pour cette sélection.', { size: 10, colour: soft })
  } else if (section.table) grid(part, section.table, top)
  else if (drawing) {
    paint(part, drawing, top)
    const below = top + scale * drawing.height
    const place = isLegendBelow
      ? { top: below, from: left }
      : { top, from: left + scale * drawing.width + 24 }
    if (drawing.legend.length > 0) table(part, drawing.legend.map(cellOfShare), { ...place, across: 1 })
    if (drawn === 'picture')
      table(part, rows.map(cellOfRow), { top: below, from: left, across: figuresAcross })
  } else if (drawn === 'figures') {
    const cells = rows.map((row) => ({ ...cellOfRow(row), values: [textOf(row, section.unit)] }))
    table(part, cells, { top, from: left, across: figuresAcross })
  }
  part.end()
  if (drawn !== 'text' && !section.table) pdf.y = top + height
}

function hasNoFigure({ rows }: Pick<Section, 'rows'>): boolean {
  return rows.every(({ value }) => value === null)
}

/** Returns the height in points of a section's body; one taller than a page is split between rows. */
function heightOf(
  { rows, table: grid, drawn }: Section,
  {
    drawing,
    isEmpty,
    isLegendBelow,
  }: { drawing: DrawnChart | null; isEmpty: boolean; isLegendBelow: boolean },
): number {
  if (isEmpty) return rowHeight
  if (grid) return rowHeight * (1 + grid.rows.length)
  if (drawn === 'text') return 0
  const listed = rowHeight * Math.ceil(rows.length / figuresAcross)
  if (!drawing) return listed
  const legend = drawing.legend.length * rowHeight
  const drawnHeight = scale * drawing.height
  if (drawn === 'picture') return drawnHeight + listed
  return isLegendBelow ? drawnHeight + legend : Math.max(drawnHeight, legend)
}

/** Writes a text, one structure element per paragraph. */
function writeText(parent: Structure, text: string): void {
  for (const paragraph of text.split(/\n+/)) {
    pdf.y += 3
    write(parent, 'P', paragraph, { size: 10 })
  }
}

/** Draws a table with its headings, which are repeated on each page. Text columns share the width left by figures. */
function grid(parent: Structure, drawn: DrawnTable, top: number): void {
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
    decorate(() => {
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
          .fillColor(tag === 'TH' || isFaint ? soft : ink)
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
      y = 48
    }
    line(cells, y, 'TD')
  }
  whole.end()
  pdf.y = y + rowHeight
}

/** Sets the scope attribute of a header cell (`Row` or `Column`). */
function setScope(header: Structure, scope: 'Row' | 'Column'): void {
  // The types of the package do not expose the attributes of a structure.
  const { dictionary } = header as unknown as { dictionary: { data: Record<string, unknown> } }
  dictionary.data.A = { O: 'Table', Scope: scope }
}

type Cell = {
  name: string
  values: readonly string[]
  colour?: string
  isFaint?: boolean | undefined
  /** Link to the list of what the first value counts. */
  href?: string | null | undefined
}

function cellOfRow({ name, value, text, isFaint, href }: Row): Cell {
  return { name, values: [text ?? textOf({ name, value }, '')], isFaint, href }
}

function cellOfShare({ name, value, share, colour, href }: DrawnChart['legend'][number]): Cell {
  return { name, colour, href, values: [value, share] }
}

type Place = { top: number; from: number; end: number }

/** Draws names and their values, each with its colour mark, `across` per line. */
function table(
  parent: Structure,
  cells: readonly Cell[],
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
      for (const each of cellOf(cell, place)) line.add(each)
    }
    line.end()
  }
  whole.end()
}

function cellOf({ name, values, colour, isFaint, href }: Cell, { top, from, end }: Place): Structure[] {
  decorate(() => {
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
      .fillColor(isFaint ? soft : ink)
    const x = from + (colour ? 14 : 0)
    pdf.text(name, x, top + 2, { width: end - x - values.length * column, height: 13, ellipsis: true })
  })
  setScope(header, 'Row')
  const data = values.map((value, at) => {
    const x = end - (values.length - at) * column
    const say = () => {
      pdf
        .font('strong')
        .fontSize(10)
        .fillColor(isFaint ? soft : ink)
      pdf.text(value, x, top + 2, { width: column, align: 'right', lineBreak: false })
      const said = pdf.widthOfString(value)
      return { x: x + column - said, y: top + 2, width: said, height: 13 }
    }
    if (!href || at > 0) return pdf.struct('TD', {}, say)
    return pdf.struct('TD', {}, [linkOf({ text: `${name}\u00a0: ${value}`, href }, say)])
  })
  return [header, ...data]
}

/** Paints the shapes of a chart; their unit is the screen pixel. */
function paint(parent: Structure, { shapes, alt, links }: DrawnChart, top: number): void {
  parent.add(
    pdf.struct('Figure', { alt }, () => {
      paintShapes(pdf, shapes, { x: left, y: top, scale })
    }),
  )
  for (const { text, href, ...box } of links) {
    const [x, y, width, height] = [box.x, box.y, box.width, box.height].map((each) => scale * each) as [
      number,
      number,
      number,
      number,
    ]
    parent.add(linkOf({ text, href }, () => ({ x: left + x, y: top + y, width, height })))
  }
}

function numberPages(): void {
  const { start, count } = pdf.bufferedPageRange()
  for (let page = start; page < start + count; page++) {
    pdf.switchToPage(page)
    pdf.page.margins.bottom = 0
    pdf.markContent('Artifact', { type: 'Pagination' })
    pdf.font('text').fontSize(8).fillColor(soft)
    pdf.text(`${title}. ${lines[0] ?? ''}`, left, 806, { width: width - 90, height: 10, ellipsis: true })
    pdf.text(`Page ${page + 1} sur ${count}`, left, 806, { width, align: 'right', lineBreak: false })
    pdf.endMarkedContent()
  }
}

function textOf({ value, text }: Row, unit: string): string {
  if (text) return text
  if (value === null) return 'N/A'
  if (unit === '%') return `${tenths.format(value)}\u00a0%`
  return unit ? `${whole.format(value)}\u00a0${unit}` : whole.format(value)
}
