import { createHash } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import type { Product } from '#features/products/products.contract.ts'
import { smallPicture } from '#shared/pictures.ts'
import { insertProduct } from '../../../tests/support/catalogue.ts'
import { form, productForms } from '../../../tests/support/forms.ts'
import { hostileFiles, noise, picture } from '../../../tests/support/pictures.ts'
import { testServer } from '../../../tests/support/server.ts'

const server = await testServer()
const { db, url } = server
const collector = await server.as('collector')
const { fields } = await productForms(db)
let taken = 0

/** Returns a picture that no other test uses. */
const photo = () =>
  noise(20 + ++taken, 20)
    .jpeg()
    .toBuffer()
const fileOf = (imageUrl: string | null) => {
  const name = imageUrl?.split('/').at(-1) ?? 'none'
  return join(server.dataDir, 'uploads', name.slice(0, 2), name)
}

async function create(bytes?: Buffer): Promise<Product> {
  const { status, body } = await collector.post('/api/products', form(fields(), bytes && { image: bytes }))
  expect(status, JSON.stringify(body)).toBe(201)
  return body as Product
}

describe('a picture', () => {
  test('is served under the hash of its content, with a permanent cache', async () => {
    const { image_url } = await create(await photo())
    const answer = await fetch(url + image_url)
    const bytes = Buffer.from(await answer.arrayBuffer())
    expect(answer.status).toBe(200)
    expect(image_url).toBe(`/uploads/${createHash('sha256').update(bytes).digest('hex')}.webp`)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/webp',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-length': String(bytes.length),
    })
  })

  test('is also served small, 96 × 96, for lists on a slow network', async () => {
    const { image_url } = await create(await photo())
    const answers = await Promise.all([1, 2].map(() => fetch(url + smallPicture(String(image_url)))))
    for (const answer of answers) {
      expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
      const bytes = Buffer.from(await answer.arrayBuffer())
      expect(bytes.length).toBeLessThan(4_000)
      expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width: 96, height: 96 })
    }
  })

  test.each([
    `/uploads/${'0'.repeat(64)}.webp`,
    `/uploads/${'0'.repeat(64)}-small.webp`,
    '/uploads/x.webp',
    '/uploads/..%2f..%2fetc%2fpasswd',
    `/uploads/${'0'.repeat(64)}.webp%00`,
    '/uploads/',
  ])('%s is not found', async (path) => {
    expect((await server.visitor.get(path)).status).toBe(404)
  })

  test.each(['image', 'file', 'photo'])('alone is accepted under the name %s', async (name) => {
    const { id } = await create()
    const answer = await collector.post(`/api/products/${id}/image`, form({}, { [name]: await photo() }))
    expect(answer).toMatchObject({ status: 200, body: { id, message: 'Produit mis à jour avec succès' } })
    expect(existsSync(fileOf((answer.body as Product).image_url))).toBe(true)
  })

  test('alone needs a file, and a product', async () => {
    const { id } = await create()
    for (const body of [form({}), form({ image: 'photo.jpg' }), {}, { image: null }]) {
      expect(await collector.post(`/api/products/${id}/image`, body)).toMatchObject({
        status: 400,
        body: { errors: [{ field: 'image' }] },
      })
    }
    const lost = await collector.post('/api/products/2147483647/image', form({}, { file: await photo() }))
    expect(lost.status).toBe(404)
  })

  test('is stored once per Idempotency-Key, which another picture may not use', async () => {
    const [first, other] = [await photo(), await photo()]
    const texts = fields()
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const send = (image: Buffer) =>
      collector.send('/api/products', { method: 'POST', headers, body: form(texts, { image }) })
    const made = await send(first)
    expect(made.status, made.text).toBe(201)
    expect((await send(first)).body).toEqual(made.body)
    expect((await send(other)).status).toBe(422)
  })

  test('that is replaced, removed or deleted with its product leaves no file', async () => {
    const { id, image_url: first } = await create(await photo())
    const { body } = await collector.post(`/api/products/${id}/image`, form({}, { file: await photo() }))
    const { image_url: second } = body as Product
    expect([existsSync(fileOf(first)), existsSync(fileOf(second))]).toEqual([false, true])

    expect((await collector.put(`/api/products/${id}`, { image: null })).body).toMatchObject({
      image_url: null,
    })
    expect(existsSync(fileOf(second))).toBe(false)

    const { body: third } = await collector.post(
      `/api/products/${id}/image`,
      form({}, { file: await photo() }),
    )
    expect((await collector.delete(`/api/products/${id}`)).status).toBe(200)
    expect(existsSync(fileOf((third as Product).image_url))).toBe(false)
  })

  test('that another product also uses stays until the last one drops it', async () => {
    const bytes = await photo()
    const one = await create(bytes)
    const other = await create(bytes)
    expect(other.image_url).toBe(one.image_url)
    await collector.post(`/api/products/${one.id}/image`, form({}, { file: bytes }))
    expect(existsSync(fileOf(one.image_url))).toBe(true)
    await collector.delete(`/api/products/${one.id}`)
    expect(existsSync(fileOf(one.image_url))).toBe(true)
    await collector.delete(`/api/products/${other.id}`)
    expect(existsSync(fileOf(one.image_url))).toBe(false)
  })

  test('added to one product while another drops it is never lost', async () => {
    const bytes = await photo()
    for (let round = 0; round < 20; round++) {
      const leaving = await create(bytes)
      const [staying] = await Promise.all([create(bytes), collector.delete(`/api/products/${leaving.id}`)])
      expect(existsSync(fileOf(staying.image_url)), `round ${round}`).toBe(true)
      await collector.delete(`/api/products/${staying.id}`)
    }
  })

  test('sent with a code that is taken leaves neither row nor file', async () => {
    const { code } = await create()
    const files = () =>
      readdirSync(join(server.dataDir, 'uploads'), { recursive: true }).filter((name) =>
        String(name).endsWith('.webp'),
      ).length
    const before = files()
    const answer = await collector.post(
      '/api/products',
      form({ ...fields(), code }, { image: await photo() }),
    )
    expect(answer).toMatchObject({ status: 409, body: { errors: [{ field: 'code' }] } })
    expect(files()).toBe(before)
  })

  test('is part of the version that a concurrent PUT must have read', async () => {
    const { id, updated_at } = await create()
    await collector.post(`/api/products/${id}/image`, form({}, { file: await photo() }))
    expect((await collector.put(`/api/products/${id}`, form({ name: 'Riz', updated_at }))).status).toBe(409)
  })
})

