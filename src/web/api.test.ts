import { afterEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { defineEndpoint } from '#shared/contract.ts'
import { idParams } from '#shared/fields.ts'
import { ApiError, call, exchange, open, setTokenSource, urlOf } from '#web/api.ts'
import { serverTimeAt } from '#web/server-time.ts'

const thing = defineEndpoint({
  method: 'PUT',
  path: '/api/things/{id}',
  right: 'session',
  summary: 'Une chose',
  description: 'Pour essayer.',
  params: idParams,
  body: z.object({ name: z.string() }),
  response: z.object({ name: z.string() }),
})
const input = { params: { id: 3 }, body: { name: 'Manioc' } }

afterEach(() => {
  vi.unstubAllGlobals()
})

test('an address is filled in, and empty query values are omitted', () => {
  expect(urlOf('/api/things/{id}', { id: 3 }, { page: 2, search: 'a&b', country: '', sort: undefined })).toBe(
    '/api/things/3?page=2&search=a%26b',
  )
  expect(urlOf('/api/things', undefined, undefined)).toBe('/api/things')
})

test('times of the server are compared with its clock, not with that of the device', async () => {
  answering(() => new Response('{}', { headers: { date: new Date(Date.now() - 600_000).toUTCString() } }))
  await exchange(thing, input)
  expect(Math.abs(Date.now() - 600_000 - serverTimeAt(Date.now()))).toBeLessThan(60_000)
})

test('a call sends JSON with the token and returns the response', async () => {
  const sent = answering(() => json(200, { name: 'Manioc' }))
  await expect(exchange(thing, input, 'secret')).resolves.toEqual({ name: 'Manioc' })
  expect(sent[0]).toMatchObject({
    url: '/api/things/3',
    method: 'PUT',
    body: '{"name":"Manioc"}',
    redirect: 'manual',
  })
  expect(sent[0]?.headers).toMatchObject({
    authorization: 'Bearer secret',
    'content-type': 'application/json',
  })
})

test.each([
  [{ message: 'a', error: 'b', title: 'c' }, 'a'],
  [{ message: ' ', error: 'b', errors: [{ message: 'd' }] }, 'b'],
  [{ errors: [{ field: 'name', message: 'd' }], title: 'c' }, 'd'],
  [{ title: 'c' }, 'c'],
  ['Trop tard', 'Trop tard'],
  [{ message: 42 }, 'Une erreur est survenue'],
  [null, 'Une erreur est survenue'],
])('a refusal of %j says « %s »', async (body, message) => {
  answering(() => json(409, body))
  await expect(exchange(thing, input)).rejects.toMatchObject({ message, statement: `409 • ${message}` })
})

test('a proxy’s page is not shown as a message, but its plain text is', async () => {
  answering(() => new Response('<html>502</html>', { status: 502, headers: { 'content-type': 'text/html' } }))
  await expect(exchange(thing, input)).rejects.toMatchObject({ statement: '502 • Une erreur est survenue' })
  answering(() => new Response('Maintenance', { status: 503, headers: { 'content-type': 'text/plain' } }))
  await expect(exchange(thing, input)).rejects.toMatchObject({ statement: '503 • Maintenance' })
})

test('a redirect is not followed and counts as a failure', async () => {
  answering(() => new Response(null, { status: 302, headers: { location: 'https://ailleurs.example' } }))
  await expect(exchange(thing, input)).rejects.toBeInstanceOf(ApiError)
})

test('a missing response is status 500, « Erreur réseau »', async () => {
  answering(() => Promise.reject(new TypeError('Failed to fetch')))
  await expect(exchange(thing, input)).rejects.toMatchObject({
    statement: '500 • Erreur réseau',
    isUnanswered: true,
  })
})

test('a call aborted by its caller says so, and is no network failure', async () => {
  const controller = new AbortController()
  answering((request) => {
    controller.abort(new Error('page quittée'))
    return Promise.reject(request.signal?.reason)
  })
  await expect(exchange(thing, { ...input, signal: controller.signal })).rejects.not.toBeInstanceOf(ApiError)
})

test('a server that is silent for two minutes is given up', async () => {
  vi.useFakeTimers()
  answering((request) => new Promise((_resolve, reject) => request.signal?.addEventListener('abort', reject)))
  const outcome = expect(exchange(thing, input)).rejects.toMatchObject({ statement: '500 • Erreur réseau' })
  await vi.advanceTimersByTimeAsync(120_000)
  await outcome
  vi.useRealTimers()
})

test('a 401 renews the session and the call is repeated with the new token', async () => {
  const sent = answering(({ headers }) =>
    json(headers.authorization === 'Bearer new' ? 200 : 401, { name: 'Manioc' }),
  )
  let token = 'old'
  setTokenSource({
    token: async () => token,
    renew: async (used) => {
      expect(used).toBe('old')
      token = 'new'
    },
  })
  await expect(call(thing, input)).resolves.toEqual({ name: 'Manioc' })
  expect(sent).toHaveLength(2)
})

test('a 401 without a token is an ordinary response', async () => {
  const sent = answering(() => json(401, { message: 'Connectez-vous pour continuer.' }))
  const renew = vi.fn()
  setTokenSource({ token: async () => null, renew })
  await expect(call(thing, input)).rejects.toMatchObject({ status: 401 })
  expect(sent).toHaveLength(1)
  expect(renew).not.toHaveBeenCalled()
})

const file = { method: 'GET', path: '/api/file' } as const

test('a streamed response is requested with the token, renewed when needed', async () => {
  const sent = answering(({ headers }) =>
    headers.authorization === 'Bearer new' ? new Response('a;b') : json(401, {}),
  )
  let token = 'old'
  setTokenSource({
    token: async () => token,
    renew: async () => {
      token = 'new'
    },
  })
  const { signal } = new AbortController()
  const response = await open(file, { query: { format: 'csv' }, headers: { accept: 'text/csv' }, signal })
  expect(await response.text()).toBe('a;b')
  expect(sent.map(({ url }) => url)).toEqual(['/api/file?format=csv', '/api/file?format=csv'])
  expect(sent[1]?.headers).toMatchObject({ accept: 'text/csv', authorization: 'Bearer new' })
})

test('a refusal of a streamed response is an ordinary refusal, and silence is an error after two minutes', async () => {
  setTokenSource({ token: async () => null, renew: vi.fn() })
  const { signal } = new AbortController()
  answering(() => json(429, { message: 'Trop d’exports sont en cours.' }))
  await expect(open(file, { signal })).rejects.toMatchObject({
    statement: '429 • Trop d’exports sont en cours.',
  })

  vi.useFakeTimers()
  answering((request) => new Promise((_resolve, reject) => request.signal?.addEventListener('abort', reject)))
  const outcome = expect(open(file, { signal })).rejects.toMatchObject({ isUnanswered: true })
  await vi.advanceTimersByTimeAsync(120_000)
  await outcome
  vi.useRealTimers()
})

type Sent = {
  url: string
  method?: string
  body?: unknown
  redirect?: string
  headers: Record<string, string>
  signal?: AbortSignal
}

/** Replaces the network; returns the requests that were sent. */
function answering(answer: (request: Sent) => Response | Promise<Response>): Sent[] {
  const sent: Sent[] = []
  vi.stubGlobal('fetch', async (url: string, init: Omit<Sent, 'url'>) => {
    const request = { url, ...init }
    sent.push(request)
    return answer(request)
  })
  return sent
}

function json(status: number, body: unknown): Response {
  return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })
}
