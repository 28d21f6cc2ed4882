import { expect, test } from 'vitest'
import { chartOf } from '#features/alerts/sending/chart.rules.ts'

const subject = 'Riz local, 1 kg à Virunga, Goma'
const day = (n: number) => `2026-03-${String(n).padStart(2, '0')}`

test('the chart of a price has its threshold, and a gap where no price was collected for more than two weeks', () => {
  const points = [
    { date: day(1), value: 2_000 },
    { date: day(3), value: 2_100 },
    { date: day(20), value: 2_450 },
    { date: day(21), value: 2_400 },
  ]
  const chart = chartOf({ subject, threshold: 2_400, points })
  expect(chart?.course.map((stretch) => stretch.length)).toEqual([2, 2])
  expect(chart?.course[0]?.[0]).toEqual([0, 0.04])
  expect(chart?.course[1]?.at(-1)?.[0]).toBe(1)
  expect(chart?.level).toBe(chart?.course[1]?.at(-1)?.[1])
  expect(chart?.alt.replaceAll(/[\u00a0\u202f]/g, ' ')).toBe(
    'Riz local, 1 kg à Virunga, Goma, du 1 mars 2026 au 21 mars 2026 : de 2 000 FC à 2 450 FC ; seuil de 2 400 FC, 2 400 FC à la fin.',
  )
})

test('a typing error is drawn at the edge and does not flatten the curve; one day draws nothing', () => {
  const points = [1, 2, 3, 4].map((n) => ({ date: day(n), value: n === 3 ? 24_000 : 2_000 + 100 * n }))
  const chart = chartOf({ subject, threshold: null, points })
  expect(chart?.course[0]?.map(([, y]) => y)).toEqual([0.04, expect.closeTo(0.347, 2), 1, 0.96])
  expect(chart?.level).toBeNull()
  expect(chartOf({ subject, threshold: null, points: points.slice(0, 1) })).toBeUndefined()
})

test('names of any length make a text alternative that a mail accepts', () => {
  const points = [1, 2].map((n) => ({ date: day(n), value: 999_999_999_999 }))
  const chart = chartOf({ subject: 'é'.repeat(720), threshold: 999_999_999_999, points })
  expect(chart?.alt.length).toBeLessThanOrEqual(500)
})

test('a price that never moved is a line in the middle', () => {
  const points = [1, 2].map((n) => ({ date: day(n), value: 500 }))
  expect(chartOf({ subject, threshold: null, points })?.course).toEqual([
    [
      [0, 0.5],
      [1, 0.5],
    ],
  ])
})
