import { createHash } from 'node:crypto'
import sharp from 'sharp'
import { AppError, invalidField } from '#server/errors.ts'
import type { Content } from '#server/files/storage.ts'
import { createGate } from '#server/http/gate.ts'
import { timeLimits } from '#server/time-limits.ts'

/** A stored picture: at most 800 × 800, upright, without metadata. */
export type WebpImage = Content

const sidePx = 800
const smallSidePx = 96
const largestPixels = 24_000_000
const longestSidePx = 20_000
/**
 * Formats that are decoded whole instead of in strips, with the number of pixels (millions) that takes 50 MB, as
 * 24 million do in other formats.
 */
const decodedWhole: Record<string, { millions: number; word: string }> = {
  gif: { millions: 8, word: 'GIF' },
  png: { millions: 12, word: 'entrelacée' },
  jpeg: { millions: 16, word: 'progressive' },
}

const signatures: [format: string, starts: (bytes: Buffer) => boolean][] = [
  ['jpeg', (bytes) => bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))],
  ['png', (bytes) => bytes.subarray(0, 8).equals(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'))],
  ['gif', (bytes) => /^GIF8[79]a/.test(bytes.toString('latin1', 0, 6))],
  ['webp', (bytes) => /^RIFF....WEBP/s.test(bytes.toString('latin1', 0, 12))],
]

// Blocks all other decoders, so that no file can reach them by imitating their format.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadNsgif', 'VipsForeignLoadWebp'],
})
sharp.cache(false)
// One thread per picture leaves the other processors to other requests.
sharp.concurrency(1)

// A picture of 24 million pixels takes 50 MB and up to a second to decode, so one is decoded at a time, in fair order.
const { pictureTurn } = timeLimits
const turns = createGate({
  slots: 1,
  longestWaitMs: pictureTurn,
  burstWaitMs: pictureTurn,
  patienceMs: pictureTurn,
})

/** Sender of a picture; when the sender has disconnected, it is not decoded. */
type Sender = { userId: number; hasLeft(): boolean }

/**
 * Decodes an uploaded picture and encodes it again. Its type is determined by its content, not by its name.
 *
 * @param field form field named by the error when the file is refused
 * @throws AppError 400 when it is not an accepted picture, is damaged, has more than 24 million pixels or a side of more
 *   than 20 000, or is too large for a format that is decoded whole; 503 when too many others are waiting
 */
export async function toWebp(file: Blob, field: string, sender?: Sender): Promise<WebpImage> {
  const sent = Buffer.from(await file.arrayBuffer())
  const format = signatures.find(([, starts]) => starts(sent))?.[0]
  if (!format) throw invalidField(field, refusalReason(sent))
  const bytes = await turns.run(async () => {
    if (sender?.hasLeft()) throw new AppError('invalid', 'La demande a été abandonnée.')
    return redraw(sent, format, field)
  }, sender?.userId)
  return { hash: createHash('sha256').update(bytes).digest('hex'), bytes }
}

/** Returns the thumbnail of a stored picture for lists: 96 × 96, cropped, about 2 kB (small enough for 2G). */
export function toSmallWebp(bytes: Uint8Array): Promise<Buffer> {
  return inSequence(() =>
    sharp(bytes)
      .resize({ width: smallSidePx, height: smallSidePx, fit: 'cover' })
      .webp({ quality: 70 })
      .timeout({ seconds: 10 })
      .toBuffer(),
  )
}

async function redraw(sent: Buffer, format: string, field: string): Promise<Buffer> {
  const image = sharp(sent, { limitInputPixels: largestPixels, failOn: 'error', pages: 1, autoOrient: true })
  try {
    const { format: decoded, width, height, isProgressive } = await image.metadata()
    if (decoded !== format) throw new Error(`a ${format} by its first bytes, decoded as ${decoded}`)
    if (Math.max(width, height) > longestSidePx) throw new Error('pixel limit')
    const whole = isProgressive || format === 'gif' ? decodedWhole[format] : undefined
    if (whole && width * height > whole.millions * 1e6) throw invalidField(field, tooManyPixels(whole))
    return await image
      .resize({ width: sidePx, height: sidePx, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 80 })
      .timeout({ seconds: 10 })
      .toBuffer()
  } catch (error) {
    if (error instanceof AppError) throw error
    // The decoder has no error codes, only messages. If a message changes, the picture is still refused as damaged.
    const isTooLarge = error instanceof Error && error.message.includes('pixel limit')
    const refusal = isTooLarge
      ? 'Cette image a plus de 24 millions de pixels, ou un côté de plus de 20\u202f000. Réduisez-la, puis réessayez.'
      : 'Cette image est abîmée ou illisible. Enregistrez-la de nouveau, puis réessayez.'
    throw invalidField(field, refusal)
  }
}

function tooManyPixels({ word, millions }: { word: string; millions: number }): string {
  return `Cette image ${word} a plus de ${millions} millions de pixels. Réduisez-la ou enregistrez-la en JPEG simple, puis réessayez.`
}

function refusalReason(sent: Buffer): string {
  if (sent.length === 0) return 'Ce fichier est vide.'
  if (sent.toString('latin1', 4, 8) === 'ftyp') {
    return 'Les images HEIC et AVIF ne sont pas acceptées. Enregistrez celle-ci en JPEG, puis réessayez.'
  }
  if (/<svg[\s>]/i.test(sent.toString('latin1', 0, 4096))) {
    return 'Les dessins SVG ne sont pas acceptés. Envoyez une image JPEG, PNG, WebP ou GIF.'
  }
  return 'Ce fichier n’est pas une image JPEG, PNG, WebP ou GIF.'
}

let last: Promise<unknown> = Promise.resolve()

// Stored pictures are small; their thumbnails have a queue of their own and do not wait for uploads.
function inSequence<T>(work: () => Promise<T>): Promise<T> {
  const result = last.then(work)
  last = result.catch(() => {})
  return result
}
