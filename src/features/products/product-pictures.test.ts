import { createHash } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Product } from '#features/products/products.contract.ts'
import { insertBrand, insertProduct, insertType } from '../../../tests/support/catalogue.ts'
import { hostileFiles, noise, picture } from '../../../tests/support/pictures.ts'
import { testServer } from '../../../tests/support/server.ts'

const server = await testServer()
const { db, url } = server
const collector = await server.as('collector')
const typeId = await insertType(db)
const brandId = await insertBrand(db)
let made = 0

const fields = () => ({
  code: `F-${++made}`,
  name: 'Riz parfumé',
  typeId: String(typeId),
  brandId: String(brandId),
  weight: '5kg',
  price: '12500,50',
  currency: 'CDF',
  origin: 'Thaïlande',
  format: 'Sac',
})

function form(
  texts: Record<string, string>,
  files: Record<string, Buffer> = {},
  fileName = 'photo.jpg',
): FormData {
  const data = new FormData()
  for (const [name, value] of Object.entries(texts)) data.append(name, value)
  for (const [name, bytes] of Object.entries(files))
    data.append(name, new Blob([new Uint8Array(bytes)]), fileName)
  return data
}

/** A picture that no other test has. */
const photo = () =>
  noise(20 + ++made, 20)
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

describe('a form', () => {
  test('creates a product without a picture, its numbers read from text', async () => {
    const { code, ...sent } = fields()
    const { status, body } = await collector.post('/api/products', form({ code, ...sent }))
    expect({ status, body }).toMatchObject({
      status: 201,
      body: {
        ...sent,
        code,
        typeId,
        brandId,
        price: 12_500.5,
        image_url: null,
        message: 'Produit créé avec succès',
      },
    })
  })

  test('with an empty price and an empty file field means neither', async () => {
    const data = form({ ...fields(), price: '' })
    data.append('image', new Blob([]), '')
    expect((await collector.post('/api/products', data)).body).toMatchObject({ price: null, image_url: null })
    expect((await collector.post('/api/products', form({ ...fields(), image: '' }))).body).toMatchObject({
      image_url: null,
    })
  })

  test('changes a product, with or without a picture', async () => {
    const { id } = await create()
    expect((await collector.put(`/api/products/${id}`, form({ weight: '10kg' }))).body).toMatchObject({
      weight: '10kg',
      name: 'Riz parfumé',
      image_url: null,
    })
    const { body } = await collector.put(
      `/api/products/${id}`,
      form({ weight: '2kg' }, { image: await photo() }),
    )
    expect(body).toMatchObject({
      weight: '2kg',
      image_url: expect.stringMatching(/^\/uploads\/[0-9a-f]{64}\.webp$/),
    })
    const { body: renamed } = await collector.put(`/api/products/${id}`, form({ name: 'Riz' }))
    expect(renamed).toMatchObject({ image_url: (body as Product).image_url })
  })

  test.each([
    ['typeId', { typeId: 'riz' }],
    ['brandId', { brandId: '' }],
    ['price', { price: '-5' }],
    ['currency', { currency: 'EUR' }],
    ['name', { name: ' ' }],
    ['weight', { weight: 'a\u0000b' }],
    ['origin', { origin: 'x'.repeat(10_001) }],
    ['image', { image: 'photo.jpg' }],
  ])('with a wrong %s is refused under its name', async (field, wrong) => {
    const { status, body } = await collector.post('/api/products', form({ ...fields(), ...wrong }))
    expect({ status, body }).toMatchObject({ status: 400, body: { errors: [{ field }] } })
  })

  test('with a field or a file sent twice is refused', async () => {
    const twice = form(fields())
    twice.append('name', 'Autre')
    expect(await collector.post('/api/products', twice)).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'name' }] },
    })
    const files = form(fields(), { image: await photo(), file: await photo() })
    expect((await collector.post('/api/products', files)).status).toBe(400)
  })

  test('with fields of nobody’s or of the server’s drops them', async () => {
    const sent = { ...fields(), id: '1', created_at: '2001-01-01', image_url: '/etc/passwd', role: 'admin' }
    const { status, body } = await collector.post('/api/products', form(sent))
    expect(status).toBe(201)
    expect(body).toMatchObject({ code: sent.code, image_url: null })
    expect(body).not.toMatchObject({ id: 1 })
  })

  const broken: [string, string, string][] = [
    ['without a boundary', 'multipart/form-data', 'name=x'],
    [
      'cut short',
      'multipart/form-data; boundary=b',
      '--b\r\nContent-Disposition: form-data; name="code"\r\n\r\nA',
    ],
    ['of another boundary', 'multipart/form-data; boundary=b', '--c\r\n\r\n--c--'],
    ['without content', 'multipart/form-data; boundary=b', ''],
    ['with a part without a name', 'multipart/form-data; boundary=b', '--b\r\nX: y\r\n\r\nA\r\n--b--\r\n'],
    [
      'whose file is cut short',
      'multipart/form-data; boundary=b',
      '--b\r\nContent-Disposition: form-data; name="image"; filename="a.jpg"\r\n\r\nAAAA',
    ],
    [
      'with a field named like a prototype',
      'multipart/form-data; boundary=b',
      '--b\r\nContent-Disposition: form-data; name="__proto__"\r\n\r\nA\r\n--b--\r\n',
    ],
    [
      'with a thousand fields',
      'multipart/form-data; boundary=b',
      `${'--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nA\r\n'.repeat(1000)}--b--\r\n`,
    ],
    [
      'that says JSON in a field and is not',
      'multipart/form-data; boundary=b',
      '--b\r\nContent-Disposition: form-data; name="code"\r\nContent-Type: application/json\r\n\r\n{\r\n--b--\r\n',
    ],
  ]
  test.each(broken)('%s is refused, and leaves the connection usable', async (_, type, body) => {
    const answer = await collector.send('/api/products', {
      method: 'POST',
      headers: { 'content-type': type },
      body,
    })
    expect(answer).toMatchObject({ status: 400, body: { error: 'Requête invalide' } })
    expect((await collector.get('/api/products?limit=1')).status).toBe(200)
  })

  test('in another encoding is refused as such', async () => {
    const body = new URLSearchParams(fields())
    expect((await collector.send('/api/products', { method: 'POST', body })).status).toBe(415)
  })

  test('is not read for whoever may not write', async () => {
    const data = form(fields(), { image: Buffer.alloc(4_000_000) })
    expect((await server.visitor.post('/api/products', data)).status).toBe(401)
    expect((await (await server.as('agent')).post('/api/products', data)).status).toBe(403)
  })
})

