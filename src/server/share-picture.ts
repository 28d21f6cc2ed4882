import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { createGate } from '#server/http/gate.ts'
import { timeLimits } from '#server/time-limits.ts'

/** What the picture of a link shows: a subject, its figure, what is said of it, its course and its source. */
export type SharePicture = {
  title: string
  figure: string
  note: string
  /** How it moved; its colour says rise or fall. */
  change: { text: string; tone: 'rise' | 'fall' | 'none' } | null
  /** Stretches of the course, each of [x, y] from 0 to 1, y upwards. */
  course: readonly (readonly (readonly [number, number])[])[]
  source: string
}

export const pictureSize = { width: 1200, height: 630 }

const ink = '#0f1a2a'
const soft = '#4d5868'
const river: Colour = [10, 90, 168]
const tones = { rise: '#b3261e', fall: '#17703c', none: soft }
const fonts = {
  regular: import.meta.resolve('@expo-google-fonts/source-sans-3/400Regular/SourceSans3_400Regular.ttf'),
  bold: import.meta.resolve('@expo-google-fonts/source-sans-3/600SemiBold/SourceSans3_600SemiBold.ttf'),
}
const names = { regular: 'Source Sans 3', bold: 'Source Sans 3 SemiBold' }
const left = 72
const across = pictureSize.width - 2 * left
const plot = { left: 600, top: 268, width: 528, height: 230 }
const longestTitle = 90

// Letters are drawn one picture after the other, in fair turns.
const { pictureTurn } = timeLimits
const turns = createGate({
  slots: 1,
  longestWaitMs: pictureTurn,
  burstWaitMs: pictureTurn,
  patienceMs: pictureTurn,
})

/** Draws the picture that messengers show of a link: PNG, 1200 × 630, some 40 kB. */
export function drawSharePicture(picture: SharePicture): Promise<Buffer> {
  return turns.run(async () => {
    const { title, figure, note, change, course, source } = picture
    const shown = title.length > longestTitle ? `${title.slice(0, longestTitle - 1).trimEnd()}…` : title
    const hasCourse = course.some((stretch) => stretch.length > 1)
    const room = hasCourse ? plot.left - left - 24 : across
    const texts: Written[] = [
      { text: 'Ntalo', size: 34, weight: 'bold', colour: '#0a5aa8', width: across, top: 48 },
      { text: shown, size: 46, weight: 'bold', colour: ink, width: across, top: 112 },
      {
        text: figure,
        size: figure.length > 10 ? 56 : 84,
        weight: 'bold',
        colour: ink,
        width: room,
        top: 262,
      },
      { text: note, size: 32, weight: 'regular', colour: soft, width: room, top: 372 },
      ...(change
        ? [
            {
              ...{ text: change.text, size: 36, weight: 'bold' as const },
              colour: tones[change.tone],
              width: room,
              top: 430,
            },
          ]
        : []),
      { text: source, size: 28, weight: 'regular', colour: soft, width: across, top: 560 },
    ]
    return sharp({ create: { ...pictureSize, channels: 3, background: '#ffffff' } })
      .composite([
        { ...block(pictureSize.width, 14, river), left: 0, top: 0 },
        ...(await Promise.all(texts.filter(({ text }) => text.trim() !== '').map(written))),
        ...(hasCourse ? [{ ...line(course), left: plot.left, top: plot.top }] : []),
        { ...block(across, 2, [227, 222, 211]), left, top: 536 },
      ])
      .png({ palette: true, colours: 128 })
      .toBuffer()
  })
}

type Colour = readonly [number, number, number]

/** A text, wrapped at a width in pixels; without a letter it cannot be drawn. */
type Written = {
  text: string
  size: number
  weight: keyof typeof fonts
  colour: string
  width: number
  top: number
}

async function written({ text, size, weight, colour, width, top }: Written) {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  const input = await sharp({
    text: {
      text: `<span foreground="${colour}">${escaped}</span>`,
      font: `${names[weight]} ${size}`,
      fontfile: fileURLToPath(fonts[weight]),
      ...{ rgba: true, dpi: 72, width },
    },
  })
    .png()
    .toBuffer()
  return { input, left, top }
}

function block(width: number, height: number, [r, g, b]: Colour) {
  return { input: { create: { width, height, channels: 3 as const, background: { r, g, b } } } }
}

const thickness = 5

/** The course as a line, drawn dot by dot: nothing that reads vector files is open to files of users. */
function line(course: SharePicture['course']) {
  const { width, height } = plot
  const dots = Buffer.alloc(width * height * 4)
  const at = ([x, y]: readonly [number, number]) =>
    [thickness + x * (width - 2 * thickness), thickness + (1 - y) * (height - 2 * thickness)] as const
  for (const stretch of course) {
    for (const [index, point] of stretch.entries()) {
      paint(dots, at(stretch[index - 1] ?? point), at(point))
    }
  }
  return { input: dots, raw: { width, height, channels: 4 as const } }
}

/** Covers the dots within half the thickness of a segment; those at the edge in part. */
function paint(dots: Buffer, from: readonly [number, number], to: readonly [number, number]): void {
  const { width, height } = plot
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]]
  const length = dx * dx + dy * dy
  const [lowX, highX] = [Math.min(from[0], to[0]) - thickness, Math.max(from[0], to[0]) + thickness]
  const [lowY, highY] = [Math.min(from[1], to[1]) - thickness, Math.max(from[1], to[1]) + thickness]
  for (let y = Math.max(0, Math.floor(lowY)); y < Math.min(height, highY); y++) {
    for (let x = Math.max(0, Math.floor(lowX)); x < Math.min(width, highX); x++) {
      const share = length === 0 ? 0 : ((x - from[0]) * dx + (y - from[1]) * dy) / length
      const near = Math.max(0, Math.min(1, share))
      const away = Math.hypot(x - from[0] - near * dx, y - from[1] - near * dy)
      const cover = Math.round(255 * Math.max(0, Math.min(1, thickness / 2 + 0.5 - away)))
      const place = 4 * (y * width + x)
      if (cover > (dots[place + 3] ?? 0)) dots.set([...river, cover], place)
    }
  }
}
