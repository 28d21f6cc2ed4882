import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { layOutBars } from '#web/ui/charts/bar-layout.ts'
import { BarPlot } from '#web/ui/charts/bar-plot.view.tsx'
import { PiePlot } from '#web/ui/charts/pie-plot.view.tsx'
import { pieSlices } from '#web/ui/charts/pie-slices.ts'

const named = (names: string[]) => names.map((name, index) => ({ key: name, name, value: 10 - index }))
const count = (value: number) => `${value} relevés`

test('eight slices are unchanged, and of nine the two smallest are combined', () => {
  const eight = pieSlices(named(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']))
  expect(eight.map(({ name }) => name).join('')).toBe('abcdefgh')
  const nine = pieSlices(named(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i']))
  expect(nine).toHaveLength(8)
  expect(nine.at(-1)).toMatchObject({ name: 'Autres', value: 3 + 2 })
  // Eight colours in both cases, and the grey one is for the rest.
  expect(eight.map(({ colour }) => colour)).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
  expect(nine.map(({ colour }) => colour)).toEqual([0, 1, 2, 3, 4, 6, 7, 5])
})

test('slices fill the circle, largest first, and a zero value has none', () => {
  const slices = pieSlices([
    { key: 'a', name: 'A', value: 1 },
    { key: 'b', name: 'B', value: 0 },
    { key: 'c', name: 'C', value: 3 },
  ])
  expect(slices.map(({ name, from, part }) => [name, from, part])).toEqual([
    ['C', 0, 0.75],
    ['A', 0.75, 0.25],
  ])
})

test('a name longer than fifteen characters is cut, with the full name as its title', () => {
  const markup = renderToStaticMarkup(
    <PiePlot title="Par marque" slices={pieSlices(named(['Huilerie des Grands Lacs']))} />,
  )
  expect(markup).toContain('title="Huilerie des Grands Lacs"')
  expect(markup).toContain('>Huilerie des Gr…</span>')
  expect(markup).toMatch(/role="img" aria-label="Par marque\u00a0: Huilerie des Grands Lacs 100,0/)
  expect(pieSlices(named(['Huilerie des Grands Lacs']), 12)[0]?.label).toBe('Huilerie des…')
})

test('bars start at zero, their lengths are their values, and the longest leaves room for its figure', () => {
  const items = [100, 50, 0, null].map((value, index) => ({
    key: String(index),
    name: `Marché ${index}`,
    values: [value],
  }))
  const { bars, left, width } = layOutBars({ items, width: 480, formatValue: count })
  const widths = bars.map(({ parts }) => parts[0]?.width ?? Number.NaN)
  expect(widths[1]).toBeCloseTo((widths[0] ?? 0) / 2)
  expect(widths.slice(2)).toEqual([0, 0])
  expect(left + (widths[0] ?? 0) + '100 relevés'.length * 6.9).toBeLessThanOrEqual(width)
  expect(bars.at(-1)?.parts[0]?.text).toBe('—')
})

test('bars without links are a picture with a text alternative, and bars with links a group of links', () => {
  const item = { key: 'a', name: 'Gambela', values: [12, 9] }
  const layoutOf = (items: Parameters<typeof layOutBars>[0]['items']) =>
    layOutBars({ items, width: 320, formatValue: count })
  const picture = renderToStaticMarkup(
    <BarPlot title="Par marché" labels={['Maintenant', 'Avant']} layout={layoutOf([item])} />,
  )
  expect(picture).toContain('role="img" aria-label="Par marché\u00a0: Gambela 12 relevés / 9 relevés"')
  expect(picture).toContain('Maintenant')
  const linked = renderToStaticMarkup(
    <BarPlot title="Par marché" layout={layoutOf([{ ...item, href: '/markets/3' }])} />,
  )
  expect(linked).toContain('role="group" aria-label="Par marché"')
  expect(linked).toContain('<a href="/markets/3">')
  // Public pages forbid inline styles.
  expect(picture + linked).not.toContain('style=')
})

test('the slice of all others leads to the table that contains them, every other to its rows', () => {
  const items = Array.from({ length: 12 }, (_, n) => ({
    key: String(n),
    name: `Marque ${n}`,
    value: 20 - n,
    href: `/products?brandId=${n}`,
  }))
  const markup = renderToStaticMarkup(
    <PiePlot
      title="Produits"
      slices={pieSlices(items)}
      renderOthers={(name) => <button type="button">{name}</button>}
    />,
  )
  expect(markup.match(/<button[^>]*>(.*?)<\/button>/g)).toHaveLength(1)
  expect(markup).toMatch(/<button[^>]*>Autres/)
  expect(markup.match(/<a href="\/products\?brandId=\d"/g)).toHaveLength(7)
})
