import { expect, test } from 'vitest'
import { dayMs } from '#shared/days.ts'
import { dayNumber, dayText, dayTicks } from '#web/ui/charts/day-axis.ts'
import { lineSegments as cut, type LinePoint, parseSeries } from '#web/ui/charts/segments.ts'

const lineSegments = (points: LinePoint[], maxGapDays?: number) => cut(parseSeries(points), maxGapDays)
const point = (date: string, value: number | null = 1, isProvisional = false): LinePoint => ({
  date,
  value,
  isProvisional,
})

test('a missing day interrupts the line, and a single day is still drawn', () => {
  const segments = lineSegments([
    point('2026-01-01'),
    point('2026-01-02'),
    point('2026-01-04'),
    point('2026-01-06', null),
  ])
  expect(segments.map(({ dots }) => dots.length)).toEqual([2, 1])
})

test('a gap is longer than maxGapDays', () => {
  const weekly = [point('2026-01-01'), point('2026-01-08'), point('2026-01-16')]
  expect(lineSegments(weekly, 7).map(({ dots }) => dots.length)).toEqual([2, 1])
})

test('unordered points are sorted', () => {
  const [segment] = lineSegments([point('2026-01-02', 2), point('2026-01-01', 1)])
  expect(segment?.dots.map(({ value }) => value)).toEqual([1, 2])
})

test('a segment touching an estimate is dashed and stays attached to its neighbours', () => {
  const segments = lineSegments([
    point('2026-01-01'),
    point('2026-01-02'),
    point('2026-01-03', 1, true),
    point('2026-01-04'),
    point('2026-01-05'),
  ])
  expect(segments.map(({ isProvisional, dots }) => [isProvisional, dots.length])).toEqual([
    [false, 2],
    [true, 3],
    [false, 2],
  ])
})

test('ten thousand days become at most six hundred points and keep their gaps', () => {
  const days = Array.from({ length: 10_000 }, (_, index) => point(dayText(index), Math.sin(index)))
  const segments = lineSegments(days.filter((_, index) => index % 1000 !== 500))
  expect(segments).toHaveLength(11)
  expect(segments.reduce((sum, { dots }) => sum + dots.length, 0)).toBeLessThanOrEqual(600)
})

test('with more gaps than pixels there are dots, still at most six hundred', () => {
  const days = Array.from({ length: 3_000 }, (_, index) => point(dayText(index * 3), index))
  const segments = lineSegments(days)
  expect(segments).toHaveLength(600)
})

test('an axis shows days, months or years, no more than there is room for', () => {
  const day = (date: string) => Date.parse(date) / dayMs
  expect(
    dayTicks(day('2026-11-15'), day('2026-11-21'), { most: 4 }).map(({ text }) =>
      text.replace('\u00a0', ' '),
    ),
  ).toEqual(['15 nov.', '17 nov.', '19 nov.', '21 nov.'])
  const month = dayTicks(day('2026-10-23'), day('2026-11-21'), { most: 2 }).map(({ text }) =>
    text.replace('\u00a0', ' '),
  )
  expect(month).toEqual(['24 oct.', '21 nov.'])
  const weeks = dayTicks(day('2026-11-16'), day('2026-11-23'), { most: 8, isWeekly: true })
  expect(weeks.map(({ text }) => text.replace('\u00a0', ' '))).toEqual(['16 nov.', '23 nov.'])
  const year = dayTicks(day('2025-11-21'), day('2026-11-21'), { most: 7 }).map(({ text }) => text)
  expect(year).toEqual(['janv. 2026', 'mars', 'mai', 'juil.', 'sept.', 'nov.'])
  const narrow = (from: string, to: string) =>
    dayTicks(day(from), day(to), { most: 3 }).map(({ text }) => text)
  expect(narrow('2025-11-24', '2026-11-23')).toEqual(['2026', 'avr.', 'juil.', 'oct.'])
  expect(narrow('2025-09-15', '2026-09-10')).toEqual(['oct.', '2026', 'avr.', 'juil.'])
  // On a narrow chart of half a year, « juin 2026 » would overlap « juil. ».
  const halfYear = dayTicks(day('2026-05-25'), day('2026-11-23'), { most: 5 }).map(({ text }) => text)
  expect(halfYear).toEqual(['juin', 'juil.', 'août', 'sept.', 'oct.', 'nov.'])
  expect(
    dayTicks(day('2000-05-01'), day('2026-11-21'), { most: 6 }).every(({ text }) => /^\d{4}$/.test(text)),
  ).toBe(true)
})

test('days are numbered like the calendar, over leap years and centuries, and an invalid text has no number', () => {
  for (const day of [-719_162, -141_428, -1, 0, 58, 59, 789, 10_956, 11_016, 20_778, 47_540, 47_541]) {
    expect(dayNumber(dayText(day))).toBe(day)
  }
  expect(dayNumber('2024-02-29T23:30:00Z')).toBe(Date.UTC(2024, 1, 29) / dayMs)
  for (const text of ['', 'hier', '2026-13-01', '2026-00-10']) expect(dayNumber(text)).toBeNaN()
})
