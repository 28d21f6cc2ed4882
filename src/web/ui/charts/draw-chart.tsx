import type { ReactNode } from 'react'
import type { Chart, DrawnChart, Shape } from '#shared/drawing.ts'
import { formatCount, formatDate, formatPercent, formatTenths } from '#web/format.ts'
import { layOutBars } from '#web/ui/charts/bar-layout.ts'
import { BarPlot } from '#web/ui/charts/bar-plot.view.tsx'
import { parseAllSeries } from '#web/ui/charts/line-data.ts'
import { layOutLines } from '#web/ui/charts/line-layout.ts'
import { LinePlot } from '#web/ui/charts/line-plot.view.tsx'
import { PiePlot } from '#web/ui/charts/pie-plot.view.tsx'
import { pieSlices } from '#web/ui/charts/pie-slices.ts'
import { fills, strokes } from '#web/ui/charts/series-colours.ts'
import { colourOfClass, findDrawing, greyOf, shapesOf } from '#web/ui/charts/shapes.ts'
import { unitFormat } from '#web/ui/charts/unit-format.ts'
import { LogoMark } from '#web/ui/logo.view.tsx'

const lineHeight = 220

/**
 * Draws a chart for a document, with the layouts and views of the screen.
 *
 * @param width in CSS pixels
 */
export function drawChart(chart: Chart, width: number): DrawnChart {
  const drawn = drawColoured(chart, width)
  if (!chart.isFaint) return drawn
  const ink = (colour: string | null) => colour && greyOf(colour)
  return {
    ...drawn,
    shapes: drawn.shapes.map((shape) => ({ ...shape, fill: ink(shape.fill), stroke: ink(shape.stroke) })),
    legend: drawn.legend.map((share) => ({ ...share, colour: greyOf(share.colour) })),
  }
}

/** Returns the shapes of the logo, 32 px wide and high. */
export function drawMark(): readonly Shape[] {
  return drawingOf(<LogoMark />).shapes
}

function drawColoured(chart: Chart, width: number): DrawnChart {
  switch (chart.drawn) {
    case 'line':
    case 'weeks':
      return drawLine(chart, width)
    case 'bars':
      return drawBars(chart, width)
    case 'pie':
      return drawPie(chart)
  }
}

function drawLine(
  { drawn, title, unit, rows, lines = [{ name: title, rows }] }: Chart,
  width: number,
): DrawnChart {
  const isWeekly = drawn === 'weeks'
  const isOne = lines.length === 1
  const series = lines.map(({ name: label, rows: own }, at) => ({
    key: String(at),
    label,
    points: own.map(({ name, value, isFaint, isProvisional }) => ({
      date: name,
      value,
      isProvisional,
      isFaint,
    })),
  }))
  const write = isWeekly ? formatTenths : unitFormat(unit)
  const layout = layOutLines({
    data: parseAllSeries(series),
    width,
    height: lineHeight,
    formatValue: write,
    ...(isWeekly ? { maxGapDays: 7 } : isOne ? { area: true } : { maxGapDays: 14 }),
  })
  const alt = series
    .map(({ label, points }) => `${isOne ? '' : `${label}\u00a0: `}${descriptionOf(points, write)}`)
    .join(' ')
  return {
    ...drawingOf(<LinePlot layout={layout} unit={unit} />),
    alt,
    legend: isOne
      ? []
      : layout.lines.map(({ label, colour }, index) =>
          legendOfLine(label, colour, series[index]?.points ?? [], write),
        ),
  }
}

type Point = { date: string; value: number | null }

/** Describes a line for people who do not see it: « Courbe de 12 valeurs, du 3 nov. 2026 (2 400 FC) au … ». */
function descriptionOf(points: readonly Point[], write: (value: number) => string): string {
  const valued = points.flatMap(({ date, value }) => (value === null ? [] : [{ date, value }]))
  if (valued.length === 0) return 'Courbe sans valeur.'
  const values = valued.map(({ value }) => value)
  const said = (at: number) => {
    const point = valued.at(at)
    return point ? `${formatDate(point.date)} (${write(point.value)})` : ''
  }
  return `Courbe de ${formatCount(valued.length, 'valeur', 'valeurs')}, du ${said(0)} au ${said(-1)}\u202f; le plus bas ${write(Math.min(...values))}, le plus haut ${write(Math.max(...values))}.`
}

function legendOfLine(
  name: string,
  index: number,
  points: readonly Point[],
  write: (value: number) => string,
): DrawnChart['legend'][number] {
  const last = points.findLast(({ value }) => value !== null)
  return {
    name,
    colour: colourOfClass(strokes[index] ?? '') ?? '',
    value: last?.value == null ? '' : write(last.value),
    share: last ? formatDate(last.date) : '',
  }
}

function drawBars({ title, rows, nameLength, ...chart }: Chart, width: number): DrawnChart {
  const items = rows.map(({ name, value, ...row }) => ({ key: name, name, values: [value], ...row }))
  const layout = layOutBars({ items, width, formatValue: writeOf(chart), nameLength })
  const { thick: height } = layout
  return {
    // Links are listed separately: they add nothing to the drawing.
    ...drawingOf(<BarPlot title={title} layout={{ ...layout, bars: layout.bars.map(withoutLink) }} />),
    links: layout.bars.flatMap(({ href, name, y }) =>
      href ? [{ text: name, href, x: 0, y: y - height / 2, width, height }] : [],
    ),
  }
}

function withoutLink<Bar>({ href: _, ...bar }: Bar & { href?: string | null | undefined }) {
  return bar
}

function drawPie({ title, rows, nameLength, ...chart }: Chart): DrawnChart {
  const items = rows.map(({ name, value, href }) => ({
    key: name,
    name,
    value: value ?? 0,
    ...(href && { href }),
  }))
  const slices = pieSlices(items, nameLength)
  const write = writeOf(chart)
  return {
    ...drawingOf(<PiePlot title={title} slices={slices} />),
    legend: slices.map(({ label, value, part, href, colour }) => ({
      href,
      colour: colourOfClass(fills[colour] ?? '') ?? '',
      name: label,
      value: write(value),
      share: formatPercent(part * 100, false),
    })),
  }
}

function writeOf({ unit, one }: Pick<Chart, 'unit' | 'one'>): (value: number) => string {
  return one ? (value) => formatCount(value, one, unit) : unitFormat(unit)
}

function drawingOf(view: ReactNode): DrawnChart {
  const svg = findDrawing(view)
  if (!svg) throw new Error('a chart is drawn as svg')
  const [, , width = 0, height = 0] = String(svg.props.viewBox).split(' ').map(Number)
  const alt = svg.props['aria-label']
  return {
    width,
    height,
    shapes: shapesOf(svg.props.children),
    alt: alt ? String(alt) : '',
    legend: [],
    links: [],
  }
}
