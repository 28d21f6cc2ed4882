// Thread that draws a report: A4 pages, each section with its heading, definition and chart. Content is tagged
// (headings, tables, a text for each curve) and decoration is marked as an artifact: PDF/UA, ISO 14289-1.

import { fileURLToPath } from 'node:url'
import { parentPort, workerData } from 'node:worker_threads'
import PDFDocument from 'pdfkit'
import { decorate, linkOf, pageMeasures, type Structure } from '#server/report/page.ts'
import { paintShapes } from '#server/report/paint-shapes.ts'
import { drawNameValues, drawTable, type NameValues } from '#server/report/tables.ts'
import type { Chart, DrawnChart, DrawnReport, Shape } from '#shared/drawing.ts'
import { palette } from '#shared/palette.ts'

type Section = DrawnReport['sections'][number]
type Row = Section['rows'][number]

type ViewsBundle = {
  drawChart: (chart: Chart, width: number) => DrawnChart
  drawMark: () => readonly Shape[]
}

const { report, bundle }: { report: DrawnReport; bundle: string } = workerData
const { title, lines, sections, madeAt } = report
// The charts are drawn by the views of the screen, which compute the layout.
const { drawChart, drawMark }: ViewsBundle = await import(bundle)
const { top: pageTop, left, width, bottom, rowHeight } = pageMeasures
const { ink, inkSoft, chart1: linkColour } = palette
/** Figures per line. */
const figuresAcross = 2
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
  margins: { top: pageTop, bottom: 36, left, right: left },
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
decorate(pdf, () => paintShapes(pdf, drawMark(), { x: left - 3, y: 44, scale }))
pdf.y = 47
write(root, 'P', 'Ntalo', { size: 13, font: 'strong', x: left + 26 })
pdf.y = 78
write(root, 'H1', title, { size: 20, font: 'strong' })
pdf.y += 6
for (const line of lines) write(root, 'P', line, { size: 10, colour: inkSoft })
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
function writeLink(parent: Structure, { text, href }: NonNullable<Section['rowsBehind']>, y: number): void {
  const line = pdf.struct('P')
  parent.add(line)
  const after = pdf.y
  const link = linkOf(pdf, { text, href }, () => {
    const wide = pdf.font('text').fontSize(9).widthOfString(text)
    const x = left + width - wide
    pdf.fillColor(linkColour).text(text, x, y, { lineBreak: false, underline: true })
    return { x, y, width: wide, height: pdf.currentLineHeight() }
  })
  line.add(link)
  line.end()
  pdf.y = after
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
    pdf.y = pageTop
  } else pdf.y += 16
  const part = pdf.struct('Sect', { title })
  root.add(part)
  const line = pdf.y
  write(part, 'H2', title, { size: 13, font: 'strong' })
  if (drawn === 'text') writeText(part, definition)
  else write(part, 'P', definition, { size: 9, colour: inkSoft })
  if (rowsBehind) writeLink(part, rowsBehind, line + 5)
  const top = pdf.y + 4
  if (isEmpty) {
    pdf.y = top
    write(part, 'P', 'Aucune donnée pour cette sélection.', { size: 10, colour: inkSoft })
  } else if (section.table) drawTable(pdf, part, section.table, top)
  else if (drawing) {
    paint(part, drawing, top)
    const below = top + scale * drawing.height
    const place = isLegendBelow
      ? { top: below, from: left }
      : { top, from: left + scale * drawing.width + 24 }
    if (drawing.legend.length > 0)
      drawNameValues(pdf, part, drawing.legend.map(valuesOfShare), { ...place, across: 1 })
    if (drawn === 'picture')
      drawNameValues(pdf, part, rows.map(valuesOfRow), { top: below, from: left, across: figuresAcross })
  } else if (drawn === 'figures') {
    const cells = rows.map((row) => ({ ...valuesOfRow(row), values: [textOf(row, section.unit)] }))
    drawNameValues(pdf, part, cells, { top, from: left, across: figuresAcross })
  }
  part.end()
  if (drawn !== 'text' && !section.table) pdf.y = top + height
}

function hasNoFigure({ rows }: Pick<Section, 'rows'>): boolean {
  return rows.every(({ value }) => value === null)
}

/** Returns the height in points of a section's body; one taller than a page is split between rows. */
function heightOf(
  { rows, table, drawn }: Section,
  {
    drawing,
    isEmpty,
    isLegendBelow,
  }: { drawing: DrawnChart | null; isEmpty: boolean; isLegendBelow: boolean },
): number {
  if (isEmpty) return rowHeight
  if (table) return rowHeight * (1 + table.rows.length)
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

function valuesOfRow({ name, value, text, isFaint, href }: Row): NameValues {
  return { name, values: [text ?? textOf({ name, value }, '')], isFaint, href }
}

function valuesOfShare({ name, value, share, colour, href }: DrawnChart['legend'][number]): NameValues {
  return { name, colour, href, values: [value, share] }
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
    parent.add(linkOf(pdf, { text, href }, () => ({ x: left + x, y: top + y, width, height })))
  }
}

function numberPages(): void {
  const { start, count } = pdf.bufferedPageRange()
  for (let page = start; page < start + count; page++) {
    pdf.switchToPage(page)
    pdf.page.margins.bottom = 0
    pdf.markContent('Artifact', { type: 'Pagination' })
    pdf.font('text').fontSize(8).fillColor(inkSoft)
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
