import { expect, test, vi } from 'vitest'
import { z } from 'zod'
import { testServer } from '../../../tests/support/server.ts'

const operation = z.object({
  operationId: z.string(),
  tags: z.array(z.string()),
  parameters: z.array(z.looseObject({ name: z.string(), schema: z.looseObject({}) })).default([]),
  requestBody: z.object({ content: z.record(z.string(), z.unknown()) }).optional(),
  security: z.array(z.record(z.string(), z.array(z.string()))),
  responses: z.record(
    z.string(),
    z.union([z.object({ $ref: z.string() }), z.object({ description: z.string() })]),
  ),
})
const shape = z.object({
  paths: z.record(z.string(), z.record(z.string(), operation)),
  components: z.object({
    schemas: z.record(z.string(), z.unknown()),
    responses: z.record(z.string(), z.object({ headers: z.record(z.string(), z.unknown()) })),
  }),
})

const server = await testServer()
const { body, text } = await server.visitor.get('/api/openapi.json')
const { paths, components } = shape.parse(body)
const operations = Object.values(paths).flatMap((methods) => Object.values(methods))

test('every operation has its own name, a subject, and responses described in French', () => {
  expect(paths['/api/products/{id}/image']?.post).toMatchObject({
    operationId: 'postProductsByIdImage',
    tags: ['products'],
  })
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length)
  expect(text).not.toContain('Default Response')
})

test('every named schema is referenced', () => {
  expect(Object.keys(components.schemas)).toEqual(
    expect.arrayContaining(['Brand', 'BrandBodyInput', 'Problem']),
  )
  for (const name of Object.keys(components.schemas)) {
    expect(text, name).toContain(`"#/components/schemas/${name}"`)
  }
})

const parametersOf = (path: string) =>
  Object.fromEntries(paths[path]?.get?.parameters.map(({ name, schema }) => [name, schema]) ?? [])

test('the page and the limit are integers within their bounds, a day is a date, an id an integer', () => {
  expect(parametersOf('/api/prices')).toMatchObject({
    page: { type: 'integer', minimum: 1, default: 1 },
    limit: { type: 'integer', minimum: 1, maximum: 1000, default: 10 },
    productId: { type: 'integer' },
    startDate: { type: 'string', format: 'date' },
  })
})

test('the default of a parameter is documented', () => {
  expect(parametersOf('/api/statistics/map')).toMatchObject({ period: { default: '30d' } })
  expect(parametersOf('/api/statistics/inflation')).toMatchObject({ measure: { default: 'yearly' } })
  expect(parametersOf('/api/brands/export')).toMatchObject({ fileFormat: { default: 'csv' } })
  expect(parametersOf('/api/statistics/overview').period).not.toHaveProperty('default')
})

test('a file to import is documented as a form', () => {
  expect(paths['/api/imports']?.post?.requestBody?.content).toEqual({
    'multipart/form-data': {
      schema: {
        type: 'object',
        properties: {
          file: expect.objectContaining({
            type: 'string',
            format: 'binary',
            description: expect.any(String),
          }),
        },
        required: ['file'],
      },
    },
  })
})

test('an upload is described only as a form, and each field and parameter by one name', () => {
  const uploads = operations.flatMap(({ requestBody }) => {
    const types = Object.keys(requestBody?.content ?? {})
    return types.includes('multipart/form-data') ? [types] : []
  })
  expect(uploads.length).toBeGreaterThan(4)
  for (const types of uploads) expect(types).toEqual(['multipart/form-data'])
  const doubles: string[] = []
  JSON.parse(text, (key, value) => {
    if (key !== 'properties') return value
    const names = Object.keys(value).map((name) => name.replaceAll('_', '').toLowerCase())
    if (new Set(names).size < names.length) doubles.push(Object.keys(value).join(' '))
    return value
  })
  expect(doubles).toEqual([])
  for (const { operationId, parameters } of operations) {
    const names = parameters.map(({ name }) => name.replaceAll('_', '').toLowerCase())
    expect(new Set(names).size, operationId).toBe(names.length)
  }
})

test('an operation lists its security, and its refusals with their headers', () => {
  expect(paths['/api/plans']?.get?.security).toEqual([])
  expect(paths['/api/plans']?.get?.responses).not.toHaveProperty('401')
  expect(paths['/api/plans']?.post?.security).toEqual([{ bearer: [] }])
  for (const status of [400, 401, 402, 403, 404, 409, 422, 429, 503]) {
    expect(paths['/api/plans']?.post?.responses).toHaveProperty(String(status))
  }
  expect(Object.keys(components.responses.Refusal429?.headers ?? {})).toEqual(
    expect.arrayContaining(['retry-after', 'ratelimit', 'ratelimit-policy']),
  )
})

test('the document is generated once, compressed, and not sent again to clients that have it', async () => {
  const url = `${server.url}/api/openapi.json`
  const first = await fetch(url, { headers: { 'accept-encoding': 'gzip' } })
  expect(first.headers.get('content-encoding')).toBe('gzip')
  expect(await first.json()).toMatchObject({ openapi: '3.1.0' })
  const etag = first.headers.get('etag') ?? ''
  expect(etag).toMatch(/^"/)
  const again = await fetch(url, { headers: { 'if-none-match': etag } })
  expect([again.status, await again.text()]).toEqual([304, ''])
  const swagger = vi.spyOn(server.http, 'swagger')
  expect((await server.visitor.get('/api/openapi.json')).status).toBe(200)
  expect(swagger).not.toHaveBeenCalled()
})
