import type { Pdf } from '#server/report/page.ts'
import type { Shape } from '#shared/drawing.ts'
import { palette } from '#shared/palette.ts'

/** Paints shapes (in screen pixels) in a document with the fonts `text` and `strong`; `scale`: points per pixel. */
export function paintShapes(
  pdf: Pdf,
  shapes: readonly Shape[],
  { x, y, scale }: { x: number; y: number; scale: number },
): void {
  pdf.save().translate(x, y).scale(scale)
  for (const shape of shapes) {
    pdf.save().opacity(shape.opacity).lineCap('round').lineJoin('round')
    paintShape(pdf, shape)
    pdf.restore()
  }
  pdf.restore()
}

function paintShape(pdf: Pdf, shape: Shape): void {
  if (shape.kind === 'text') {
    const { text, x, y, size, isStrong, anchor, fill } = shape
    pdf
      .font(isStrong ? 'strong' : 'text')
      .fontSize(size)
      .fillColor(fill ?? palette.ink)
    const back = anchor === 'start' ? 0 : pdf.widthOfString(text) / (anchor === 'end' ? 1 : 2)
    pdf.text(text, x - back, y, { baseline: 'alphabetic', lineBreak: false })
    return
  }
  if (shape.kind === 'path') {
    if (shape.dash.length > 1) pdf.dash(shape.dash[0] ?? 1, { space: shape.dash[1] ?? 1 })
    pdf.path(shape.d)
  } else if (shape.kind === 'circle') pdf.circle(shape.x, shape.y, shape.radius)
  else pdf.roundedRect(shape.x, shape.y, shape.width, shape.height, Math.min(2, shape.width / 2))
  if (shape.kind !== 'rect') pdf.lineWidth(shape.width)
  if (shape.fill && shape.stroke) pdf.fillAndStroke(shape.fill, shape.stroke)
  else if (shape.fill) pdf.fill(shape.fill)
  else if (shape.stroke) pdf.stroke(shape.stroke)
}
