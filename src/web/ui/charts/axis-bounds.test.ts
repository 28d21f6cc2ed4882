import { expect, test } from 'vitest'
import { axisBounds } from '#web/ui/charts/axis-bounds.ts'
import { dayText } from '#web/ui/charts/day-axis.ts'
import { parseAllSeries } from '#web/ui/charts/line-data.ts'
import { layOutLines } from '#web/ui/charts/line-layout.ts'

const read = (...lines: number[][]) =>
  parseAllSeries(
    lines.map((values, n) => ({
      key: String(n),
      label: `Marché ${n}`,
      points: values.map((value, day) => ({ date: dayText(20_000 + day), value })),
    })),
  )
const usual = Array.from({ length: 30 }, (_, day) => 2800 + 20 * (day % 7))
const withOne = (at: number, value: number) => usual.with(at, value)

test('one mistyped price, too high or too low, first, last or between, does not stretch the axis', () => {
  for (const [at, value] of [
    [12, 280_000],
    [0, 28_000],
    [29, 28],
    [12, 285],
  ] as const) {
    const bounds = axisBounds(read(withOne(at, value)))
    expect(bounds).toEqual({
      low: 2800,
      high: 2920,
      outside: [{ line: 0, day: 20_000 + at, value }],
    })
  }
})

test('each value counts against its own line: products of different prices keep their axis', () => {
  const dear = usual.map((value) => 20 * value)
  expect(axisBounds(read(usual, dear))).toEqual({ low: 2800, high: 58_400, outside: [] })
  const { outside, high } = axisBounds(read(usual, dear.with(3, 5_000_000)))
  expect([outside, high]).toEqual([[{ line: 1, day: 20_003, value: 5_000_000 }], 58_400])
})

test('what is not rare, or does not flatten the others, stays on the axis', () => {
  const doubled = usual.map((value, day) => (day < 20 ? value : 4 * value))
  for (const values of [doubled, withOne(3, 5600), [1, 2, 3, 100], [5, 5, 5, 5], [], [0, -4, 3, 9, 400, 2]])
    expect(axisBounds(read(values)).outside).toEqual([])
  // From zero on, a price that is too low flattens nothing, nor does one four times the others when these vary as much.
  expect(axisBounds(read(withOne(3, 28)), true).outside).toEqual([])
  expect(axisBounds(read([...usual, ...usual.map((value) => value * 2.5), 14_000])).outside).toEqual([])
})

test('an axis that ends after the last value leaves the days between blank', () => {
  const data = read([10, 20, 30])
  const laidOut = (until?: number) =>
    layOutLines({ data, until, width: 600, height: 300, formatValue: String })
  const last = data.days.at(-1) ?? 0
  const [plain, longer] = [laidOut(), laidOut(last + 20)]
  expect(plain.ends[0]?.x).toBe(plain.right)
  expect(longer.ends[0]?.x).toBeLessThan(longer.right / 2)
  expect(longer.xTicks.at(-1)?.x).toBe(longer.right)
  expect(laidOut(last - 1).ends[0]?.x).toBe(plain.right)
})

test('no value outside the axis is written over another, nor over its mark', () => {
  const rare = Array.from({ length: 8 }, () => usual).flat()
  for (const width of [230, 300, 600, 1100]) {
    const layout = layOutLines({
      data: read(rare.with(40, 280_000), rare.with(110, 49_500), rare.with(112, 52_000)),
      width,
      height: 300,
      formatValue: (value: number) => `${value} FC`,
    })
    const spaces = layout.outside.flatMap(({ x, space }) => [
      { from: x - 5, to: x + 5 },
      ...(space ? [space] : []),
    ])
    const inOrder = spaces.sort((a, b) => a.from - b.from)
    // The marks of two neighbouring days may touch.
    for (const [index, { to }] of inOrder.slice(0, -1).entries())
      expect(inOrder[index + 1]!.from).toBeGreaterThan(to - 10)
    expect(layout.outside.filter(({ space }) => space).length).toBeGreaterThan(0)
    for (const { from, to } of inOrder) expect([from > 0, to < width]).toEqual([true, true])
    if (width === 1100) expect(layout.outside.every(({ space }) => space)).toBe(true)
  }
})

test('a point outside is drawn at the edge, with its value; the lines stay within the frame', () => {
  const layout = layOutLines({
    data: read(withOne(12, 280_000), withOne(20, 28)),
    width: 600,
    height: 300,
    formatValue: String,
  })
  expect(layout.outside.map(({ label, text, isAbove }) => [label, text, isAbove])).toEqual([
    ['Marché 0', '280000', true],
    ['Marché 1', '28', false],
  ])
  for (const { solid } of layout.lines) {
    const heights = [...solid.matchAll(/,([\d.-]+)/g)].map(([, y]) => Number(y))
    expect(Math.min(...heights)).toBeGreaterThanOrEqual(layout.top - 12)
    expect(Math.max(...heights)).toBeLessThanOrEqual(layout.bottom + 0.1)
  }
})

test('ticks have texts of their own: short ones for large values, and as many digits as they need', () => {
  const ticksOf = (...values: number[]) =>
    layOutLines({ data: read(values), width: 600, height: 300, formatValue: String }).yTicks.map(
      ({ text }) => text,
    )
  expect(ticksOf(1_000_000, 4_000_000)).toContain('2\u00a0M')
  const [near, cheap] = [ticksOf(1_200_000, 1_260_000), ticksOf(1.2, 1.2012)]
  expect(near).toContain('1\u202f220\u202f000')
  expect(cheap).toContain('1,2005')
  for (const texts of [near, cheap]) expect(new Set(texts).size).toBe(texts.length)
})