describe('a picture', () => {
  test('is served under the hash of its content, to be kept for good', async () => {
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

  test.each([
    `/uploads/${'0'.repeat(64)}.webp`,
    '/uploads/x.webp',
    '/uploads/..%2f..%2fetc%2fpasswd',
    `/uploads/${'0'.repeat(64)}.webp%00`,
    '/uploads/',
  ])('%s is not found', async (path) => {
    expect((await server.visitor.get(path)).status).toBe(404)
  })

  test.each(['image', 'file', 'photo'])('alone is taken under the name %s', async (name) => {
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

  test('that is replaced, taken away or deleted with its product leaves no file', async () => {
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

  test('that another product also has stays, until the last lets go of it', async () => {
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

  test('taken up by one product while another lets go of it is never lost', async () => {
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
    const files = () => readdirSync(join(server.dataDir, 'uploads'), { recursive: true }).length
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

  test('of a strange name is judged by its content alone', async () => {
    const { id } = await create()
    for (const name of ['../../etc/passwd', 'a\u0000.php', '.htaccess', 'é'.repeat(500), 'photo.svg']) {
      const answer = await collector.post(
        `/api/products/${id}/image`,
        form({}, { file: await photo() }, name),
      )
      expect({ name, status: answer.status }).toEqual({ name, status: 200 })
    }
  })

  test('of 5 MB is taken, one byte more is not', async () => {
    const { id } = await create()
    const largest = Buffer.concat([await picture().jpeg().toBuffer(), Buffer.alloc(5 * 1024 * 1024)])
    const send = (bytes: Buffer) => collector.post(`/api/products/${id}/image`, form({}, { file: bytes }))
    expect((await send(largest.subarray(0, 5 * 1024 * 1024))).status).toBe(200)
    const refusal = await send(largest.subarray(0, 5 * 1024 * 1024 + 1))
    expect(refusal).toMatchObject({ status: 413, body: { message: expect.stringMatching(/5\s?Mo/) } })
  })

  test('of 6 or 60 MB is refused, announced or not, and the connection stays usable', async () => {
    const { id } = await create()
    for (const megabytes of [6, 60]) {
      const data = form({}, { file: Buffer.alloc(megabytes * 1_000_000) })
      expect((await collector.post(`/api/products/${id}/image`, data)).status).toBe(413)
      const unannounced = new Response(data)
      const answer = await collector.send(`/api/products/${id}/image`, {
        method: 'POST',
        headers: { 'content-type': unannounced.headers.get('content-type') ?? '' },
        body: unannounced.body,
        duplex: 'half',
      })
      expect(answer.status).toBe(413)
      expect((await collector.get(`/api/products/${id}`)).status).toBe(200)
    }
  })
})

test('the document of the API shows the fields and the file of a product’s form', async () => {
  const { body } = await server.visitor.get('/api/openapi.json')
  const { paths, components } = body as {
    paths: Record<string, never>
    components: { schemas: Record<string, never> }
  }
  expect(components.schemas.ProductBody).toMatchObject({
    properties: { code: { type: 'string' }, image: expect.anything() },
    required: ['code', 'name', 'typeId', 'brandId', 'weight', 'origin', 'format'],
  })
  expect(paths['/api/products']).toMatchObject({
    post: { requestBody: { content: { 'multipart/form-data': {}, 'application/json': {} } } },
  })
  expect(JSON.stringify(paths['/api/products/{id}/image'])).toContain('"format":"binary"')
})
