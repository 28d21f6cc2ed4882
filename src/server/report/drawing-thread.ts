// The thread that draws a report: A4 pages, each section with its heading, its definition and its drawing. What is read
// is tagged (headings, tables, a text for each curve), what only decorates is not: PDF/UA, ISO 14289-1.

import { fileURLToPath } from 'node:url'
import { parentPort, workerData } from 'node:worker_threads'
import PDFDocument from 'pdfkit'
import type { DrawnReport } from '#server/report/report.ts'
import { linearScale, niceTicks } from '#shared/linear-scale.ts'

type Section = DrawnReport['sections'][number]
type Row = Section['rows'][number]
type Structure = ReturnType<typeof pdf.struct>

const { title, lines, sections }: DrawnReport = workerData
const ink = '#0f1a2a'
const soft = '#4d5868'
const rule = '#e3ded3'
const blue = '#0072b2'
const left = 48
const width = 595 - 2 * left
const bottom = 780
const rowHeight = 17
const lineHeight = 170
const dayMs = 86_400_000
const whole = new Intl.NumberFormat('fr-FR', { maximumFractionDigits: 1 })

const pdf = new PDFDocument({
  size: 'A4',
  margins: { top: 48, bottom: 36, left, right: left },
  lang: 'fr',
  displayTitle: true,
  tagged: true,
  pdfVersion: '1.7',
  // @ts-expect-error: its types do not know this subset yet
  subset: 'PDF/UA',
  info: { Title: title, Author: 'Ntalo', Subject: lines.join(' – ') },
  bufferPages: true,
})
const chunks: Uint8Array[] = []
pdf.on('data', (chunk: Uint8Array) => chunks.push(chunk))
pdf.on('end', () => parentPort?.postMessage(Buffer.concat(chunks)))

// The built-in fonts have no narrow space, and a document that anybody can read carries its own.
const regular = import.meta.resolve('@expo-google-fonts/source-sans-3/400Regular/SourceSans3_400Regular.ttf')
const semibold = import.meta.resolve(
  '@expo-google-fonts/source-sans-3/600SemiBold/SourceSans3_600SemiBold.ttf',
)
pdf.registerFont('text', fileURLToPath(regular))
pdf.registerFont('strong', fileURLToPath(semibold))

const root = pdf.struct('Document')
pdf.addStructure(root)
pdf.y = 44
decorate(() => pdf.rect(left, 48, 4, 34).fill(blue))
write(root, 'P', 'Ntalo', {
  size: 10,
  font: 'strong',
  colour: blue,
  x: left + 12,
})
write(root, 'H1', title, { size: 20, font: 'strong', x: left + 12 })
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

/** Draws what says nothing by itself. */
function decorate(paint: () => void): void {
  pdf.markContent('Artifact', { type: 'Layout' })
  paint()
  pdf.endMarkedContent()
}

function draw(section: Section): void {
  const { rows } = section
  const isEmpty = rows.every(({ value }) => value === null)
  const height = isEmpty ? rowHeight : section.drawn === 'line' ? lineHeight : rows.length * rowHeight
  const head = 40 + pdf.font('text').fontSize(9).heightOfString(section.definition, { width })
  if (pdf.y + head + height > bottom) {
    pdf.addPage()
    pdf.y = 48
  } else pdf.y += 16
  const part = pdf.struct('Sect', { title: section.title })
  root.add(part)
  write(part, 'H2', section.title, { size: 13, font: 'strong' })
  write(part, 'P', section.definition, { size: 9, colour: soft })
  const top = pdf.y + 4
  if (isEmpty) {
    pdf.y = top
    write(part, 'P', 'Aucune donnée pour cette sélection.', { size: 10, colour: soft })
  } else if (section.drawn === 'line') drawLine(part, section, top)
  else drawRows(part, section, top)
  part.end()
  pdf.y = top + height
}

