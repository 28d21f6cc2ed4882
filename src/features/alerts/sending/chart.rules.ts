import { dayInFrench } from '#shared/days.ts'
import type { MailChart } from '#shared/mail.ts'
import { moneyText } from '#shared/money.ts'
import { smallCurve } from '#shared/small-curve.ts'

/** The series of an alert, with the mean of each day in CDF, oldest first. */
export type RungSeries = {
  subject: string
  /** In CDF for an alert on a level; otherwise null. */
  threshold: number | null
  points: { date: string; value: number }[]
}

/** The text alternative has at most 500 characters, of which dates and amounts take fewer than 200. */
const longestSubject = 300

/** Returns the chart of a mail: the mean of each day, and the threshold; undefined with fewer than two days. */
export function chartOf({ subject: named, threshold, points }: RungSeries): MailChart | undefined {
  const subject = named.slice(0, longestSubject)
  const [first, last] = [points[0], points.at(-1)]
  const curve = smallCurve(points, threshold)
  if (!first || !last || !curve) return undefined
  const { segments, level, lowest, highest } = curve
  const money = (cdf: number) => moneyText(Math.round(cdf), 'CDF')
  const range = `${money(lowest)} à ${money(highest)}`
  const isShown = threshold !== null && level !== null
  const [from, to] = [dayInFrench(first.date), dayInFrench(last.date)]
  return {
    alt: `${subject}, du ${from} au ${to}\u00a0: de ${range}${isShown ? `\u202f; seuil de ${money(threshold)}` : ''}, ${money(last.value)} à la fin.`,
    course: segments.slice(-60),
    level,
    labels: {
      range: `${subject}\u00a0: ${money(last.value)}${isShown ? `, seuil ${money(threshold)}` : ''}`.slice(
        0,
        100,
      ),
      from,
      to,
    },
  }
}
