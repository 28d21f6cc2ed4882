import {
  block,
  type Course,
  drawCourse,
  drawPicture,
  hairline,
  ochre,
  river,
} from '#server/pictures/parts.ts'
import type { MailChart } from '#shared/mail.ts'
import { palette } from '#shared/palette.ts'

/** Twice the displayed size, for high-density screens. */
const size = { width: 1024, height: 380 }
const plot = { left: 0, top: 56, width: 1024, height: 260 }
const dash = 0.012

/** Draws the chart of a mail: a PNG of about 10 kB, displayed at half its size. */
export function drawMailChart({ course, level, labels }: MailChart): Promise<Buffer> {
  const dashes: Course =
    level === null
      ? []
      : Array.from({ length: Math.round(1 / (2 * dash)) }, (_, at) => [
          [2 * at * dash, level],
          [(2 * at + 1) * dash, level],
        ])
  return drawPicture(size, {
    layers: [
      { ...block({ width: size.width, height: 2 }, hairline), left: 0, top: plot.top + plot.height },
      { ...drawCourse(dashes, { ...plot, colour: ochre }), left: plot.left, top: plot.top },
      { ...drawCourse(course, { ...plot, colour: river }), left: plot.left, top: plot.top },
    ],
    texts: [
      { text: labels.range, size: 34, colour: palette.ink, width: 1000, left: 0, top: 8 },
      { text: labels.from, size: 30, colour: palette.inkSoft, width: 400, left: 0, top: 330 },
      { text: labels.to, size: 30, colour: palette.inkSoft, width: 200, left: size.width - 170, top: 330 },
    ],
  })
}
