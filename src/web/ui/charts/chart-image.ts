// Makes a PNG of a chart by painting its SVG onto a canvas. An <img> would need blob: or data: in the security policy's
// img-src, and would lose the styles of the style sheet.

type LegendEntry = { text: string; colour: string }
type Words = {
  title: string
  subtitle?: string
  legend: readonly LegendEntry[]
  source: string
  /** Whether the page shows the chart in grey. */
  isFaint: boolean
}

const scale = 2
const padding = 24
const lineHeight = 22
// In a narrower image, titles would have to be compressed.
const minWidth = 480

/** Paints the drawing below its title and above its legend and source. */
export async function chartImage(svg: SVGSVGElement, words: Words): Promise<Blob> {
  const box = svg.getBoundingClientRect()
  const width = Math.max(box.width, minWidth)
  const [ink, soft, background, font] = pageLook(svg)
  const canvas = document.createElement('canvas')
  const context = canvas.getContext('2d')
  if (!context) throw new Error('no 2d canvas')
  context.font = `13px ${font}`
  const legend = placeLegend(context, words.legend, width)
  const head = words.subtitle ? 58 : 40
  const foot = head + box.height + (legend.at(-1)?.y ?? -lineHeight) + lineHeight
  canvas.width = (width + padding * 2) * scale
  canvas.height = (foot + 24 + padding * 2) * scale
  context.scale(scale, scale)
  context.translate(padding, padding)
  context.font = `13px ${font}`
  for (const { text, colour, x, y } of legend) {
    context.fillStyle = colour
    context.fillRect(x, head + box.height + y + 7, 10, 10)
    context.fillStyle = ink
    context.fillText(text, x + 16, head + box.height + y + 17)
  }
  context.save()
  context.translate((width - box.width) / 2, head)
  for (const shape of svg.querySelectorAll<SVGGraphicsElement>('path, circle, rect, text'))
    paint(context, shape, svg)
  context.restore()
  if (words.isFaint) dropHues(context)
  write(context, words.title, 16, `600 16px ${font}`, ink, width)
  if (words.subtitle) write(context, words.subtitle, 36, `13px ${font}`, soft, width)
  write(context, words.source, foot + 20, `12px ${font}`, soft, width)
  // Paints the background behind what is already drawn, so that the drawing keeps its own colours.
  context.globalCompositeOperation = 'destination-over'
  context.fillStyle = background
  context.fillRect(-padding, -padding, canvas.width, canvas.height)
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no image'))), 'image/png')
  })
}

/** Returns the entries of a chart's legend, each with its colour. */
export function legendOf(svg: SVGSVGElement): LegendEntry[] {
  const entries = svg.closest('figure')?.querySelectorAll<HTMLElement>('[data-legend] > li') ?? []
  return [...entries].map((entry) => ({
    text: entry.innerText.replace(/\s*\n\s*/g, '   ').trim(),
    colour: entry.firstElementChild
      ? getComputedStyle(entry.firstElementChild).backgroundColor
      : 'transparent',
  }))
}

/** Lays out the entries of the legend on as many lines as needed. */
function placeLegend(context: CanvasRenderingContext2D, legend: readonly LegendEntry[], width: number) {
  let [x, y] = [0, 0]
  return legend.map((entry) => {
    const size = context.measureText(entry.text).width + 16
    if (x > 0 && x + size > width) {
      x = 0
      y += lineHeight
    }
    const placed = { ...entry, x, y }
    x += size + 24
    return placed
  })
}

function pageLook(svg: SVGSVGElement): [string, string, string, string] {
  const root = getComputedStyle(document.documentElement)
  const colour = (name: string) => root.getPropertyValue(name).trim()
  return [colour('--ink'), colour('--ink-soft'), colour('--surface'), getComputedStyle(svg).fontFamily]
}

/** Converts the image to grey by pixel, because Safari's canvas does not support `filter`. */
function dropHues(context: CanvasRenderingContext2D): void {
  const picture = context.getImageData(0, 0, context.canvas.width, context.canvas.height)
  const { data } = picture
  for (let at = 0; at < data.length; at += 4) {
    const light = 0.2126 * data[at]! + 0.7152 * data[at + 1]! + 0.0722 * data[at + 2]!
    data.fill(light, at, at + 3)
  }
  context.putImageData(picture, 0, 0)
}

function write(
  context: CanvasRenderingContext2D,
  text: string,
  y: number,
  font: string,
  colour: string,
  max: number,
) {
  context.font = font
  context.fillStyle = colour
  context.fillText(text, 0, y, max)
}

function paint(context: CanvasRenderingContext2D, shape: SVGGraphicsElement, svg: SVGSVGElement): void {
  const style = getComputedStyle(shape)
  const matrix = svg
    .getScreenCTM()
    ?.inverse()
    .multiply(shape.getScreenCTM() ?? new DOMMatrix())
  context.save()
  // Coordinates are those of the layout, but the image has the size shown on screen.
  const zoom = svg.getBoundingClientRect().width / (svg.viewBox.baseVal.width || 1)
  context.scale(zoom, zoom)
  context.translate(-svg.viewBox.baseVal.x, -svg.viewBox.baseVal.y)
  if (matrix) context.transform(matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f)
  context.globalAlpha = Number(style.opacity)
  if (shape instanceof SVGTextContentElement) {
    context.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`
    context.fillStyle = style.fill
    context.textAlign =
      style.textAnchor === 'end' ? 'right' : style.textAnchor === 'middle' ? 'center' : 'left'
    context.fillText(shape.textContent ?? '', number(shape, 'x'), number(shape, 'y'))
  } else {
    const path = outline(shape)
    if (style.fill !== 'none') {
      context.fillStyle = style.fill
      context.fill(path)
    }
    if (style.stroke !== 'none') {
      context.strokeStyle = style.stroke
      context.lineWidth = Number.parseFloat(style.strokeWidth)
      context.lineCap = lineCap(style.strokeLinecap)
      context.lineJoin = 'round'
      context.setLineDash((style.strokeDasharray.match(/[\d.]+/g) ?? []).map(Number))
      context.stroke(path)
    }
  }
  context.restore()
}

function outline(shape: SVGGraphicsElement): Path2D {
  if (shape instanceof SVGPathElement) return new Path2D(shape.getAttribute('d') ?? '')
  const path = new Path2D()
  if (shape instanceof SVGCircleElement)
    path.arc(number(shape, 'cx'), number(shape, 'cy'), number(shape, 'r'), 0, 7)
  else path.rect(number(shape, 'x'), number(shape, 'y'), number(shape, 'width'), number(shape, 'height'))
  return path
}

function lineCap(value: string): CanvasLineCap {
  return value === 'round' || value === 'square' ? value : 'butt'
}

function number(shape: Element, name: string): number {
  return Number(shape.getAttribute(name) ?? 0)
}
