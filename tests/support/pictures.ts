// Pictures, and files that pretend to be some, made by code.

import sharp from 'sharp'

/** A picture of one colour. */
export function picture(widthPx = 40, heightPx = 20, background = '#c33') {
  return sharp({
    create: { width: widthPx, height: heightPx, channels: 3, background },
    limitInputPixels: false,
  })
}

/** Pixels that do not compress, so that half of the file is half of the picture. */
export function noise(widthPx: number, heightPx: number) {
  const pixels = Buffer.from(Array.from({ length: widthPx * heightPx * 3 }, (_, i) => (i * i * 31) % 251))
  return sharp(pixels, { raw: { width: widthPx, height: heightPx, channels: 3 } })
}

/** Stored lying on its side, the red half to the left, as a camera held upright does; upright, red is above blue. */
export async function lyingPhoto(): Promise<Buffer> {
  const blue = await picture(60, 60, '#00f').png().toBuffer()
  return picture(120, 60, '#f00')
    .composite([
      { input: { create: { width: 60, height: 60, channels: 3, background: '#00f' } }, left: 60, top: 0 },
    ])
    .withMetadata({ orientation: 6, exif: { IFD0: { Copyright: 'Secret', Make: blue.length.toString() } } })
    .jpeg()
    .toBuffer()
}

const half = (bytes: Buffer) => bytes.subarray(0, Math.floor(bytes.length / 2))
const text = (content: string) => Buffer.from(content)

/** Files that must be refused, whatever they are called. */
export async function hostileFiles(): Promise<Record<string, Buffer>> {
  const jpeg = await noise(300, 300).jpeg().toBuffer()
  const png = await noise(300, 300).png().toBuffer()
  const webp = await noise(300, 300).webp().toBuffer()
  const gif = await noise(300, 300).gif().toBuffer()
  return {
    empty: Buffer.alloc(0),
    'one byte': Buffer.from([0xff]),
    zeros: Buffer.alloc(10_000),
    'plain text': text('Bonjour'),
    'a page': text('<!doctype html><script>alert(1)</script>'),
    'a drawing': text('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect/></svg>'),
    'a drawing after a declaration': text('<?xml version="1.0"?>\n<!-- ok -->\n<svg onload="alert(1)"/>'),
    'a drawing that reads files': text(
      '<svg xmlns:xlink="http://www.w3.org/1999/xlink"><image xlink:href="file:///etc/passwd"/></svg>',
    ),
    'a drawing named JPEG by its first bytes': Buffer.concat([jpeg.subarray(0, 4), text('<svg/>')]),
    'a document': text('%PDF-1.7\n'),
    'an archive': text('PK\u0003\u0004'),
    'a program': text('\u007fELF'),
    AVIF: await picture().avif().toBuffer(),
    HEIC: text('\u0000\u0000\u0000\u0018ftypheic\u0000\u0000\u0000\u0000mif1heic'),
    TIFF: await picture().tiff().toBuffer(),
    'half a JPEG': half(jpeg),
    'half a PNG': half(png),
    'half a WebP': half(webp),
    'half a GIF': half(gif),
    'the first bytes of a JPEG': jpeg.subarray(0, 20),
    'the first bytes of a PNG': png.subarray(0, 8),
    'the first bytes of a WebP': webp.subarray(0, 12),
    'the first bytes of a GIF': gif.subarray(0, 13),
    'a PNG that says 4 billion pixels': resized(png, 65_535, 65_535),
    'a PNG without pixels': resized(png, 0, 0),
    'a PNG of 25 million pixels': await picture(5000, 5000).png().toBuffer(),
    'a JPEG that says 400 million pixels': resizedJpeg(jpeg, 20_000, 20_000),
  }
}

/** Width and height stand in the first chunk of a PNG, after 16 bytes. */
function resized(png: Buffer, widthPx: number, heightPx: number): Buffer {
  const copy = Buffer.from(png)
  copy.writeUInt32BE(widthPx, 16)
  copy.writeUInt32BE(heightPx, 20)
  return copy
}

/** Height and width stand in the start-of-frame segment of a JPEG, after its mark, length and precision. */
function resizedJpeg(jpeg: Buffer, widthPx: number, heightPx: number): Buffer {
  const copy = Buffer.from(jpeg)
  const frame = copy.indexOf(Buffer.from([0xff, 0xc0]))
  copy.writeUInt16BE(heightPx, frame + 5)
  copy.writeUInt16BE(widthPx, frame + 7)
  return copy
}