function drawRows(parent: Structure, section: Section, top: number): void {
  const { rows, drawn } = section
  const from = left + 190
  const most = Math.max(1, ...rows.map(({ value }) => value ?? 0))
  const length = linearScale([0, most], [0, width - 270])
  const table = pdf.struct('Table')
  parent.add(table)
  for (const [index, row] of rows.entries()) {
    const y = top + index * rowHeight
    const bar = drawn === 'bars' ? length(row.value ?? 0) : 0
    decorate(() => {
      if (bar > 0) pdf.rect(from, y + 3, bar, rowHeight - 6).fill(blue)
      pdf
        .moveTo(left, y + rowHeight)
        .lineTo(left + width, y + rowHeight)
        .lineWidth(0.5)
        .stroke(rule)
    })
    const line = pdf.struct('TR')
    table.add(line)
    const name = pdf.struct('TH', {}, () => {
      pdf.font('text').fontSize(10).fillColor(ink)
      pdf.text(row.name, left, y + 2, { width: 180, height: 13, ellipsis: true })
    })
    // Nor do they know where a structure keeps its attributes.
    const { dictionary } = name as unknown as { dictionary: { data: Record<string, unknown> } }
    dictionary.data.A = { O: 'Table', Scope: 'Row' }
    line.add(name)
    line.add(
      pdf.struct('TD', {}, () => {
        pdf.font('strong').fontSize(10).fillColor(ink)
        pdf.text(textOf(row, section), from + bar + (bar > 0 ? 6 : 0), y + 2, { lineBreak: false })
      }),
    )
    line.end()
  }
  table.end()
}

/** Points of days one after the other are joined; a day without a value is a gap. */
function drawLine(parent: Structure, section: Section, top: number): void {
  const points = section.rows.flatMap(({ name, value }) =>
    value === null ? [] : [{ day: Date.parse(name) / dayMs, name, value }],
  )
  const values = points.map(({ value }) => value)
  const [first, last] = [points[0], points.at(-1)]
  if (!first || !last) return
  const ticks = niceTicks([Math.min(...values), Math.max(...values)], 4)
  const [lowest, highest] = [ticks[0] ?? 0, ticks.at(-1) ?? 1]
  const base = top + lineHeight - 24
  const x = linearScale([first.day, Math.max(last.day, first.day + 1)], [left + 64, left + width - 76])
  const y = linearScale([lowest, highest], [base, top + 12])
  const of = (value: number) => withUnit(whole.format(value), section.unit)
  const alt = `Courbe de ${points.length} jours, du ${dayText(first.name)} (${of(first.value)}) au ${dayText(last.name)} (${of(last.value)})\u202f; le plus bas ${of(Math.min(...values))}, le plus haut ${of(Math.max(...values))}.`
  parent.add(
    pdf.struct('Figure', { alt }, () => {
      pdf.font('text').fontSize(8)
      for (const tick of ticks) {
        pdf
          .moveTo(left + 64, y(tick))
          .lineTo(left + width - 76, y(tick))
          .lineWidth(0.5)
          .stroke(rule)
        pdf.fillColor(soft).text(of(tick), left, y(tick) - 5, { width: 58, align: 'right' })
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
        const isAlone = before?.day !== point.day - 1 && points[index + 1]?.day !== point.day + 1
        if (points.length <= 31 || isAlone) pdf.circle(x(point.day), y(point.value), 1.8).fill(blue)
      }
      const middle = points[points.length >> 1] ?? first
      for (const { day, name } of new Set([first, middle, last])) {
        pdf.fillColor(soft).text(dayText(name), x(day) - 45, base + 6, { width: 90, align: 'center' })
      }
      pdf
        .font('strong')
        .fillColor(ink)
        .text(of(last.value), x(last.day) + 6, y(last.value) - 5, { lineBreak: false })
    }),
  )
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

function textOf({ value, text }: Row, { unit, drawn }: Section): string {
  if (text) return text
  if (value === null) return 'N/A'
  return drawn === 'figures' ? withUnit(whole.format(value), unit) : whole.format(value)
}

function withUnit(figure: string, unit: string): string {
  return unit ? `${figure}\u00a0${unit}` : figure
}

/** `21 nov. 2026`, of `yyyy-mm-dd`. */
function dayText(day: string): string {
  return new Intl.DateTimeFormat('fr-FR', { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(day))
}
