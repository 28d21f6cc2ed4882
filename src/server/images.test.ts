import fc from 'fast-check'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { AppError } from '#server/errors.ts'
import { toWebp } from '#server/images.ts'
import { tries } from '../../tests/support/length.ts'
import { hostileFiles, lyingPhoto, noise, picture } from '../../tests/support/pictures.ts'

const redrawn = async (bytes: Uint8Array<ArrayBuffer>) => {
  const { bytes: webp } = await toWebp(new Blob([bytes]), 'image')
  return { webp, ...(await sharp(webp).metadata()) }
}
const plain = (bytes: Buffer) => new Uint8Array(bytes)

describe('a picture', () => {
  test.each(['jpeg', 'png', 'webp', 'gif'] as const)('in %s becomes WebP', async (format) => {
    const { format: given, width, height } = await redrawn(plain(await picture().toFormat(format).toBuffer()))
    expect({ given, width, height }).toEqual({ given: 'webp', width: 40, height: 20 })
  })

  test.each([
    [1600, 800, 800, 400],
    [500, 2000, 200, 800],
    [800, 800, 800, 800],
    [30, 10, 30, 10],
    [1, 20_000, 1, 800],
    [6000, 4000, 800, 533],
  ])('of %i × %i is drawn in %i × %i', async (width, height, toWidth, toHeight) => {
    expect(await redrawn(plain(await picture(width, height).png().toBuffer()))).toMatchObject({
      width: toWidth,
      height: toHeight,
    })
  })

  test('taken by a rotated camera is turned upright, without metadata about the photographer', async () => {
    const { webp, width, height, exif, icc, xmp, orientation } = await redrawn(plain(await lyingPhoto()))
    expect({ width, height, exif, icc, xmp, orientation }).toMatchObject({ width: 60, height: 120 })
    expect([exif, icc, xmp, orientation]).toEqual([undefined, undefined, undefined, undefined])
    const pixels = await sharp(webp).removeAlpha().raw().toBuffer()
    const colourAt = (y: number) => [...pixels.subarray((y * 60 + 30) * 3, (y * 60 + 30) * 3 + 3)]
    const [red, , blueAbove] = colourAt(20)
    const [redBelow, , blue] = colourAt(100)
    expect([red, blue].every((part) => Number(part) > 200)).toBe(true)
    expect([redBelow, blueAbove].every((part) => Number(part) < 50)).toBe(true)
  })

  test('that is animated is reduced to its first frame', async () => {
    const frames = Buffer.alloc(8 * 8 * 3 * 30).map((_, i) => Math.floor(i / (8 * 8 * 3)))
    const animated = await sharp(frames, { raw: { width: 8, height: 240, channels: 3, pageHeight: 8 } })
      .gif()
      .toBuffer()
    expect(await redrawn(plain(animated))).toMatchObject({ width: 8, height: 8 })
  })

  test('followed by a page is redrawn without it', async () => {
    const page = Buffer.from('<script>alert(1)</script>')
    const { webp } = await redrawn(plain(Buffer.concat([await picture().jpeg().toBuffer(), page])))
    expect(Buffer.from(webp).includes('script')).toBe(false)
  })

  test('in four colours, or in 16-bit grey, is accepted', async () => {
    for (const odd of [noise(9, 9).toColourspace('cmyk').jpeg(), noise(9, 9).toColourspace('grey16').png()]) {
      expect(await redrawn(plain(await odd.toBuffer()))).toMatchObject({ width: 9, height: 9 })
    }
  })

  test('is the same content, hence the same hash, each time', async () => {
    const bytes = plain(await noise(50, 50).png().toBuffer())
    const [first, second] = await Promise.all([
      toWebp(new Blob([bytes]), 'a'),
      toWebp(new Blob([bytes]), 'a'),
    ])
    expect(first.hash).toMatch(/^[0-9a-f]{64}$/)
    expect(second.hash).toBe(first.hash)
  })

  test('whose sender left while it waited is not decoded', async () => {
    let isGone = false
    const bytes = plain(await noise(2000, 2000).png().toBuffer())
    const ahead = toWebp(new Blob([bytes]), 'photo', { userId: 1, hasLeft: () => false })
    const waiting = toWebp(new Blob([bytes]), 'photo', { userId: 2, hasLeft: () => isGone })
    isGone = true
    await expect(waiting).rejects.toThrow('La demande a été abandonnée.')
    await expect(ahead).resolves.toMatchObject({ hash: expect.any(String) })
  })
})