describe('a file', async () => {
  const files = await hostileFiles()

  test.each(Object.keys(files))('that is %s is refused under « image », whatever its name', async (what) => {
    const id = await insertProduct(db)
    const data = form({}, { file: files[what] ?? Buffer.alloc(0) })
    const { status, body, text } = await collector.post(`/api/products/${id}/image`, data)
    expect({ status, body }).toMatchObject({ status: 400, body: { errors: [{ field: 'image' }] } })
    expect(text).not.toMatch(/vips|sharp|buffer|node/i)
    expect((await collector.get(`/api/products/${id}`)).body).toMatchObject({ image_url: null })
  })

  test('with an unusual name is judged only by its content', async () => {
    const { id } = await create()
    for (const name of ['../../etc/passwd', 'a\u0000.php', '.htaccess', 'é'.repeat(500), 'photo.svg']) {
      const answer = await collector.post(
        `/api/products/${id}/image`,
        form({}, { file: await photo() }, name),
      )
      expect({ name, status: answer.status }).toEqual({ name, status: 200 })
    }
  })

  test('of 5 MB is accepted, one byte more is not', async () => {
    const { id } = await create()
    const largest = Buffer.concat([await picture().jpeg().toBuffer(), Buffer.alloc(5 * 1024 * 1024)])
    const send = (bytes: Buffer) => collector.post(`/api/products/${id}/image`, form({}, { file: bytes }))
    expect((await send(largest.subarray(0, 5 * 1024 * 1024))).status).toBe(200)
    const refusal = await send(largest.subarray(0, 5 * 1024 * 1024 + 1))
    const message = expect.stringMatching(/5\s?Mo/)
    expect(refusal).toMatchObject({ status: 413, body: { message, errors: [{ field: 'image', message }] } })
  })

  test('of 6 or 60 MB is refused, announced or not, and the connection can still be used', async () => {
    const { id } = await create()
    for (const megabytes of [6, 60]) {
      const data = form({}, { file: Buffer.alloc(megabytes * 1_000_000) })
      expect((await collector.post(`/api/products/${id}/image`, data)).status).toBe(413)
      const unannounced = new Response(data)
      const streamed: RequestInit & { duplex: 'half' } = {
        method: 'POST',
        headers: { 'content-type': unannounced.headers.get('content-type') ?? '' },
        body: unannounced.body,
        duplex: 'half',
      }
      const answer = await collector.send(`/api/products/${id}/image`, streamed)
      expect(answer.status).toBe(413)
      expect((await collector.get(`/api/products/${id}`)).status).toBe(200)
    }
  })
})

test('a merged product gives its picture to the other one, if that has none', async () => {
  const [bare, twin, pictured] = [await create(), await create(await photo()), await create(await photo())]
  const merge = (id: number, intoId: number) => collector.post(`/api/products/${id}/merge`, { intoId })
  expect(await merge(twin.id, bare.id)).toMatchObject({ status: 200, body: { image_url: twin.image_url } })
  expect(existsSync(fileOf(twin.image_url))).toBe(true)
  expect(await merge(pictured.id, bare.id)).toMatchObject({
    status: 200,
    body: { image_url: twin.image_url },
  })
  expect(existsSync(fileOf(pictured.image_url))).toBe(false)
})
