// What all parts of a report share: the measures of its pages, its colours, decoration and links.

import type PDFDocument from 'pdfkit'

export type Pdf = InstanceType<typeof PDFDocument>

/** An element of the tagged content. */
export type Structure = ReturnType<Pdf['struct']>

/** Measures of a page in points; `width` is that of the content, and `bottom` where it ends. */
export const pageMeasures = { top: 48, left: 48, width: 595 - 2 * 48, bottom: 794, rowHeight: 17 }

/** Draws decoration, which is marked as an artifact for screen readers. */
export function decorate(pdf: Pdf, paint: () => void): void {
  pdf.markContent('Artifact', { type: 'Layout' })
  paint()
  pdf.endMarkedContent()
}

type Box = { x: number; y: number; width: number; height: number }

/** Returns a link over the box (points) that `paint` returns. */
export function linkOf(
  pdf: Pdf,
  { text, href }: { text: string; href: string },
  paint: () => Box,
): Structure {
  const link: Structure = pdf.struct('Link', {}, () => {
    const { x, y, width, height } = paint()
    // The types of the package lack both properties.
    const properties = { structParent: link, Contents: new String(text) } as object
    pdf.link(x, y, width, height, href, properties)
  })
  return link
}
