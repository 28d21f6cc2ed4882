// The thread that draws a report: A4 pages, each section with its heading, its definition and its drawing.

import { parentPort, workerData } from 'node:worker_threads'
import PDFDocument from 'pdfkit'
import type { DrawnReport } from '#server/report/report.ts'

type Section = DrawnReport['sections'][number]

const { title, lines, sections }: DrawnReport = workerData
const ink = '#0f1a2a'
const soft = '#4d5868'
const rule = '#e3ded3'
const blue = '#0072b2'
const left = 48
const width = 595 - 2 * left
const bottom = 790
const rowHeight = 18
const lineHeight = 150
const headHeight = 52
const dayMs = 86_400_000

const pdf = new PDFDocument({
  size: 'A4',
  margins: { top: 48, bottom: 36, left, right: left },
  lang: 'fr',
  displayTitle: true,
  info: { Title: title, Author: 'Ntalo' },
  bufferPages: true,
})
const chunks: Uint8Array[] = []
pdf.on('data', (chunk: Uint8Array) => chunks.push(chunk))
pdf.on('end', () => parentPort?.postMessage(Buffer.concat(chunks)))

pdf.font('Helvetica-Bold').fontSize(11).fillColor(blue).text('Ntalo', left, 48)
write(title, 20, 'Helvetica-Bold', ink)
for (const line of lines) write(line, 10, 'Helvetica', soft)
pdf.moveDown(0.5)
for (const section of sections) draw(section)
numberPages()
pdf.end()

function write(text: string, size: number, font: string, colour: string): void {
  pdf.font(font).fontSize(size).fillColor(colour).text(printable(text), left, undefined, { width })
}

function draw(section: Section): void {
  const { rows } = section
  const height = section.drawn === 'line' ? lineHeight : Math.max(1, rows.length) * rowHeight
  if (pdf.y + headHeight + height > bottom) pdf.addPage()
  pdf.moveDown(0.8)
  write(section.unit ? `${section.title} (${section.unit})` : section.title, 13, 'Helvetica-Bold', ink)
  write(section.definition, 9, 'Helvetica', soft)
  const top = pdf.y + 6
  if (rows.every(({ value }) => value === null)) {
    pdf.font('Helvetica').fontSize(10).fillColor(soft).text('Aucune donnée disponible', left, top)
  } else if (section.drawn === 'line') drawLine(section, top)
  else drawRows(section, top)
  pdf.y = top + height
}

function drawRows({ rows, drawn }: Section, top: number): void {
  const most = Math.max(1, ...rows.map(({ value }) => value ?? 0))
  const from = left + 170
  for (const [index, { name, value }] of rows.entries()) {
    const y = top + index * rowHeight
    pdf.font('Helvetica').fontSize(10).fillColor(ink)
    pdf.text(printable(name), left, y + 4, { width: 160, height: 12, ellipsis: true })
    const length = drawn === 'bars' ? ((value ?? 0) / most) * (width - 250) : 0
    if (length > 0) pdf.rect(from, y + 2, length, rowHeight - 6).fill(blue)
    pdf
      .font('Helvetica-Bold')
      .fillColor(ink)
      .text(figure(value), from + length + (length > 0 ? 6 : 0), y + 4, { lineBreak: false })
    pdf
      .moveTo(left, y + rowHeight)
      .lineTo(left + width, y + rowHeight)
      .lineWidth(0.5)
      .stroke(rule)
  }
}

/** Points of days one after the other are joined; a day without a value is a gap. */
function drawLine({ rows }: Section, top: number): void {
  const points = rows.flatMap(({ name, value }) =>
    value === null ? [] : [{ day: Date.parse(name) / dayMs, name, value }],
  )
  const most = Math.max(...points.map(({ value }) => value))
  const [first, last] = [points[0], points.at(-1)]
  if (!first || !last) return
  const base = top + lineHeight - 24
  const x = (day: number) =>
    left + 60 + ((day - first.day) / Math.max(1, last.day - first.day)) * (width - 140)
  const y = (value: number) => base - (value / most) * (lineHeight - 44)
  pdf.font('Helvetica').fontSize(8).fillColor(soft)
  for (const part of [0, 0.5, 1]) {
    pdf
      .moveTo(left + 60, y(most * part))
      .lineTo(left + width - 80, y(most * part))
      .lineWidth(0.5)
      .stroke(rule)
    pdf
      .fillColor(soft)
      .text(figure(Math.round(most * part)), left, y(most * part) - 4, { width: 52, align: 'right' })
  }
  for (const [index, point] of points.entries()) {
    const before = points[index - 1]
    if (before && point.day - before.day === 1) {
      pdf
        .moveTo(x(before.day), y(before.value))
        .lineTo(x(point.day), y(point.value))
        .lineWidth(1.5)
        .stroke(blue)
    }
    if (points.length <= 31) pdf.circle(x(point.day), y(point.value), 1.8).fill(blue)
  }
  for (const { day, name } of first === last ? [first] : [first, last]) {
    pdf
      .fillColor(soft)
      .text(name.split('-').reverse().join('/'), x(day) - 30, base + 6, { width: 60, align: 'center' })
  }
  pdf
    .font('Helvetica-Bold')
    .fillColor(ink)
    .text(figure(last.value), x(last.day) + 6, y(last.value) - 4, { lineBreak: false })
}

function numberPages(): void {
  const { start, count } = pdf.bufferedPageRange()
  for (let page = start; page < start + count; page++) {
    pdf.switchToPage(page)
    pdf.page.margins.bottom = 0
    pdf.font('Helvetica').fontSize(8).fillColor(soft)
    pdf.text(`Page ${page + 1} sur ${count}`, left, 812, { width, align: 'right', lineBreak: false })
  }
}

function figure(value: number | null): string {
  return value === null
    ? 'N/A'
    : printable(new Intl.NumberFormat('fr-FR', { maximumFractionDigits: 1 }).format(value))
}

/** The built-in fonts have no narrow space. */
function printable(text: string): string {
  return text.replaceAll('\u202f', '\u00a0')
}
