import { block, type Course, drawCourse, drawPicture, hairline, river } from '#server/pictures/parts.ts'
import { palette } from '#shared/palette.ts'

/** Content of the preview picture of a link: subject, figure, comment, curve and source. */
type SharePicture = {
  title: string
  figure: string
  note: string
  /** Change of the figure; `tone` chooses the colour. */
  change: { text: string; tone: 'rise' | 'fall' | 'none' } | null
  course: Course
  source: string
}

const size = { width: 1200, height: 630 }
const tones = { rise: palette.red, fall: palette.green, none: palette.inkSoft }
const left = 72
const across = size.width - 2 * left
const plot = { left: 600, top: 268, width: 528, height: 230 }
const longestTitle = 90
/** Longest figure, in characters, that fits in the largest font size. */
const longestFigure = 10

/** Draws the preview picture that messengers show for a link: a PNG of 1200 × 630, about 40 kB. */
export function drawSharePicture({
  title,
  figure,
  note,
  change,
  course,
  source,
}: SharePicture): Promise<Buffer> {
  const shown = title.length > longestTitle ? `${title.slice(0, longestTitle - 1).trimEnd()}…` : title
  const hasCourse = course.some((stretch) => stretch.length > 1)
  const room = hasCourse ? plot.left - left - 24 : across
  const figureSize = figure.length > longestFigure ? 56 : 84
  return drawPicture(size, {
    layers: [
      { ...block({ width: size.width, height: 14 }, river), left: 0, top: 0 },
      ...(hasCourse
        ? [{ ...drawCourse(course, { ...plot, colour: river }), left: plot.left, top: plot.top }]
        : []),
      { ...block({ width: across, height: 2 }, hairline), left, top: 536 },
    ],
    texts: [
      { text: 'Ntalo', size: 34, weight: 'bold', colour: palette.river, width: across, left, top: 48 },
      { text: shown, size: 46, weight: 'bold', colour: palette.ink, width: across, left, top: 112 },
      { text: figure, size: figureSize, weight: 'bold', colour: palette.ink, width: room, left, top: 262 },
      { text: note, size: 32, colour: palette.inkSoft, width: room, left, top: 372 },
      {
        text: change?.text ?? '',
        size: 36,
        weight: 'bold',
        width: room,
        left,
        top: 430,
        colour: tones[change?.tone ?? 'none'],
      },
      { text: source, size: 28, colour: palette.inkSoft, width: across, left, top: 560 },
    ],
  })
}
