import { connect } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Product } from '#features/products/products.contract.ts'
import { form, productForms } from '../../../tests/support/forms.ts'
import { picture } from '../../../tests/support/pictures.ts'
import { testServer } from '../../../tests/support/server.ts'

const server = await testServer()
const collector = await server.as('collector')
const { typeId, brandId, fields } = await productForms(server.db)
const photo = await picture().jpeg().toBuffer()

const headers = `Host: ${new URL(server.url).host}\r\nAuthorization: Bearer ${collector.token}`

async function rawPost(data: FormData): Promise<Buffer> {
  const request = new Response(data)
  const type = request.headers.get('content-type')
  const body = Buffer.from(await request.arrayBuffer())
  const head = `POST /api/products HTTP/1.1\r\n${headers}\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n`
  return Buffer.concat([Buffer.from(head), body])
}

/** Opens one connection, which a browser's or Node's client would silently replace by another. */
function openConnection() {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  let received = ''
  return {
    write: (bytes: string | Buffer) => void socket.write(bytes),
    async statuses(count: number): Promise<number[]> {
      for await (const chunk of socket) {
        received += chunk
        const statuses = [...received.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status))
        if (statuses.length === count) return statuses
      }
      throw new Error(`the connection ended after ${received}`)
    },
  }
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

  test('with an empty price and an empty file field has neither', async () => {
    const data = form({ ...fields(), price: '' })
    data.append('image', new Blob([]), '')
    expect((await collector.post('/api/products', data)).body).toMatchObject({ price: null, image_url: null })
    expect((await collector.post('/api/products', form({ ...fields(), image: '' }))).body).toMatchObject({
      image_url: null,
    })
  })

  test('changes a product, with or without a picture', async () => {
    const { id } = (await collector.post('/api/products', form(fields()))).body as Product
    expect((await collector.put(`/api/products/${id}`, form({ weight: '10kg' }))).body).toMatchObject({
      weight: '10kg',
      name: 'Riz parfumé',
      image_url: null,
    })
    const { body } = await collector.put(`/api/products/${id}`, form({ weight: '2kg' }, { image: photo }))
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
    const files = form(fields(), { image: photo, file: photo })
    expect((await collector.post('/api/products', files)).status).toBe(400)
  })

  test('with unknown fields, or fields of the server, drops them', async () => {
    const sent = { ...fields(), id: '1', created_at: '2001-01-01', image_url: '/etc/passwd', role: 'admin' }
    const { status, body } = await collector.post('/api/products', form(sent))
    expect(status).toBe(201)
    expect(body).toMatchObject({ code: sent.code, image_url: null })
    expect(body).not.toMatchObject({ id: 1 })
  })

  const broken: [string, string, string][] = [
    ['without a boundary', 'multipart/form-data', 'name=x'],
    ['with an empty part that says nothing of itself', 'multipart/form-data; boundary=b', '--b\r\n\r\n--b--'],
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
      'with many fields and cut short',
      'multipart/form-data; boundary=b',
      '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nA\r\n'.repeat(40),
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
  test.each(broken)('%s is refused, and the connection can still be used', async (_, type, body) => {
    const answer = await collector.send('/api/products', {
      method: 'POST',
      headers: { 'content-type': type },
      body,
    })
    expect(answer).toMatchObject({ status: 400, body: { error: 'Requête invalide' } })
    expect((await collector.get('/api/products?limit=1')).status).toBe(200)
  })

  test('refused in the middle of a large file is read to its end: the connection serves the next request', async () => {
    const data = form({ ...fields() })
    data.append('name', 'Autre')
    data.append('image', new Blob([new Uint8Array(4_000_000)]), 'photo.jpg')
    const connection = openConnection()
    connection.write(await rawPost(data))
    connection.write(`GET /api/products?limit=1 HTTP/1.1\r\n${headers}\r\n\r\n`)
    expect(await connection.statuses(2)).toEqual([400, 200])
  })

  test('announced too large is refused before it is received', async () => {
    const connection = openConnection()
    connection.write(
      `POST /api/products HTTP/1.1\r\n${headers}\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 60000000\r\n\r\n--b\r\n`,
    )
    expect(await connection.statuses(1)).toEqual([413])
  })

  test('in another encoding is refused', async () => {
    const body = new URLSearchParams(fields())
    expect((await collector.send('/api/products', { method: 'POST', body })).status).toBe(415)
  })

  test('is not read for users who may not write', async () => {
    const data = form(fields(), { image: Buffer.alloc(4_000_000) })
    expect((await server.visitor.post('/api/products', data)).status).toBe(401)
    expect((await (await server.as('agent')).post('/api/products', data)).status).toBe(403)
  })
})

test('the document of the API shows the fields and the file of a product’s form', async () => {
  const { body } = await server.visitor.get('/api/openapi.json')
  const { paths, components } = body as {
    paths: Record<string, never>
    components: { schemas: Record<string, never> }
  }
  expect(components.schemas.ProductBodyInput).toMatchObject({
    properties: { code: { type: 'string' }, image: expect.anything() },
    required: ['code', 'name', 'typeId', 'brandId', 'weight', 'origin', 'format'],
  })
  expect(paths['/api/products']).toMatchObject({
    post: { requestBody: { content: { 'multipart/form-data': {} } } },
  })
  expect(JSON.stringify(paths['/api/products/{id}/image'])).toContain('"format":"binary"')
})
