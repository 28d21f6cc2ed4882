import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { Chart } from '#shared/drawing.ts'
import { formatCount } from '#web/format.ts'
import { layOutBars } from '#web/ui/charts/bar-layout.ts'
import { BarPlot } from '#web/ui/charts/bar-plot.view.tsx'
import { drawChart, drawMark } from '#web/ui/charts/draw-chart.tsx'
import { PiePlot } from '#web/ui/charts/pie-plot.view.tsx'
import { pieSlices } from '#web/ui/charts/pie-slices.ts'

const rows = [
  { name: 'Gambela', value: 30 },
  { name: 'Marché de la Liberté', value: 1, isFaint: true },
]
const chart = (drawn: Chart['drawn']): Chart => ({
  drawn,
  title: 'Relevés',
  unit: 'relevés',
  one: 'relevé',
  rows,
})
const write = (value: number) => formatCount(value, 'relevé', 'relevés')
const attributes = (markup: string, name: string) =>
  [...markup.matchAll(new RegExp(` ${name}="([^"]*)"`, 'g'))].map(([, value]) => value)

test('bars and rings drawn in documents equal those of the screen, with their texts', () => {
  const layout = layOutBars({
    items: rows.map(({ name, value, isFaint }) => ({ key: name, name, values: [value], isFaint })),
    width: 600,
    formatValue: write,
  })
  const bars = renderToStaticMarkup(<BarPlot title="Relevés" layout={layout} />)
  const drawn = drawChart(chart('bars'), 600)
  expect(drawn).toMatchObject({ width: layout.width, height: layout.height })
  const rects = drawn.shapes.filter((shape) => shape.kind === 'rect')
  expect(rects.map(({ height }) => String(height))).toEqual(attributes(bars, 'height').slice(0, rects.length))
  expect(new Set(rects.map(({ fill }) => fill))).toEqual(new Set(['#0072b2', '#86888c']))
  expect(drawn.shapes.flatMap((shape) => (shape.kind === 'text' ? [shape.text] : []))).toEqual([
    'Gambela',
    '30 relevés',
    'Marché de la Li…',
    '1 relevé',
  ])
  expect(drawn.alt).toBe('Relevés\u00a0: Gambela 30 relevés, Marché de la Liberté 1 relevé')

  const ring = drawChart(chart('pie'), 600)
  const markup = renderToStaticMarkup(
    <PiePlot title="Relevés" slices={pieSlices(rows.map((row) => ({ ...row, key: row.name })))} />,
  )
  expect(ring.shapes.map((shape) => shape.kind === 'path' && shape.d)).toEqual(attributes(markup, 'd'))
  expect(ring.legend).toEqual([
    { colour: '#0072b2', name: 'Gambela', value: '30 relevés', share: '96,8\u00a0%' },
    { colour: '#d55e00', name: 'Marché de la Li…', value: '1 relevé', share: '3,2\u00a0%' },
  ])
})

test('a line drawn in documents has gaps, hollow thin days, and a sentence as its alternative', () => {
  const days = ['2026-03-01', '2026-03-02', '2026-03-05', '2026-03-06']
  const { shapes, alt } = drawChart(
    {
      drawn: 'line',
      title: 'Prix moyen par jour',
      unit: 'FC',
      rows: days.map((name, i) => ({ name, value: 1000 + 10 * i, isFaint: i === 3 })),
    },
    600,
  )
  const paths = shapes.filter((shape) => shape.kind === 'path')
  const line = paths.find(({ stroke, width, d }) => stroke === '#0072b2' && width === 2 && d.includes('L'))
  expect(line?.d.match(/M/g)).toHaveLength(2)
  expect(paths.filter(({ stroke, width }) => stroke === '#ffffff' && width === 4)).toHaveLength(1)
  expect(paths.filter(({ opacity }) => opacity === 0.12)).toHaveLength(1)
  expect(alt).toMatch(/^Courbe de 4 valeurs, du 1\smars\s2026 \(1\s000\sFC\) au 6\smars\s2026 \(1\s030\sFC\)/)
})

test('the alternative of a line counts its values, one or none', () => {
  const altOf = (values: (number | null)[]) =>
    drawChart(
      {
        drawn: 'line',
        title: 'Riz',
        unit: 'FC',
        rows: values.map((value, i) => ({ name: `2026-03-0${i + 1}`, value })),
      },
      600,
    ).alt
  expect(altOf([1000])).toMatch(/^Courbe de 1 valeur, /)
  expect(altOf([null, null])).toBe('Courbe sans valeur.')
})

test('thin figures are drawn in grey, as light as their colours', () => {
  for (const drawn of ['line', 'bars', 'pie'] as const) {
    const days = rows.map((row, i) => ({ ...row, name: `2026-03-0${i + 1}` }))
    const one = { ...chart(drawn), ...(drawn === 'line' && { rows: days }) }
    const coloursOf = ({ shapes, legend }: ReturnType<typeof drawChart>) =>
      [...shapes.flatMap(({ fill, stroke }) => [fill, stroke]), ...legend.map(({ colour }) => colour)].filter(
        (colour) => colour !== null,
      )
    expect(coloursOf(drawChart(one, 600))).toContain('#0072b2')
    const grey = coloursOf(drawChart({ ...one, isFaint: true }, 600))
    expect(grey).toContain('#5e5e5e')
    for (const colour of grey) expect(colour).toMatch(/^#(..)\1\1$/)
  }
})

test('the logo of a document has the shapes and the light colours of the one on screen', () => {
  expect(drawMark().map(({ kind, fill, stroke }) => [kind, fill, stroke])).toEqual([
    ['path', '#0a5aa8', null],
    ['path', null, '#ffffff'],
    ['circle', '#ffffff', '#d7962a'],
  ])
})
