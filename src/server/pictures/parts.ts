import { fileURLToPath } from 'node:url'
import sharp, { type OverlayOptions, type Raw } from 'sharp'
import { createGate } from '#server/http/gate.ts'
import { timeLimits } from '#server/time-limits.ts'
import { palette } from '#shared/palette.ts'

/** Segments of a curve, each a list of [x, y] from 0 to 1, with y upwards. */
export type Course = readonly (readonly Point[])[]
type Point = readonly [number, number]
type Colour = readonly [number, number, number]

export const river = channelsOf(palette.river)
export const ochre: Colour = [176, 116, 14]
export const hairline = channelsOf(palette.line)

const fonts = {
  regular: import.meta.resolve('@expo-google-fonts/source-sans-3/400Regular/SourceSans3_400Regular.ttf'),
  bold: import.meta.resolve('@expo-google-fonts/source-sans-3/600SemiBold/SourceSans3_600SemiBold.ttf'),
}
const names = { regular: 'Source Sans 3', bold: 'Source Sans 3 SemiBold' }

// Text is drawn for one picture at a time, in fair order.
const { pictureTurn } = timeLimits
const turns = createGate({
  slots: 1,
  longestWaitMs: pictureTurn,
  burstWaitMs: pictureTurn,
  patienceMs: pictureTurn,
})

/** A text at a position, wrapped at a width in pixels; a blank text is skipped. */
type PictureText = {
  text: string
  size: number
  weight?: keyof typeof fonts
  colour: string
  width: number
  left: number
  top: number
}

type Layer = { input: OverlayOptions['input']; raw?: Raw; left: number; top: number }
type Size = { width: number; height: number }

/** Draws layers and texts on a white background; returns a PNG. */
export function drawPicture(
  size: Size,
  { layers, texts }: { layers: readonly Layer[]; texts: readonly PictureText[] },
): Promise<Buffer> {
  return turns.run(async () =>
    sharp({ create: { ...size, channels: 3, background: '#ffffff' } })
      .composite([
        ...layers,
        ...(await Promise.all(texts.filter(({ text }) => text.trim() !== '').map(write))),
      ])
      .png({ palette: true, colours: 128 })
      .toBuffer(),
  )
}

async function write({
  text,
  size,
  weight = 'regular',
  colour,
  width,
  left,
  top,
}: PictureText): Promise<Layer> {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  const input = await sharp({
    text: {
      text: `<span foreground="${colour}">${escaped}</span>`,
      font: `${names[weight]} ${size}`,
      fontfile: fileURLToPath(fonts[weight]),
      rgba: true,
      dpi: 72,
      width,
    },
  })
    .png()
    .toBuffer()
  return { input, left, top }
}

/** Returns the channels of a colour `#rrggbb`, each from 0 to 255. */
function channelsOf(colour: string): Colour {
  const value = Number.parseInt(colour.slice(1), 16)
  return [value >> 16, (value >> 8) & 255, value & 255]
}

export function block({ width, height }: Size, [r, g, b]: Colour) {
  return { input: { create: { width, height, channels: 3 as const, background: { r, g, b } } } }
}

const thickness = 5

type Plot = Size & { colour: Colour }

/** Draws a curve pixel by pixel; the SVG reader of the image library stays blocked, because users upload files. */
export function drawCourse(course: Course, plot: Plot) {
  const { width, height } = plot
  const dots = Buffer.alloc(width * height * 4)
  const at = ([x, y]: Point) =>
    [thickness + x * (width - 2 * thickness), thickness + (1 - y) * (height - 2 * thickness)] as const
  for (const stretch of course) {
    for (const [index, point] of stretch.entries()) {
      paint({ ...plot, dots }, at(stretch[index - 1] ?? point), at(point))
    }
  }
  return { input: dots, raw: { width, height, channels: 4 as const } }
}

/** Paints the pixels within half the line width of a segment, with antialiased edges. */
function paint({ dots, width, height, colour }: Plot & { dots: Buffer }, from: Point, to: Point): void {
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
      if (cover > (dots[place + 3] ?? 0)) dots.set([...colour, cover], place)
    }
  }
}
