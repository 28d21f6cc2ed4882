// Requests as bytes on a connection: truncated, damaged, or wrongly framed.

import { connect } from 'node:net'
import fc from 'fast-check'
import { waitLimitMs } from '../support/wait-limit.ts'
import type { FuzzRequest } from './requests.ts'

/** Damage to the bytes of a request on the way. */
export type Damage =
  | { kind: 'none' }
  /** The sender disconnects: properly, or like a phone that loses its network. */
  | { kind: 'cut'; at: number; isReset: boolean }
  | { kind: 'flip'; at: number; byte: number }
  | { kind: 'insert'; at: number; text: string }

const share = fc.double({ min: 0, max: 1, noNaN: true })

export const damages: fc.Arbitrary<Damage> = fc.oneof(
  fc.constant<Damage>({ kind: 'none' }),
  fc.record({ kind: fc.constant('cut' as const), at: share, isReset: fc.boolean() }),
  fc.record({ kind: fc.constant('flip' as const), at: share, byte: fc.nat({ max: 255 }) }),
  fc.record({
    kind: fc.constant('insert' as const),
    at: share,
    text: fc.constantFrom(
      '\u0000',
      '\r\n',
      '\r\n\r\n',
      'Content-Length: 5\r\n',
      '\r\nTransfer-Encoding: chunked\r\n',
      '\r\nExpect: 100-continue\r\n',
      '\r\nUpgrade: websocket\r\nConnection: upgrade\r\n',
      `\r\nX: ${'y'.repeat(20_000)}\r\n`,
      'GET / HTTP/1.1\r\nHost: a\r\n\r\n',
    ),
  }),
)

const latin1 = (text: string) => Buffer.from(text.replaceAll(/[^\x20-\xff]/g, '_'), 'latin1')

/** Returns the bytes of the request as a client would write it, with `token` for a session. */
export function bytesOf({ method, url, headers, body }: FuzzRequest, token: string | null): Buffer {
  const content = Buffer.from(body ?? '')
  const address = url.toWellFormed().replaceAll(/[^\x21-\x7e]/gu, encodeURIComponent)
  const all = {
    host: 'localhost',
    ...(token && { authorization: `Bearer ${token}` }),
    ...(content.length > 0 && { 'content-length': String(content.length) }),
    connection: 'close',
    ...headers,
  }
  const lines = Object.entries(all).map(([name, value]) => latin1(`${name}: ${value}`))
  const head = [latin1(`${method} ${address} HTTP/1.1`), ...lines]
  return Buffer.concat([...head.flatMap((line) => [line, Buffer.from('\r\n')]), Buffer.from('\r\n'), content])
}

export function damaged(bytes: Buffer, damage: Damage): Buffer {
  if (damage.kind === 'none') return bytes
  const at = Math.floor(damage.at * bytes.length)
  if (damage.kind === 'cut') return bytes.subarray(0, at)
  if (damage.kind === 'insert')
    return Buffer.concat([bytes.subarray(0, at), Buffer.from(damage.text), bytes.subarray(at)])
  const flipped = Buffer.from(bytes)
  if (at < flipped.length) flipped[at] = damage.byte
  return flipped
}

/** Silence (ms) after which a connection is closed, once a response has arrived or none is required. */
const patienceMs = 200

/**
 * Sends bytes on a new connection.
 *
 * @returns the statuses answered before the server closes the connection or falls silent
 */
export async function send(port: number, bytes: Buffer, damage: Damage): Promise<number[]> {
  const socket = connect(port, '127.0.0.1')
  let received = ''
  const { promise: ended, resolve } = Promise.withResolvers<void>()
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1')
    socket.setTimeout(patienceMs)
  })
  // The server may close a connection at once when it cannot parse the bytes.
  socket.on('error', () => resolve())
  socket.on('close', () => resolve())
  socket.setTimeout(damage.kind === 'none' ? waitLimitMs : patienceMs, () => resolve())
  if (damage.kind === 'cut')
    socket.write(bytes, () => (damage.isReset ? socket.resetAndDestroy() : socket.end()))
  else socket.write(bytes)
  await ended
  socket.destroy()
  return [...received.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, status]) => Number(status))
}