describe('a hostile file', async () => {
  const files = await hostileFiles()

  test('is refused in French under its field, without using much memory', async () => {
    const before = process.memoryUsage().rss
    for (const [what, bytes] of Object.entries(files)) {
      const refusal = await toWebp(new Blob([plain(bytes)]), 'photo').catch((error: unknown) => error)
      expect(refusal, what).toBeInstanceOf(AppError)
      expect(refusal, what).toMatchObject({ code: 'invalid', fields: [{ field: 'photo' }] })
    }
    expect(process.memoryUsage().rss - before).toBeLessThan(150e6)
    // The queue of decoders continues after refusals.
    expect(await redrawn(plain(await picture().png().toBuffer()))).toMatchObject({ format: 'webp' })
  })

  test('is distinguished from a picture that a program can convert', async () => {
    const { HEIC, AVIF, 'a drawing': svg, 'a PNG of 25 million pixels': large, 'half a JPEG': cut } = files
    const messageOf = async (bytes: Buffer | undefined) =>
      toWebp(new Blob([plain(bytes ?? Buffer.alloc(0))]), 'photo').catch((error: Error) => error.message)
    expect(await messageOf(HEIC)).toMatch(/^Les images HEIC et AVIF/)
    expect(await messageOf(AVIF)).toMatch(/^Les images HEIC et AVIF/)
    expect(await messageOf(svg)).toMatch(/^Les dessins SVG/)
    expect(await messageOf(large)).toMatch(/24 millions de pixels/)
    expect(await messageOf(cut)).toMatch(/abîmée ou illisible/)
    expect(await messageOf(undefined)).toBe('Ce fichier est vide.')
  })

  test('of one pixel more than 20 000 on a side is refused, however few pixels it has', async () => {
    const long = plain(await picture(1, 20_001).png().toBuffer())
    await expect(toWebp(new Blob([long]), 'photo')).rejects.toMatchObject({
      fields: [{ field: 'photo', message: expect.stringMatching(/un côté de plus de 20\u202f000/) }],
    })
  })

  test('that must be decoded completely is refused when this would take more memory than others', async () => {
    const large = picture(4_100, 4_000)
    const files = {
      'Cette image GIF a plus de 8 millions': await large.clone().gif().toBuffer(),
      'Cette image entrelacée a plus de 12 millions': await large
        .clone()
        .png({ progressive: true })
        .toBuffer(),
      'Cette image progressive a plus de 16 millions': await large
        .clone()
        .jpeg({ progressive: true })
        .toBuffer(),
    }
    for (const [message, bytes] of Object.entries(files)) {
      await expect(toWebp(new Blob([plain(bytes)]), 'photo')).rejects.toMatchObject({
        fields: [{ field: 'photo', message: expect.stringContaining(message) }],
      })
    }
    const simple = plain(await large.jpeg().toBuffer())
    await expect(toWebp(new Blob([simple]), 'photo')).resolves.toMatchObject({ hash: expect.any(String) })
  })

  test('made by damaging a good one gives a picture or a refusal, never an error', async () => {
    const good = await Promise.all(
      (['jpeg', 'png', 'webp', 'gif'] as const).map((format) => noise(40, 40).toFormat(format).toBuffer()),
    )
    const damage = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 40 })
    await fc.assert(
      fc.asyncProperty(fc.nat(3), damage, fc.nat(2000), async (which, changes, cut) => {
        const bytes = new Uint8Array(good[which] ?? [])
        for (const [at, value] of changes) bytes[at % bytes.length] = value
        const outcome = await toWebp(new Blob([bytes.subarray(0, bytes.length - (cut % 50))]), 'photo').catch(
          (error: unknown) => error,
        )
        if (outcome instanceof AppError) expect(outcome.code).toBe('invalid')
        else expect(outcome).toMatchObject({ hash: expect.stringMatching(/^[0-9a-f]{64}$/) })
      }),
      { numRuns: tries(100, 1_000), seed: 20260115 },
    )
  })
})
