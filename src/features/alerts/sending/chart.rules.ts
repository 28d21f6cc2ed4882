import { dayInFrench, dayMs } from '#shared/days.ts'
import { linearScale } from '#shared/linear-scale.ts'
import type { MailChart } from '#shared/mail.ts'
import { moneyText } from '#shared/money.ts'

/** The series of an alert, with the mean of each day in CDF, oldest first. */
export type RungSeries = {
  subject: string
  /** In CDF, of an alert on a level; else null. */
  threshold: number | null
  points: { date: string; value: number }[]
}

/** A longer silence is a gap in the line. */
const longestGapMs = 14 * dayMs
const widest = 3

/** The chart of a mail: the mean of each day, and the threshold; undefined where there are not two days to draw. */
export function chartOf({ subject, threshold, points }: RungSeries): MailChart | undefined {
  const [first, last] = [points[0], points.at(-1)]
  if (!first || !last || points.length < 2) return undefined
  const values = points.map(({ value }) => value)
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted[sorted.length >> 1] ?? 0
  // A slip of a digit must not flatten the rest: it stands at the edge.
  const isNear = (value: number) => value > middle / widest && value < widest * middle
  const near = values.filter(isNear)
  const level = threshold !== null && isNear(threshold) ? threshold : null
  const [low, high] = [Math.min(...near, level ?? Infinity), Math.max(...near, level ?? -Infinity)]
  const x = linearScale([Date.parse(first.date), Date.parse(last.date)], [0, 1])
  const inside = linearScale([low, high], [0.04, 0.96])
  const y = (value: number) => Math.max(0, Math.min(1, low === high ? 0.5 : inside(value)))
  const course: [number, number][][] = []
  let before = Number.NEGATIVE_INFINITY
  for (const { date, value } of points) {
    const at = Date.parse(date)
    if (at - before > longestGapMs) course.push([])
    course.at(-1)?.push([x(at), y(value)])
    before = at
  }
  const money = (cdf: number) => moneyText(Math.round(cdf), 'CDF')
  const range = `${money(Math.min(...near))} à ${money(Math.max(...near))}`
  const [from, to] = [dayInFrench(first.date), dayInFrench(last.date)]
  return {
    alt: `${subject}, du ${from} au ${to}\u00a0: de ${range}${level === null ? '' : `\u202f; seuil de ${money(level)}`}, ${money(last.value)} à la fin.`,
    course: course.slice(-60),
    level: level === null ? null : y(level),
    labels: {
      range: `${subject}\u00a0: ${money(last.value)}${level === null ? '' : `, seuil ${money(level)}`}`.slice(
        0,
        100,
      ),
      from,
      to,
    },
  }
}
