import { once } from 'node:events'
import { createServer, request as open } from 'node:http'
import { afterAll, expect, test } from 'vitest'
import { endWhenTooSlow } from '#server/http/patience.ts'

const patience = { usual: 1_000, slow: 60_000, mayBeSlow: (path: string) => path.startsWith('/files') }
const server = createServer((request, response) => {
  endWhenTooSlow(request, response, patience)
  request.on('error', () => {})
  if (request.url === '/files/refused') {
    response.end('refusé')
    return
  }
  request.resume()
  request.on('end', () => response.end('entier'))
}).listen(0, '127.0.0.1')
await once(server, 'listening')
afterAll(() => server.close())

/** Starts a request with a body; `end` sends the rest of it. */
function begin(path: string) {
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const request = open({ port, host: '127.0.0.1', path, method: 'POST', headers: { 'content-length': '4' } })
  const outcome = new Promise<string>((resolve) => {
    request.on('response', (response) => response.on('data', (chunk) => resolve(String(chunk))))
    request.on('error', () => resolve('coupé'))
  })
  const closed = new Promise<void>((resolve) => request.on('close', resolve))
  request.write('ab')
  return { end: () => request.end('cd'), outcome, closed }
}

test('a request that is not sent in time is cut, while a file may take longer', async () => {
  const file = begin('/files')
  expect(await begin('/notes').outcome).toBe('coupé')
  file.end()
  expect(await file.outcome).toBe('entier')
})

test('the server does not wait for the rest of a refused file', async () => {
  const refused = begin('/files/refused')
  expect(await refused.outcome).toBe('refusé')
  await refused.closed
})

test('a request that is sent in time is answered', async () => {
  const request = begin('/notes')
  request.end()
  expect(await request.outcome).toBe('entier')
})
