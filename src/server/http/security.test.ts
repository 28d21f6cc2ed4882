import { describe, expect, test } from 'vitest'
import { testServer } from '../../../tests/support/server.ts'

const server = await testServer()
const collector = await server.as('collector')

const create = (headers: Record<string, string>) =>
  collector.send('/api/brands', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ name: `Marque ${JSON.stringify(headers)}`.slice(0, 150), country: 'RDC' }),
  })

describe('a write', () => {
  test.each<Record<string, string>>([
    { origin: 'https://ailleurs.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ])('from another site (%o) is refused before any effect', async (headers) => {
    const answer = await create(headers)
    expect(answer.status).toBe(403)
    expect(answer.body).toMatchObject({ message: 'Cette action doit être faite depuis Ntalo.' })
  })

  test('from our own pages, or from a client without these headers, passes', async () => {
    expect((await create({ origin: server.url, 'sec-fetch-site': 'same-origin' })).status).toBe(201)
    expect((await create({})).status).toBe(201)
  })
})

describe('every response', () => {
  test.each([
    '/',
    '/api/health',
    '/api/nowhere',
    '/nowhere',
    '/dashboard',
    '/assets/missing.js',
    '/api/brands/%u0000',
  ])('to %s carries the strict headers', async (path) => {
    const { headers } = await server.visitor.get(path)
    const policy = headers.get('content-security-policy')
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'")
    expect(policy).not.toContain('unsafe')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('referrer-policy')).toBeTruthy()
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  })

  test('over https asks browsers to stay on https, and names the cookie so that no other host can set it', async () => {
    const secure = await testServer({ publicUrl: 'https://ntalo.example' })
    const { headers } = await secure.visitor.get('/api/health')
    expect(headers.get('strict-transport-security')).toBe('max-age=31536000; includeSubDomains')
    const out = await secure.visitor.send('/api/auth/logout', { method: 'POST' })
    expect(out.headers.get('set-cookie')).toMatch(/^__Host-ntalo_refresh=;.*Secure/)
  })
})

describe('an invalid request', () => {
  const send = (init: RequestInit) => collector.send('/api/brands', { method: 'POST', ...init })
  const json = { 'content-type': 'application/json' }

  test.each([
    ['a body that is not JSON', { headers: json, body: '{' }, 400],
    ['an empty body', { headers: json, body: '' }, 400],
    ['another format', { headers: { 'content-type': 'text/plain' }, body: 'x' }, 415],
    ['an array', { headers: json, body: '[]' }, 400],
    ['null', { headers: json, body: 'null' }, 400],
    ['a NUL character', { headers: json, body: '{"name":"a\\u0000","country":"b"}' }, 400],
    ['a lone surrogate', { headers: json, body: '{"name":"a\\ud800","country":"b"}' }, 400],
    [
      'two megabytes',
      { headers: json, body: JSON.stringify({ name: 'a'.repeat(2_000_000), country: 'b' }) },
      413,
    ],
  ])('%s is refused in French, without internal details', async (_what, init, status) => {
    const answer = await send(init)
    expect(answer.status).toBe(status)
    expect(answer.body).not.toMatchObject({ message: expect.stringMatching(/ [:;!?»]/) })
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(answer.body).toMatchObject({
      message: expect.any(String),
      error: expect.any(String),
      errors: expect.any(Array),
      requestId: expect.any(String),
    })
    expect(answer.text).not.toMatch(/node_modules|at \w+ \(|select |insert |Unexpected|Invalid|Expected/)
  })

  test('prototype keys are dropped like any other unknown field', async () => {
    const answer = await send({
      headers: json,
      body: '{"__proto__":{"country":"x"},"constructor":{"prototype":1},"name":"Proto","country":"b"}',
    })
    expect(answer.status).toBe(201)
    expect(answer.body).toMatchObject({ name: 'Proto', country: 'b' })
  })

  test('an unknown address under /api is 404 in JSON, elsewhere the French page', async () => {
    for (const path of ['/api/nowhere', '/api/nowhere?page=1']) {
      const api = await server.visitor.get(path)
      expect([api.status, api.body]).toMatchObject([404, { message: 'Cette adresse n’existe pas.' }])
    }
    const page = await server.visitor.get('/nowhere')
    expect(page.status).toBe(404)
    expect(page.headers.get('content-type')).toContain('text/html')
  })

  test('a page requested again is the same, in any compression', async () => {
    const pages = []
    for (const encoding of ['br', 'br', 'gzip', 'identity']) {
      const { status, headers, text } = await server.visitor.send('/nowhere', {
        headers: { 'accept-encoding': encoding },
      })
      expect([status, headers.get('vary')]).toEqual([404, expect.stringContaining('accept-encoding')])
      pages.push(text)
    }
    expect(new Set(pages).size).toBe(1)
    expect(pages[0]).toContain('<!doctype html>')
  })

  test('a missing JSON body is an error only where one is expected', async () => {
    const headers = { 'content-type': 'application/json' }
    const { status } = await collector.send('/api/brands/999999', { method: 'DELETE', headers })
    expect(status).toBe(404)
    expect((await server.visitor.send('/api/auth/logout', { method: 'POST', headers })).status).toBe(200)
    const missed = await collector.send('/api/brands', { method: 'POST', headers })
    expect([missed.status, missed.body]).toMatchObject([400, { message: 'Le corps de la requête est vide.' }])
    const broken = await server.visitor.send('/api/auth/logout', { method: 'POST', headers, body: '{' })
    expect(broken.status).toBe(400)
  })

  test('headers beyond the size limit are refused', async () => {
    const answer = await server.visitor.send('/api/health', { headers: { 'x-long': 'x'.repeat(20_000) } })
    expect([answer.status, answer.body]).toMatchObject([
      431,
      { message: 'L’adresse et les en-têtes de la requête sont trop longs.' },
    ])
  })

  test('one field with several errors is reported once', async () => {
    const answer = await collector.send('/api/prices?limit=1&page=9999999999999', {})
    expect(answer.body).toMatchObject({ message: expect.stringMatching(/^page\u00a0: /) })
    const { body } = await collector.post('/api/product-types', { name: 'Type', categoryId: 1e30 })
    expect(body).toMatchObject({ message: 'Choisissez une catégorie', errors: [{ field: 'categoryId' }] })
  })

  test('a client that is not signed in is told how to sign in', async () => {
    const answer = await server.visitor.get('/api/brands')
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
  })

  test('a path that cannot be decoded is refused in French', async () => {
    const answer = await server.visitor.get('/api/brands/%ff')
    expect(answer.status).toBeLessThan(500)
    expect(answer.text).not.toMatch(/Bad Request|valid url/)
  })

  test('a visitor with an address that cannot be decoded gets the usual 404 page', async () => {
    for (const path of ['/%', '/prix-en-100%', '/%ff/prices']) {
      const answer = await server.visitor.get(path)
      expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
      expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
      expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    }
  })
})

test('the API is described by OpenAPI from the contracts', async () => {
  const { status, body } = await server.visitor.get('/api/openapi.json')
  expect(status).toBe(200)
  expect(body).toMatchObject({
    openapi: '3.1.0',
    paths: { '/api/brands': { get: { security: [{ bearer: [] }] }, post: expect.anything() } },
    components: {
      schemas: { Brand: expect.anything(), BrandBodyInput: expect.anything(), Problem: expect.anything() },
    },
  })
})
