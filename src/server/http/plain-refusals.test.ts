import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, expect, test } from 'vitest'
import { createHttp } from '#server/http/app.ts'
import { createAdmission } from '#server/http/overload.ts'
import { createLog } from '#server/log.ts'

const admission = createAdmission()
const http = await createHttp({ log: createLog('silent'), publicUrl: null, trustedProxies: 0, admission })
http.get('/', { config: { right: 'public' } }, async () => 'oui')
http.get('/api/busy', { config: { right: 'public' } }, async () => 'oui')
const { port } = new URL(await http.listen({ port: 0, host: '127.0.0.1' }))
afterAll(() => http.close())

async function send(bytes: string) {
  const socket = connect(Number(port), '127.0.0.1')
  socket.write(bytes)
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n')
  return { status: Number(head.slice(9, 12)), head: head.toLowerCase(), body }
}

const close = 'Connection: close\r\n\r\n'
const refused: [string, number, string][] = [
  ['bytes that are no request', 400, 'bonjour\r\n\r\n'],
  ['headers beyond all measure', 431, `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n${close}`],
  ['an expectation that we do not know', 417, `GET / HTTP/1.1\r\nHost: a\r\nExpect: miracle\r\n${close}`],
  ['two Host headers', 400, `GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n${close}`],
  ['a tunnel', 405, 'CONNECT example.org:443 HTTP/1.1\r\nHost: example.org\r\n\r\n'],
  ['no Host header', 400, `GET / HTTP/1.1\r\n${close}`],
  ['a write to a Host that is none', 400, `POST /api/busy HTTP/1.1\r\nHost: a b\r\n${close}`],
]

test.each(refused)(
  '%s: %i, in our format and with the headers of every response',
  async (_, status, bytes) => {
    const answer = await send(bytes)
    expect(answer.status).toBe(status)
    for (const line of ['x-content-type-options: nosniff', "content-security-policy: default-src 'none'"]) {
      expect(answer.head).toContain(line)
    }
    const { message, error, errors, requestId } = JSON.parse(answer.body)
    expect([message.length > 10, error.length > 3, errors]).toEqual([true, true, []])
    expect(answer.head).toContain(`x-request-id: ${requestId}`)
  },
)

test('a request for a tunnel is refused with the allowed methods', async () => {
  const { head } = await send(`CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n${'x'.repeat(100_000)}`)
  expect(head).toContain('allow: get, head, post')
  expect(head).toContain('connection: close')
})

test('a request of HTTP 1.0 needs no Host header', async () => {
  expect(await send('GET / HTTP/1.0\r\n\r\n')).toMatchObject({ status: 200, body: 'oui' })
})

test('an address with its origin, as proxies write it, is the same address', async () => {
  for (const address of ['/api/busy', 'http://a/api/busy', 'HTTPS://a:8443/api/busy']) {
    const asked = `GET ${address} HTTP/1.1\r\nHost: a\r\n${close}`
    const answer = await send(asked)
    expect(answer).toMatchObject({ status: 200, body: 'oui' })
    expect(answer.head, address).toContain('cache-control: no-store')
  }
  expect((await send(`GET http://a HTTP/1.1\r\nHost: a\r\n${close}`)).body).toBe('oui')
})
